/** Above a post's text: why some readers do not see it. */
import { Minute } from "@/app/_components/time";
import { unpublishedText } from "@/app/_components/unpublished-text";
import { translator } from "@/lib/i18n";
import type { readPost } from "@/lib/posts";

interface PostNotesProps {
  post: NonNullable<Awaited<ReturnType<typeof readPost>>>;
  isAuthor: boolean;
  direction: "ltr" | "rtl";
}

/**
 * The note that a post is a draft, unlisted or unpublished; none for most posts.
 * The author's note has instructions.
 */
export function PostNotes({ post, isAuthor, direction }: PostNotesProps) {
  const t = translator("post");
  if (post.unpublishedAt !== null)
    return (
      <div role="note" dir={direction} className={`${noteClass} border-amber`}>
        <p className="whitespace-pre-line">{unpublishedText(post)}</p>
        <p className="text-quiet">
          {t("unpublished.seen")} {isAuthor && t("unpublished.help")}
        </p>
      </div>
    );
  const note =
    post.publishedAt === null ? draftNote(post) : post.isUnlisted && isAuthor && t("unlisted.note");
  if (!note) return null;
  return (
    <div role="note" dir={direction} className={`${noteClass} border-water`}>
      <p>{note}</p>
    </div>
  );
}

function draftNote({ publishAt, missedAt }: PostNotesProps["post"]) {
  const t = translator("post");
  const on = (at: number) => ({ time: () => <Minute at={at} /> });
  if (publishAt !== null) return t.rich("scheduled", on(publishAt));
  return missedAt === null ? t("draft") : t.rich("missed", on(missedAt));
}

const noteClass = "post-edge mb-8 flex flex-col gap-1 border-s-2 ps-3";

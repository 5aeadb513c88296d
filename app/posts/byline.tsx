import { Day } from "@/app/_components/time";
import { translator } from "@/lib/i18n";
import { userPath } from "@/lib/paths";

/** A post's author and date. */
export function Byline({ author, publishedAt }: { author: string; publishedAt: number | null }) {
  return (
    <>
      <a href={userPath(author)}>
        <bdi>{author}</bdi>
      </a>
      {" · "}
      {publishedAt === null ? translator("post")("draftLabel") : <Day at={publishedAt} />}
    </>
  );
}

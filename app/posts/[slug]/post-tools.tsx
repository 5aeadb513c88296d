import { bookmarkPost } from "@/app/_components/bookmark-actions";
import { Form } from "@/app/_components/form";
import { ChoiceButton } from "@/app/_components/form-fields";
import { StaticPart } from "@/app/_components/static-part";
import { app } from "@/lib/app";
import { isBookmarked } from "@/lib/bookmarks";
import { translator } from "@/lib/i18n";
import { logInPath, postPath } from "@/lib/paths";
import { scriptNonce } from "@/lib/request/current-request";
import { trustedOrigin } from "@/lib/request/site-origin";
import type { User } from "@/lib/users";

interface PostToolsProps {
  post: { id: number; slug: string; title: string };
  user: User | null;
  /** The direction of the post's text, at whose edge they are. */
  direction: "ltr" | "rtl";
}

/** A reader's actions on a post besides rating it. */
export function PostTools({ post, user, direction }: PostToolsProps) {
  return (
    <div id="save" dir={direction} className="post-edge mt-8 flex flex-wrap items-start gap-3">
      {user ? <SaveForLater post={post} user={user} /> : <LogInToSave slug={post.slug} />}
      <Share post={post} />
    </div>
  );
}

/** A link as high as the buttons beside it. */
const linkClassName = "inline-flex min-h-11 items-center text-[0.9375rem] [&[hidden]]:hidden";

/**
 * The post's link, and ways to send it.
 * The buttons are for a script (`public/post.js`), which shows those that the browser can do, in place of the link.
 */
async function Share({ post: { slug, title } }: Pick<PostToolsProps, "post">) {
  const origin = await trustedOrigin();
  return (
    <>
      <script src="/post.js" async nonce={scriptNonce()} />
      <StaticPart
        as="div"
        id="share"
        data-title={title}
        data-copied={translator("reading")("share.copied")}
        className="contents"
        of={WaysToShare}
        items={[{ slug, title, origin }]}
      />
    </>
  );
}

interface WaysToShareProps {
  slug: string;
  title: string;
  origin: string | undefined;
}

function WaysToShare({ slug, title, origin }: WaysToShareProps) {
  const path = postPath(slug);
  const t = translator("reading");
  return (
    <>
      {(["share", "copy"] as const).map((way) => (
        <button key={way} type="button" value={way} className="button" hidden>
          {t(`share.${way}`)}
        </button>
      ))}
      <a href={path} rel="bookmark" className={linkClassName}>
        {t("share.link")}
      </a>
      {origin !== undefined && (
        <a href={mailAddress(title, origin + path)} className={linkClassName}>
          {t("share.mail")}
        </a>
      )}
      <span role="status" className="self-center text-sm text-quiet" />
    </>
  );
}

/** Opens a new mail with the post's title and link. */
function mailAddress(title: string, url: string): string {
  return `mailto:?subject=${encodeURIComponent(title.toWellFormed())}&body=${encodeURIComponent(url)}`;
}

function LogInToSave({ slug }: { slug: string }) {
  return (
    <a href={logInPath(`${postPath(slug)}#save`)} className="button">
      {translator("reading")("saved.save")}
    </a>
  );
}

async function SaveForLater({ post, user }: { post: PostToolsProps["post"]; user: User }) {
  const isSaved = await isBookmarked(app(), user, post);
  const t = translator("reading");
  return (
    <Form action={bookmarkPost.bind(null, post.slug, !isSaved)} className="flex flex-col items-start gap-2">
      <ChoiceButton
        name="bookmark"
        value={isSaved ? "remove" : "save"}
        pending={t(isSaved ? "saved.removing" : "saved.saving")}
      >
        {t(isSaved ? "saved.remove" : "saved.save")}
      </ChoiceButton>
      {isSaved && (
        <p className="text-sm text-quiet">
          {t.rich("saved.isSaved", { link: (text) => <a href="/account/bookmarks">{text}</a> })}
        </p>
      )}
    </Form>
  );
}

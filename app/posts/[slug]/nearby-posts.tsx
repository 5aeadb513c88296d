import { PostTitle } from "@/app/_components/post-title";
import { StaticPart } from "@/app/_components/static-part";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { postPath } from "@/lib/paths";
import type { Post } from "@/lib/posts";
import { neighboursOf } from "@/lib/posts/archive";
import { relatedPosts } from "@/lib/posts/tags";

interface NearbyPostsProps {
  post: Pick<Post, "id" | "publishedAt">;
  /** The direction of the post's text, at whose edge they are. */
  direction: "ltr" | "rtl";
}

/** Posts with the same tags, and those that were published before and after one. */
export async function NearbyPosts({ post, direction }: NearbyPostsProps) {
  const [neighbours, related] = await Promise.all([neighboursOf(app(), post), relatedPosts(app(), post)]);
  const links = (["older", "newer"] as const).flatMap((which) => {
    const found = neighbours[which];
    return found ? [{ ...found, which }] : [];
  });
  if (links.length === 0) return null;
  return (
    <StaticPart
      as="nav"
      aria-label={translator("reading")("nearby.title")}
      dir={direction}
      className="post-edge mt-10 flex flex-col gap-5 border-t border-hairline pt-5"
      of={Links}
      items={[{ links, related }]}
    />
  );
}

interface LinksProps {
  links: readonly (LinkedPost & { which: "older" | "newer" })[];
  related: readonly LinkedPost[];
}

function Links({ links, related }: LinksProps) {
  const t = translator("reading");
  return (
    <>
      {related.length > 0 && (
        <div>
          <h2 className="section-title mb-2">{t("nearby.related")}</h2>
          <ul className="flex flex-col gap-1">
            {related.map((each) => (
              <li key={each.slug}>
                <PostLink post={each} />
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        {links.map(({ which, ...each }) => (
          <p key={which} className="min-w-0">
            <span className="block text-sm text-quiet">{t(`nearby.${which}`)}</span>
            <PostLink post={each} rel={which === "newer" ? "next" : "prev"} />
          </p>
        ))}
      </div>
    </>
  );
}

interface LinkedPost {
  slug: string;
  title: string;
  lang: string | null;
}

interface PostLinkProps {
  post: LinkedPost;
  rel?: string;
}

function PostLink({ post, rel }: PostLinkProps) {
  return (
    <a href={postPath(post.slug)} rel={rel} className="font-medium break-words">
      <PostTitle {...post} />
    </a>
  );
}

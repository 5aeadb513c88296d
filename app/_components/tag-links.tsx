import { Fragment } from "react";
import { translator } from "@/lib/i18n";
import { tagPath } from "@/lib/paths";
import type { Tag } from "@/lib/posts/tags";

/** The tags of a post, each with a link to its posts. */
export function TagLinks({ tags }: { tags: readonly Tag[] }) {
  if (tags.length === 0) return null;
  return (
    <p className="mt-2 text-[0.9375rem] text-quiet">
      {translator("reading")("tag.list")}{" "}
      {tags.map(({ slug, name }, index) => (
        <Fragment key={slug}>
          {index > 0 && " · "}
          <a href={tagPath(slug)} rel="tag">
            <bdi>{name}</bdi>
          </a>
        </Fragment>
      ))}
    </p>
  );
}

import { Fragment } from "react";

interface TagLineProps {
  label: string;
  /** A tag of a preview has no path. */
  tags: readonly { name: string; path?: string }[];
}

/** The tags of a post, each with a link to its posts. */
export function TagLine({ label, tags }: TagLineProps) {
  if (tags.length === 0) return null;
  return (
    <p className="mt-2 text-[0.9375rem] text-quiet">
      {label}{" "}
      {tags.map(({ name, path }, index) => (
        <Fragment key={name}>
          {index > 0 && " · "}
          {path === undefined ? (
            <bdi>{name}</bdi>
          ) : (
            <a href={path} rel="tag">
              <bdi>{name}</bdi>
            </a>
          )}
        </Fragment>
      ))}
    </p>
  );
}

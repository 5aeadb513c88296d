import { postPath } from "@/lib/paths";
import { PostTitle } from "./post-title";

interface ImageUsesProps {
  uses: readonly { slug: string; title: string; lang: string | null }[];
  /** The text before the posts. */
  label: string;
  /** The text when there are none. */
  none: string;
  className?: string;
}

/** The posts that use an image. */
export function ImageUses({ uses, label, none, className = "" }: ImageUsesProps) {
  if (uses.length === 0) return <p className={`${className} text-sm text-quiet`.trim()}>{none}</p>;
  return (
    <div className={`${className} text-sm`.trim()}>
      <span className="text-quiet">{label}</span>
      <ul>
        {uses.map(({ slug, title, lang }) => (
          <li key={slug}>
            <a href={postPath(slug)}>
              <PostTitle title={title} lang={lang} />
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

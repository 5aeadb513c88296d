import { TagLine } from "@/app/_components/tag-line";

interface PostHeadingProps {
  title: string;
  lang: string | null;
  /** The post's. */
  direction: "ltr" | "rtl";
  /** The heading's level: below another one in a preview. */
  as?: "h1" | "h2";
  /** Its author and date, and the rest of their line. */
  byline: React.ReactNode;
  tags?: React.ComponentProps<typeof TagLine>;
}

export const postHeadingClassName = "mb-8 sm:mb-10";

/**
 * The part of a post's page above the text.
 * Without functions of the server, as a preview in the browser has it too.
 */
export function PostHeading({ direction, ...parts }: PostHeadingProps) {
  return (
    <header dir={direction} className={postHeadingClassName}>
      <PostHeadingParts {...parts} />
    </header>
  );
}

export function PostHeadingParts(props: Omit<PostHeadingProps, "direction">) {
  const { title, lang, as: Heading = "h1", byline, tags } = props;
  return (
    <>
      <Heading className="page-title" lang={lang ?? ""}>
        {title}
      </Heading>
      <p className="mt-3 text-[0.9375rem] text-quiet">{byline}</p>
      {tags && <TagLine {...tags} />}
    </>
  );
}

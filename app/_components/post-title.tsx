import { textDirection } from "@/lib/i18n/text-direction";

interface PostTitleProps {
  title: string;
  /** The post's language; null for an unknown one, which need not be the page's. */
  lang: string | null;
}

/** A post's title within a page's text, in the post's language and direction. */
export function PostTitle({ title, lang }: PostTitleProps) {
  return (
    <bdi lang={lang ?? ""} dir={textDirection(title, lang)}>
      {title}
    </bdi>
  );
}

import { Section } from "@/app/_components/section";
import { translator } from "@/lib/i18n";
import { ownPostsPath } from "@/lib/paths";

/** Where the user's saved, rated and own posts are, and the images for them. */
export function ReadingLinks() {
  const t = translator("reading");
  const links = [
    ["/account/bookmarks", t("saved.title")],
    ["/account/ratings", t("rated.title")],
    [ownPostsPath, translator("writing")("own.link")],
    ["/account/media", translator("media")("title")],
  ];
  return (
    <Section title={t("title")}>
      <ul className="flex flex-wrap gap-x-6 gap-y-2">
        {links.map(([path, text]) => (
          <li key={path}>
            <a href={path}>{text}</a>
          </li>
        ))}
      </ul>
    </Section>
  );
}

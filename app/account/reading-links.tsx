import { Section } from "@/app/_components/section";
import { translator } from "@/lib/i18n";
import { ownPostsPath } from "@/lib/paths";
import { siteSettings } from "@/lib/site";
import type { User } from "@/lib/users";
import { mayWrite } from "@/lib/users/writers";

/** Where the user's saved, rated and own posts are, and the images for them. */
export function ReadingLinks({ user }: { user: User }) {
  const t = translator("reading");
  const { WHO_MAY_WRITE } = siteSettings();
  const mayRequestRole = WHO_MAY_WRITE === "approved" && !mayWrite(user, WHO_MAY_WRITE);
  const links = [
    ["/account/bookmarks", t("saved.title")],
    ["/account/ratings", t("rated.title")],
    [ownPostsPath, translator("writing")("own.link")],
    ["/account/media", translator("media")("title")],
    ...(mayRequestRole ? [["/posts/new", translator("layout")("requestToWrite")]] : []),
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

import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { postPath } from "@/lib/paths";
import { uncountedRatingsOf } from "@/lib/ratings/decisions/undecided-floods";
import type { User } from "@/lib/users";
import { PostTitle } from "./post-title";
import { RatingStatus } from "./rating-status";
import { Section } from "./section";

/**
 * The user's ratings that do not count because of a flood.
 * Each with its status; nothing when there is no such rating.
 */
export async function UncountedRatings({ user }: { user: User }) {
  const ratings = await uncountedRatingsOf(app(), user);
  const t = translator("flood");
  if (ratings.length === 0) return null;
  return (
    <Section title={t("yours.title")} id="flood-ratings">
      <p className="mb-4 text-quiet">{t("yours.intro")}</p>
      <ul className="flex flex-col gap-4">
        {ratings.map(({ slug, title, lang, score, window }) => (
          <li key={slug}>
            <p>
              {t.rich("yours.rating", {
                score,
                post: () => (
                  <a href={`${postPath(slug)}#your-rating`}>
                    <PostTitle title={title} lang={lang} />
                  </a>
                ),
              })}
            </p>
            <RatingStatus window={window} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

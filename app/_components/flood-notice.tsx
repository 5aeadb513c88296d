import { cache } from "react";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { postPath, userPath, windowPath } from "@/lib/paths";
import { isDecider } from "@/lib/ratings/decisions/deciders";
import { type ListedFlood, undecidedFloods } from "@/lib/ratings/decisions/undecided-floods";
import { currentTime } from "@/lib/time/current-time";
import type { User } from "@/lib/users";
import { floodMessage, floodsText } from "./flood-notice-text";
import { PostTitle } from "./post-title";

/** Read once for the header and the lists of a page. */
export const floodsOfUser = cache((user: User) => undecidedFloods(app(), user));

/** The header's line about floods: on the user's posts, or to decide. */
export async function FloodNotice({ user }: { user: User }) {
  const { floods, hasMore } = await floodsOfUser(user);
  const [first, ...others] = floods;
  const t = translator("flood");
  if (!first) return null;
  return (
    <aside
      aria-label={t("undecidedFloods.label")}
      className="mx-auto w-full max-w-[44rem] border-b border-hairline py-2.5 text-[0.9375rem] text-amber"
    >
      {others.length === 0 ? (
        <OneFlood flood={first} />
      ) : (
        <>
          {floodsText(floods, hasMore)}{" "}
          <a href={isDecider(user) ? "/admin" : `${userPath(user.username)}#floods`}>
            {t("undecidedFloods.look")}
          </a>
        </>
      )}
    </aside>
  );
}

/** A flood in a sentence, with a link to its card. */
export function OneFlood({ flood }: { flood: ListedFlood }) {
  const { slug, title, lang, window } = flood;
  const card = windowPath(slug, window.number);
  const message = floodMessage(flood, currentTime());
  return translator("flood").rich(`undecidedFloods.${message}`, {
    count: window.arrived,
    post: () => (
      <a href={message === "needed" ? card : postPath(slug)}>
        <PostTitle title={title} lang={lang} />
      </a>
    ),
    why: (chunks) => <a href={card}>{chunks}</a>,
  });
}

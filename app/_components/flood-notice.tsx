import { cache } from "react";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { userPath, windowPath } from "@/lib/paths";
import { isDecider } from "@/lib/ratings/decisions/deciders";
import { type UndecidedFlood, undecidedFloods } from "@/lib/ratings/decisions/undecided-floods";
import { endOf } from "@/lib/ratings/floods/flood-window";
import { currentTime } from "@/lib/time/current-time";
import type { User } from "@/lib/users";
import { PostTitle } from "./post-title";

/** Read once for the header and the lists of a page. */
export const floodsOfUser = cache((user: User) => undecidedFloods(app(), user));

/** The header's line about floods: on the user's posts, or to decide. */
export async function FloodNotice({ user }: { user: User }) {
  const { floods, hasMore } = await floodsOfUser(user);
  const [first, ...others] = floods;
  const t = translator("flood");
  if (!first) return null;
  const count = floods.length;
  const decides = floods.some(({ authorId }) => authorId !== user.id);
  return (
    <aside
      aria-label={t("undecidedFloods.label")}
      className="mx-auto w-full max-w-[44rem] border-b border-hairline py-2.5 text-[0.9375rem] text-amber"
    >
      {others.length === 0 ? (
        <OneFlood flood={first} user={user} />
      ) : (
        <>
          {decides
            ? t(hasMore ? "undecidedFloods.neededMost" : "undecidedFloods.neededMany", { count })
            : t(hasMore ? "undecidedFloods.ownMost" : "undecidedFloods.ownMany", { count })}{" "}
          <a href={isDecider(user) ? "/admin" : `${userPath(user.username)}#floods`}>
            {t("undecidedFloods.look")}
          </a>
        </>
      )}
    </aside>
  );
}

/** A flood in a sentence, with a link to its card. */
export function OneFlood({
  flood: { slug, title, lang, authorId, window },
  user,
}: {
  flood: UndecidedFlood;
  user: User;
}) {
  const isOwn = authorId === user.id;
  const isOpen = window.closedAt === null && endOf(window) > currentTime();
  const kind = isOwn ? (isOpen ? "ownOpen" : "own") : "needed";
  return translator("flood").rich(`undecidedFloods.${kind}`, {
    count: window.arrived,
    post: () => (
      <a href={windowPath(slug, window.number)}>
        <PostTitle title={title} lang={lang} />
      </a>
    ),
  });
}

import { translator } from "@/lib/i18n";
import { deadlineOf } from "@/lib/ratings/floods/flood-window";
import { scoring } from "@/lib/ratings/tally/scoring-settings";
import type { User } from "@/lib/users";
import { floodsOfUser, OneFlood } from "./flood-notice";
import { Section } from "./section";
import { Day } from "./time";

/** The undecided floods on an author's posts; nothing without one. */
export async function OwnFloods({ user }: { user: User }) {
  const { floods } = await floodsOfUser(user);
  const own = floods.filter(({ authorId }) => authorId === user.id);
  const t = translator("flood");
  if (own.length === 0) return null;
  return (
    <Section title={t("undecidedFloods.title")} id="floods">
      <ul className="flex flex-col gap-3">
        {own.map((flood) => (
          <li
            key={`${flood.slug} ${flood.window.number}`}
            className={`border-s-2 ps-3 ${flood.window.status === "held" ? "border-amber" : "border-hairline"}`}
          >
            <OneFlood flood={flood} />{" "}
            {flood.window.status === "held" && (
              <span className="text-quiet">
                {t.rich("undecidedFloods.until", {
                  time: () => <Day at={deadlineOf(flood.window, scoring.holdMs)} />,
                })}
              </span>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

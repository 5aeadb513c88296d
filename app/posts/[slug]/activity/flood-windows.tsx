import { Section } from "@/app/_components/section";
import { translator } from "@/lib/i18n";
import { activityPath } from "@/lib/paths";
import type { PostActivity } from "@/lib/ratings/decisions/activity";
import { decidesOn } from "@/lib/ratings/decisions/deciders";
import { FloodWindowPart, type WindowNotice } from "./flood-window";

interface FloodWindowsProps
  extends Pick<
    PostActivity,
    | "isAuthor"
    | "counts"
    | "score"
    | "windows"
    | "decisions"
    | "requests"
    | "decisionRight"
    | "previews"
    | "accounts"
  > {
  slug: string;
  /** Whether the author could get emails about floods, and does not. */
  lacksMails: boolean;
  /** The number of a window that was just decided, or was decided before. */
  notice: { decided: string | undefined; already: string | undefined };
  /** Shows only windows with a lower number; NaN for all. */
  before: number;
}

const heldMaximum = 50;
const othersMaximum = 20;

/** A post's flood windows, newest first, with forms for decisions and reviews. */
export function FloodWindows({
  slug,
  isAuthor,
  counts,
  score,
  windows,
  decisions,
  requests,
  decisionRight,
  previews,
  accounts,
  lacksMails,
  notice,
  before,
}: FloodWindowsProps) {
  const requested = windows.filter(({ number }) => !(number >= before));
  const held = requested.filter(({ status }) => status === "held").slice(0, heldMaximum);
  const others = requested.slice(0, othersMaximum);
  const shown = requested.filter((window) => held.includes(window) || others.includes(window));
  const last = others.at(-1)?.number;
  const t = translator("activity");
  if (windows.length === 0) return null;
  return (
    <Section title={t("floods.title")}>
      {shown.map((window, index) => (
        <FloodWindowPart
          key={window.number}
          slug={slug}
          window={window}
          counts={counts}
          score={score}
          decision={decisions.find((decision) => decision.window === window.number)}
          request={requests.find((request) => request.window === window.number)}
          mayDecide={decidesOn(decisionRight, window)}
          isAuthor={isAuthor}
          offersMails={lacksMails && index === 0}
          preview={previews.find((preview) => preview.window === window.number)}
          ages={accounts.find((ages) => ages.window === window.number)}
          notice={noticeOf(window.number, notice)}
        />
      ))}
      {requested.length > shown.length && (
        <p className="mt-8">
          <a href={`${activityPath(slug)}?before=${last}`}>{t("floods.older")}</a>
        </p>
      )}
      <p className="mt-6 text-sm text-quiet">
        {t("floods.intro")}{" "}
        {isAuthor &&
          t(
            windows.some((window) => decidesOn(decisionRight, window))
              ? "floods.soleDecider"
              : "floods.author",
          )}
      </p>
    </Section>
  );
}

function noticeOf(number: number, { decided, already }: FloodWindowsProps["notice"]): WindowNotice {
  if (decided === String(number)) return "decided";
  return already === String(number) ? "already" : undefined;
}

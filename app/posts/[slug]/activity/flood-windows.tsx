import { Section } from "@/app/_components/section";
import { activityPath } from "@/lib/paths";
import type { PostActivity } from "@/lib/ratings/decisions/activity";
import { decidesOn } from "@/lib/ratings/decisions/deciders";
import { FloodWindowPart, type WindowNotice } from "./flood-window";

interface FloodWindowsProps
  extends Pick<
    PostActivity,
    "isAuthor" | "counts" | "windows" | "decisions" | "requests" | "decisionRight" | "accounts"
  > {
  slug: string;
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
  windows,
  decisions,
  requests,
  decisionRight,
  accounts,
  notice,
  before,
}: FloodWindowsProps) {
  const requested = windows.filter(({ number }) => !(number >= before));
  const held = requested.filter(({ status }) => status === "held").slice(0, heldMaximum);
  const others = requested.slice(0, othersMaximum);
  const shown = requested.filter((window) => held.includes(window) || others.includes(window));
  const last = others.at(-1)?.number;
  if (windows.length === 0) return null;
  return (
    <Section title="Floods">
      <p className="text-quiet">
        A flood is one score given much more often than usual. The ratings above this post’s usual ones are
        kept together and do not count yet. A flood counts once its ratings are spread like the post’s others,
        after some time, or when an administrator or a moderator includes it. A decision can be changed at any
        time.{" "}
        {isAuthor &&
          (windows.some((window) => decidesOn(decisionRight, window))
            ? "You are the only one here who can decide, so you decide on your own post. Readers see that."
            : "An author does not decide on floods of their own post, but can ask for a review.")}
      </p>
      {shown.map((window) => (
        <FloodWindowPart
          key={window.number}
          slug={slug}
          window={window}
          counts={counts}
          decision={decisions.find((decision) => decision.window === window.number)}
          request={requests.find((request) => request.window === window.number)}
          mayDecide={decidesOn(decisionRight, window)}
          isAuthor={isAuthor}
          ages={accounts.find((ages) => ages.window === window.number)}
          notice={noticeOf(window.number, notice)}
        />
      ))}
      {requested.length > shown.length && (
        <p className="mt-8">
          <a href={`${activityPath(slug)}?before=${last}`}>Older floods</a>
        </p>
      )}
    </Section>
  );
}

function noticeOf(number: number, { decided, already }: FloodWindowsProps["notice"]): WindowNotice {
  if (decided === String(number)) return "decided";
  return already === String(number) ? "already" : undefined;
}

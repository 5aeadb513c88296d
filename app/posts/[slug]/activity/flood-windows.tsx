import { Section } from "@/app/_components/section";
import type { PostActivity } from "@/lib/ratings/activity";
import { FloodWindowPart } from "./flood-window";
import { activityPath } from "./paths";

interface FloodWindowsProps extends Pick<PostActivity, "counts" | "windows" | "decisions"> {
  slug: string;
  /** What the address says has just happened, each the number of a window. */
  happened: { decided: unknown; already: unknown };
  /** Only windows before this one are asked for; NaN for none in particular. */
  before: number;
}

const heldMaximum = 50;
const othersMaximum = 20;

/** What a post has had of floods, the newest first, and a say on whether they count. */
export function FloodWindows({ slug, counts, windows, decisions, happened, before }: FloodWindowsProps) {
  const asked = windows.filter(({ number }) => !(number >= before));
  const held = asked.filter(({ status }) => status === "held").slice(0, heldMaximum);
  const others = asked.slice(0, othersMaximum);
  const shown = asked.filter((window) => held.includes(window) || others.includes(window));
  const last = others.at(-1)?.number;
  if (windows.length === 0) return null;
  return (
    <Section title="Flood windows">
      <p className="text-quiet">
        Spans in which this post was rated unusually fast. What came in one counts once the window does: by
        itself when its ratings are spread like the post’s others, or after some time, or when you say so.
        What was decided can be changed at any time.
      </p>
      {shown.map((window) => (
        <FloodWindowPart
          key={window.number}
          slug={slug}
          window={window}
          counts={counts}
          decision={decisions.find((decision) => decision.window === window.number)}
          happened={happenedTo(window.number, happened)}
        />
      ))}
      {asked.length > shown.length && (
        <p className="mt-8">
          <a href={`${activityPath(slug)}?before=${last}`}>Older windows</a>
        </p>
      )}
    </Section>
  );
}

export type Happening = "decided" | "already" | undefined;

function happenedTo(number: number, { decided, already }: FloodWindowsProps["happened"]): Happening {
  if (decided === String(number)) return "decided";
  return already === String(number) ? "already" : undefined;
}

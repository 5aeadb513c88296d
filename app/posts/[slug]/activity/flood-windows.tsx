import { Section } from "@/app/_components/section";
import type { PostActivity } from "@/lib/ratings/activity";
import { FloodWindowPart } from "./flood-window";

interface FloodWindowsProps extends Pick<PostActivity, "counts" | "windows" | "decisions"> {
  slug: string;
  /** What the address says has just happened, each the number of a window. */
  happened: { decided: unknown; already: unknown };
}

/** What a post has had of floods, the newest first, and a say on whether they count. */
export function FloodWindows({ slug, counts, windows, decisions, happened }: FloodWindowsProps) {
  if (windows.length === 0) return null;
  return (
    <Section title="Flood windows">
      <p className="text-quiet">
        Spans in which this post was rated unusually fast. What came in one counts once the window does: by
        itself when its ratings are spread like the post’s others, or after some time, or when you say so.
        What was decided can be changed at any time.
      </p>
      {windows.map((window) => (
        <FloodWindowPart
          key={window.number}
          slug={slug}
          window={window}
          counts={counts}
          decision={decisions.find((decision) => decision.window === window.number)}
          happened={happenedTo(window.number, happened)}
        />
      ))}
    </Section>
  );
}

export type Happening = "decided" | "already" | undefined;

function happenedTo(number: number, { decided, already }: FloodWindowsProps["happened"]): Happening {
  if (decided === String(number)) return "decided";
  return already === String(number) ? "already" : undefined;
}

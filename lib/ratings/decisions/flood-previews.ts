/** The scores that decisions on a post's floods would give. Reads only. */
import type { Database } from "../../../db/index.ts";
import type { DecidedStatus, FloodWindow } from "../floods/flood-window.ts";
import { isUndecided } from "../floods/flood-window.ts";
import { type Counts, scoreFrom } from "../score/score.ts";
import { type SettledState, settledMovesAt, settledScoreAt } from "../score/settled-score.ts";
import { replayedTally } from "../tally/saved-replay.ts";
import type { Tally, TallySettings } from "../tally/tally.ts";
import { advanceTo, decisionReplays, withWindowDecided } from "../tally/tally-windows.ts";

/** The most windows with previews, and the most ratings that one preview replays. */
const windowsMaximum = 10;
const replayedMaximum = 2_000;

export interface ScorePreview {
  /** The score at once; null without ratings, or before a long replay. */
  score: number | null;
  /** The average, to which it moves; null without ratings. */
  average: number | null;
  /** When it gets there if no rating follows; null when it is there. */
  arrivesAt: number | null;
}

export interface FloodPreview {
  window: number;
  /** As it is, and by each decision. */
  now: ScorePreview;
  counted: ScorePreview;
  excluded: ScorePreview;
}

/** Previews for the newest windows without a final decision, and for `also`. */
export async function previewsOf(
  database: Pick<Database, "ratings" | "replays" | "tallies" | "floodWindows">,
  post: { id: number; counts: Counts; settled: SettledState; windowCount: number },
  windows: readonly FloodWindow[],
  also: ReadonlySet<number>,
  now: number,
  settings: TallySettings,
): Promise<FloodPreview[]> {
  const { counts, settled, windowCount } = post;
  const shown = windows.filter((window) => isUndecided(window) || also.has(window.number));
  const previews: FloodPreview[] = [];
  for (const window of shown.slice(0, windowsMaximum)) {
    const tally = advanceTo(
      { counts, settled, windowCount, detector: null, windows: [window], decided: [] },
      now,
      settings,
    );
    const after = async (status: DecidedStatus) => {
      const decided = withWindowDecided(tally, now, window.number, status, settings);
      if (!decisionReplays(window, status)) return previewOf(decided, now, settings);
      if (scoreFrom(decided.counts).count > replayedMaximum)
        return { ...previewOf(decided, now, settings), score: null, arrivesAt: null };
      return previewOf(await replayedTally(database, post.id, decided, now, settings), now, settings);
    };
    previews.push({
      window: window.number,
      now: previewOf(tally, now, settings),
      counted: await after("counted"),
      excluded: await after("excluded"),
    });
  }
  return previews;
}

function previewOf({ counts, settled }: Tally, now: number, { settling }: TallySettings): ScorePreview {
  const { average } = scoreFrom(counts);
  const score = settledScoreAt(settled, now, counts, settling);
  const way = score === null || average === null ? 0 : Math.abs(average - score);
  return { score, average, arrivesAt: way === 0 ? null : settledMovesAt(settled, counts, way, settling) };
}

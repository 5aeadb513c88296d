/**
 * The summaries, paths and reasons that the page shows of a trace.
 * They are small, although they come from thousands of decisions. For the lab's own traces they depend on the
 * address alone, so they are cached by address: a link that many visitors open is computed once.
 */
import { scaleUtc } from "d3-scale";
import { LRUCache } from "lru-cache";
import { chartWidth } from "@/app/_components/scaled-svg";
import { type LabQuery, labPath } from "@/lib/lab/address";
import { areScored, compareScores, type ScoreComparison } from "@/lib/lab/compare-scores";
import { countsOf, shownOf, type View, viewOf } from "@/lib/lab/intervals";
import { levelAfter } from "@/lib/lab/levels";
import type { ShownTrace, TracePart } from "@/lib/lab/part";
import type { LabAlgorithm, LabSettings } from "@/lib/lab/settings";
import { type DecidedRequest, simulate } from "@/lib/lab/simulate";
import { knownTrace } from "@/lib/lab/traces";
import { levelOf } from "@/lib/limiter/index";
import { chosenOfSite } from "./fresh-page";
import { levelPath } from "./level-path";
import { barPaths, markPaths } from "./mark-paths";

/** A table lists this many rows; the others are counted. */
const rowsMaximum = 60;
/** Each takes at most a hundred kilobytes or so. */
const drawingsMaximum = 50;

interface Drawing {
  view: View;
  rows: RowDrawing[];
  /** Undefined where the trace has only times. */
  scores: ScoreComparison | undefined;
}

export type RowDrawing = Pick<LabAlgorithm, "name" | "parameters"> &
  Pick<ReturnType<typeof simulate>, "summary"> &
  ReturnType<typeof drawRow>;

const cache = new LRUCache<string, Drawing>({ max: drawingsMaximum });

/** The chosen algorithms' rows of this trace. */
export function drawing(
  query: LabQuery,
  settings: Pick<LabSettings, "algorithms">,
  trace: Pick<ShownTrace, "requests">,
  part: TracePart,
): Drawing {
  const draw = () => {
    const view = viewOf(trace.requests, part.from, part.to);
    const chosen = settings.algorithms.filter(({ name }) => query.rows.includes(name));
    const rows = chosen.map(({ name, parameters, algorithm }) => {
      const { decided, summary } = simulate(algorithm, trace.requests);
      return { name, parameters, summary, ...drawRow(decided, view) };
    });
    const { requests } = trace;
    const hasPast = knownTrace(query.trace) !== undefined;
    const scores = areScored(requests)
      ? compareScores(requests, {
          algorithms: chosen,
          ...chosenOfSite(query.limits),
          hasPast,
        })
      : undefined;
    return { view, rows, scores };
  };
  if (!knownTrace(query.trace)) return draw();
  const path = labPath({ ...query, table: "" });
  const cached = cache.get(path);
  if (cached) return cached;
  const drawn = draw();
  cache.set(path, drawn);
  return drawn;
}

function drawRow(decided: readonly DecidedRequest[], view: View) {
  const { begin, lengthMs, count, hasSingles } = view;
  const time = scaleUtc()
    .domain([begin, begin + count * lengthMs])
    .range([0, chartWidth]);
  const shown = shownOf(decided, view);
  const accepted = shown.filter(({ decision }) => decision.allowed).length;
  const counts = hasSingles ? [] : countsOf(decided, view);
  return {
    accepted,
    refused: shown.length - accepted,
    marks: hasSingles ? markPaths(decided, view, time) : barPaths(decided, view, time),
    level: levelPath(decided, view, time),
    /** Table rows: one per attempt with a mark, otherwise one per non-empty interval. */
    attempts: hasSingles ? shown.slice(0, rowsMaximum).map(attemptRow) : [],
    intervals: counts
      .slice(0, rowsMaximum)
      .map((row) => ({ ...row, level: levelAtEnd(shown, row.from, lengthMs) })),
    notListed: Math.max(0, (hasSingles ? shown : counts).length - rowsMaximum),
  };
}

function attemptRow({ at, decision: { allowed, reason } }: DecidedRequest) {
  return { at, allowed, reason };
}

/** The last value in an interval: the next one begins with it. */
function levelAtEnd(shown: readonly DecidedRequest[], from: number, lengthMs: number): number | null {
  const last = shown.findLast(({ at }) => at >= from && at < from + lengthMs);
  const level = last && levelOf(last.decision.reason);
  return level ? levelAfter(level, last.decision) : null;
}

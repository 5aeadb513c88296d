/** The messages of the thread that compares pasted ratings. */
import type { AlgorithmSettings } from "../limiter/index.ts";
import type { Limit } from "../limits/index.ts";
import type { TallySettings } from "../ratings/tally/tally.ts";
import type { ScoreComparison } from "./compare-scores.ts";
import type { CsvFault } from "./csv.ts";
import type { SiteLimits } from "./site-limits.ts";

/** A limit without its algorithm, which is a function. */
export type WrittenLimit = Pick<Limit, "name" | "counts" | "mode" | "parameters">;

export interface CsvTask {
  text: string;
  algorithms: { name: string; parameters: AlgorithmSettings }[];
  limits: Record<keyof SiteLimits, WrittenLimit[]>;
  scoring: TallySettings;
}

export type CsvAnswer =
  | { kind: "compared"; comparison: ScoreComparison; startsAt: number | null }
  | { kind: "faulty"; fault: CsvFault };

/**
 * The worker thread's program.
 * Answers each `CsvTask` that it receives with a `CsvAnswer`.
 */
import { parentPort } from "node:worker_threads";
import { createAlgorithm } from "../limiter/index.ts";
import { compareScores } from "./compare-scores.ts";
import { readCsv } from "./csv.ts";
import type { CsvAnswer, CsvTask, WrittenLimit } from "./csv-task.ts";

function answerTo({ text, algorithms, limits, scoring }: CsvTask): CsvAnswer {
  const read = readCsv(text);
  if (!read.ok) return { kind: "faulty", fault: read.fault };
  const comparison = compareScores(read.requests, {
    algorithms: algorithms.map(({ name, parameters }) => ({ name, algorithm: createAlgorithm(parameters) })),
    limits: {
      "rating.post": limits["rating.post"].map(made),
      "rating.user": limits["rating.user"].map(made),
      "rating.change": limits["rating.change"].map(made),
    },
    scoring,
    hasPast: false,
  });
  return { kind: "compared", comparison, startsAt: read.startsAt };
}

function made({ parameters, ...limit }: WrittenLimit) {
  return { ...limit, algorithm: createAlgorithm(parameters), outage: "open" as const };
}

parentPort?.on("message", (task: CsvTask) => parentPort?.postMessage(answerTo(task)));
parentPort?.postMessage("ready");

/**
 * Runs one part of the benchmark and prints its table: `node bench/run.ts lists`.
 *
 * `scripts/bench.mjs` runs all. `service:ZeroMQ, memory` runs the rows of `service` whose name contains the text after
 * the colon, and `faults:server` that part of `faults`.
 */
import { type Figure, isMet, type Report, tableOf } from "./table.ts";

/** A table of figures, or any tables that a part writes itself. */
type BenchPart =
  | { title: string; run: (rows: string) => Promise<Figure[]> }
  | { report: (rows: string) => Promise<Report> };

const [, name = "", rows = ""] = /^([^:]*):?(.*)$/.exec(process.argv[2] ?? "") ?? [];
const { text, missed } = await reportOf(await load(name));
console.log(`${text}\n`);
process.send?.({ missed });

async function reportOf(part: BenchPart): Promise<Report> {
  if ("report" in part) return part.report(rows);
  const figures = await part.run(rows);
  const missed = figures.filter((figure) => !isMet(figure)).length;
  return { text: tableOf(part.title, figures), missed };
}

/**
 * Only the part that runs is loaded.
 * The imports of the others would be compiled and kept in memory beside it.
 */
async function load(name: string): Promise<BenchPart> {
  switch (name) {
    case "limiter":
      return import("./limiter.bench.ts");
    case "ratings":
      return import("./ratings.bench.ts");
    case "busy":
      return import("./busy.bench.ts");
    case "removal":
      return import("./removal.bench.ts");
    case "removal-large":
      return import("./removal-large.bench.ts");
    case "scale":
      return import("./scale.bench.ts");
    case "lists":
      return import("./lists.bench.ts");
    case "pages":
      return import("./pages.bench.ts");
    case "faults":
      return import("./faults.bench.ts");
    case "campaign":
      return import("./campaign.bench.ts");
    case "service":
      return import("./service.bench.ts");
    case "service-peers":
      return import("./service-peers.bench.ts");
    case "page-weight":
      return import("./page-weight.bench.ts");
    case "load":
      return import("./load.bench.ts");
    case "nodes-transaction":
      return import("./nodes-transaction.bench.ts");
    case "nodes-removal":
      return import("./nodes-removal.bench.ts");
    case "nodes-pages":
      return import("./nodes-pages.bench.ts");
    case "nodes-ratings":
      return import("./nodes-ratings.bench.ts");
    case "nodes-hot-post":
      return import("./nodes-hot-post.bench.ts");
    case "nodes-capacity":
      return import("./capacity.ts");
    default:
      throw new Error(`There is no part "${name}" of the benchmark.`);
  }
}

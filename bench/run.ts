/** Runs one part of the benchmark and prints its table: `node bench/run.ts lists`. `scripts/bench.mjs` runs all. */
import { type Figure, isMet, tableOf } from "./table.ts";

interface Part {
  title: string;
  run: () => Promise<Figure[]>;
}

const name = process.argv[2] ?? "";
const { title, run } = await load(name);
const figures = await run();
console.log(`${tableOf(title, figures)}\n`);
process.send?.({ missed: figures.filter((figure) => !isMet(figure)).length });

/** Only the part that runs is loaded: what the others import would be compiled and kept in memory beside it. */
async function load(name: string): Promise<Part> {
  switch (name) {
    case "ratings":
      return import("./ratings.bench.ts");
    case "scale":
      return import("./scale.bench.ts");
    case "lists":
      return import("./lists.bench.ts");
    case "pages":
      return import("./pages.bench.ts");
    case "limiter":
      return import("./limiter.bench.ts");
    case "sqlite":
      return import("./sqlite.bench.ts");
    case "redis":
      return import("./redis.bench.ts");
    default:
      throw new Error(`There is no part "${name}" of the benchmark.`);
  }
}

/**
 * A load test of `npm start` alone.
 *
 * One process, one SQLite file, default settings, all limits on. Visitors, readers with a session, raters and a flood on
 * one post load it, each alone and then all together, for some seconds each, on this machine alone. `npm run bench --
 * load:docs` writes the table into `docs/capacity.md`, and the chart beside it.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { join } from "node:path";
import { buildApp } from "../scripts/build.mjs";
import { inFolder } from "./databases.ts";
import { whileServing } from "./faults/serving.ts";
import { addAccounts, type LoadedBlog, ratingsOf, scoreOf } from "./load-blog.ts";
import { loadChart } from "./load-chart.ts";
import { type Load, type LoadResult, runLoad } from "./load-run.ts";
import { bytesOf, whileServingBytes } from "./nodes/bare.ts";
import type { Report } from "./table.ts";

const seconds = 10;
const warmUpSeconds = 3;
const ratingsPerSecond = 50;
const flood = { accounts: 5_000, connections: 16 };

const document = "docs/capacity.md";
const [begin, end] = ["<!-- begin of load test -->", "<!-- end of load test -->"];

interface LoadTest {
  bare: LoadResult;
  rows: { name: string; alone: LoadResult; together: LoadResult }[];
  /** The flooded post's score, and how many ratings it was sent. */
  score: { before: number; after: number; mean: number };
}

export async function report(target: string): Promise<Report> {
  const [load = 0] = loadavg();
  await buildApp();
  const result = await inFolder(measure);
  const text = `${machineText(load)}\n\n${tableText(result)}\n\n${summaryText(result)}`;
  const chart = target === "docs" ? "docs/load.svg" : ".cache/load.svg";
  mkdirSync(".cache", { recursive: true });
  writeFileSync(chart, loadChart(result.rows));
  if (target === "docs") writeIntoDocument(text);
  return { text: `${text}\n\nThe chart is in ${chart}.`, missed: 0 };
}

async function measure(folder: string): Promise<LoadTest> {
  const url = `file:${join(folder, "blog.db")}`;
  const secret = crypto.randomUUID();
  const blog = await addAccounts(url, secret, flood.accounts);
  const loads = loadsOn(blog);
  return whileServing(
    url,
    async (origin) => {
      const bytes = await bytesOf(`${origin}/posts/${blog.hotPost}`);
      const visits = { ...loads.visitors(), next: () => ({ path: "/" }) };
      const bare = await whileServingBytes(bytes, (from) => runLoad("a bare server", from, visits));
      for (const name of ["visitors", "readers with a session"] as const)
        await runLoad(name, origin, { ...loads[name](), seconds: warmUpSeconds });
      const before = await scoreOf(origin, blog.hotPost);
      const alone: LoadResult[] = [];
      for (const [name, load] of Object.entries(loads)) alone.push(await runLoad(name, origin, load()));
      const together = await Promise.all(
        Object.entries(loads).map(([name, load]) => runLoad(name, origin, load())),
      );
      const after = await scoreOf(origin, blog.hotPost);
      const rows = together.map((result, row) => ({
        name: result.name,
        alone: alone[row] ?? result,
        together: result,
      }));
      checkKept(url, rows);
      const zeros = rows
        .filter(({ name }) => name === "a flood of one post")
        .flatMap((row) => [row.alone, row.together])
        .reduce((sum, { saved, held, refused }) => sum + saved + held + refused, 0);
      const mean = (before.average * before.count) / (before.count + zeros);
      return { bare, rows, score: { before: before.settled, after: after.settled, mean } };
    },
    { AUTH_SECRET: secret, LOG_LEVEL: "info" },
  );
}

/** Made for each run; their requests continue where the last run ended. */
function loadsOn({ slugs, hotPost, readers, raters, flooders }: LoadedBlog) {
  const nextPath = inOrder(["/", ...slugs.map((slug) => `/posts/${slug}`)]);
  const nextReader = inOrder(readers);
  const nextFlooder = inOrder(flooders);
  // Each rater goes from post to post, and each post gets raters in turn.
  const others = slugs.filter((slug) => slug !== hotPost);
  const nextRating = inOrder(
    raters.flatMap((_, first) =>
      others.map((slug, post) => ({ slug, cookie: raters[(first + post) % raters.length] ?? "" })),
    ),
  );
  const ratingPath = (slug: string) => `/api/posts/${slug}/rating`;
  return {
    visitors: (): Load => ({ connections: 32, seconds, next: () => ({ path: nextPath() }) }),
    "readers with a session": (): Load => ({
      connections: 4,
      seconds,
      next: () => ({ path: nextPath(), cookie: nextReader() }),
    }),
    "raters of many posts": (): Load => ({
      connections: 8,
      seconds,
      perSecond: ratingsPerSecond,
      next: () => {
        const { slug, cookie } = nextRating();
        return { path: ratingPath(slug), cookie, score: 4 };
      },
    }),
    "a flood of one post": (): Load => ({
      connections: flood.connections,
      seconds,
      atMost: flood.accounts / 2 - flood.connections,
      next: () => ({ path: ratingPath(hotPost), cookie: nextFlooder(), score: 0 }),
    }),
  };
}

function inOrder<T>(items: readonly T[]): () => T {
  let index = -1;
  return () => {
    index = (index + 1) % items.length;
    const item = items[index];
    if (item === undefined) throw new Error("There is an item.");
    return item;
  };
}

/** Every rating that was answered as saved is in the database. */
function checkKept(url: string, rows: LoadTest["rows"]): void {
  const answered = rows
    .flatMap((row) => [row.alone, row.together])
    .reduce((sum, { saved, held }) => sum + saved + held, 0);
  const kept = ratingsOf(url);
  if (kept < answered) throw new Error(`Of ${answered} ratings answered as saved, ${kept} were kept.`);
}

function machineText(load: number): string {
  const processor = cpus()[0]?.model.trim() || "unknown";
  const gibibytes = (totalmem() / 2 ** 30).toFixed(0);
  return (
    `${availableParallelism()} processors (${processor}), ${gibibytes} GiB, Node.js ${process.versions.node}; ` +
    `the load runs on them, too. Load average over the minute before: ${load.toFixed(1)}.`
  );
}

function tableText({ bare, rows }: LoadTest): string {
  const line = (name: string, result: LoadResult) => {
    const { perSecond, medianMs, p99Ms, errors, saved, held, refused } = result;
    const ratings = saved + held + refused > 0 ? `${saved} saved, ${held} held, ${refused} refused` : "";
    const ratio = (perSecond / bare.perSecond).toPrecision(2);
    return `| ${name} | ${perSecond.toFixed(0)} | ${ratio} | ${medianMs} ms | ${p99Ms} ms | ${errors} | ${ratings} |`;
  };
  return [
    "| load | requests a second | share of a bare server's rate | median | p99 | errors | ratings |",
    "| --- | ---: | ---: | ---: | ---: | ---: | --- |",
    line("a bare `node:http` server, as many bytes as a post", bare),
    ...rows.map(({ name, alone }) => line(`${name}, alone`, alone)),
    ...rows.map(({ name, together }) => line(`${name}, all together`, together)),
  ].join("\n");
}

function summaryText({ score: { before, after, mean } }: LoadTest): string {
  return (
    `Ratings answered as saved or held: all in the database. The flooded post's score: ${before.toFixed(3)} before, ` +
    `${after.toFixed(3)} after; a mean of all ratings that were sent would be ${mean.toFixed(3)}.`
  );
}

function writeIntoDocument(text: string): void {
  const old = readFileSync(document, "utf8");
  const [from, to] = [old.indexOf(begin), old.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${document} has no place for the table.`);
  writeFileSync(document, `${old.slice(0, from + begin.length)}\n\n${text}\n\n${old.slice(to)}`);
}

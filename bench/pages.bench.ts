/**
 * A visitor's post page from memory, and pages with a session.
 *
 * The first beside the same page made anew for each request (by a cookie that only bypasses the copies), and beside a
 * bare `node:http` server that answers with as many bytes, at 64 connections. The others beside an empty dynamic page,
 * which is an app of its own that the framework serves alone. Default settings and log.
 */
import { join, resolve } from "node:path";
import { openDatabase } from "../db/index.ts";
import { buildApp } from "../scripts/build.mjs";
import { sessionCookie } from "../testing/session-cookie.ts";
import { inFolder } from "./databases.ts";
import { whileServingEmptyPage } from "./empty-page/serving.ts";
import { whileServing } from "./faults/serving.ts";
import { inTurns, medianOf, ratioOf, spreadOf } from "./measure.ts";
import { whileServingBytes } from "./nodes/bare.ts";
import { type LoadUser, startLoadClient } from "./nodes/load.ts";
import { fillBlog } from "./ordinary-blog.ts";
import type { PageLoad, PagesLoaded } from "./page-client.ts";
import type { Figure } from "./table.ts";
import { startWorker } from "./worker.ts";

export const title = "A visitor's post page from memory, at 64 connections, and pages with a session";

const rounds = 7;
const seconds = 2;
const connections = 64;
const raters = 32;
/** Readers beside the flood: as many as do not use up the server by themselves. */
const readers = 8;
/** So many that the code of pages is compiled before it is measured. */
const warmUpSeconds = 10;

export function run(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    await buildApp();
    const url = `file:${join(folder, "blog.db")}`;
    const slug = await fillBlog(url);
    const secret = crypto.randomUUID();
    const people = await ratersOf(url, secret, slug);
    const client = startWorker<PageLoad, PagesLoaded>(resolve("bench/page-client.ts"));
    const flood = startLoadClient();
    const path = `/posts/${slug}`;
    try {
      return await whileServing(
        url,
        async (origin) => {
          const visit = async (from: string, headers = {}) =>
            (await client.run({ origin: from, path, headers, connections, seconds })).perSecond;
          const { bytes } = await client.run({ origin, path, connections: 1, seconds: 0.1 });
          const speeds = await whileServingBytes(bytes, (bare) =>
            inTurns(rounds, {
              bare: () => visit(bare),
              copy: () => visit(origin),
              anew: () => visit(origin, { Cookie: "weir-browser=x" }),
            }),
          );
          const cookie = people[0]?.cookie ?? "";
          const rendered = await whileServingEmptyPage(folder, async (empty) => {
            const pages = {
              empty: { origin: empty, path: "/" },
              post: { origin, path, headers: { Cookie: cookie } },
              home: { origin, path: "/", headers: { Cookie: cookie } },
            };
            const load = (page: keyof typeof pages, duration = seconds) =>
              client.run({ ...pages[page], connections: readers, seconds: duration });
            for (const page of ["empty", "post", "home"] as const) await load(page, warmUpSeconds);
            return inTurns(rounds, {
              empty: async () => (await load("empty")).perSecond,
              post: async () => (await load("post")).perSecond,
              home: async () => (await load("home")).perSecond,
            });
          });
          const latencies: number[] = [];
          for (let round = 0; round < rounds; round += 1) {
            const flooding = flood.runAnyway({ origin, people, seconds: seconds + 1 });
            const { latencyMs } = await client.run({ origin, path, connections: readers, seconds });
            latencies.push(latencyMs.p99);
            await flooding;
          }
          return [
            {
              name: "from memory / made anew",
              value: ratioOf(speeds.copy, speeds.anew),
              target: { atLeast: 15 },
            },
            {
              name: "from memory / a bare server's answer",
              value: ratioOf(speeds.copy, speeds.bare),
              target: { atLeast: 0.5 },
            },
            {
              name: `p99 beside a flood of ratings on the post, ${raters} at a time`,
              value: spreadOf(latencies),
              unit: "ms",
              target: { below: 20 },
            },
            {
              name: "post with a session / an empty dynamic page",
              value: ratioOf(rendered.post, rendered.empty),
              target: { atLeast: 1 },
            },
            {
              name: "home with a session / an empty dynamic page",
              value: ratioOf(rendered.home, rendered.empty),
              target: { atLeast: 1 },
            },
            { name: "an empty dynamic page", value: medianOf(rendered.empty), unit: "/s" },
            { name: "from memory", value: medianOf(speeds.copy), unit: "/s" },
            { name: "made anew", value: medianOf(speeds.anew), unit: "/s" },
            { name: `a bare server's answer of ${bytes} bytes`, value: medianOf(speeds.bare), unit: "/s" },
          ];
        },
        { AUTH_SECRET: secret, LOG_LEVEL: "info" },
      );
    } finally {
      client.stop();
      flood.stop();
    }
  });
}

/** Users who change their rating of the post again and again. */
async function ratersOf(url: string, secret: string, slug: string): Promise<LoadUser[]> {
  const database = await openDatabase(url);
  try {
    const people: LoadUser[] = [];
    for (let id = 1; id <= raters; id += 1)
      people.push({
        cookie: await sessionCookie(database, secret, id),
        requests: [0, 5].map((score) => ({
          method: "PUT",
          path: `/api/posts/${slug}/rating`,
          body: JSON.stringify({ score }),
        })),
      });
    return people;
  } finally {
    await database.close();
  }
}

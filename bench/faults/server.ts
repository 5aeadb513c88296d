// Over 200 lines: one server, measured under one load after the other.

/** The built server's answers to others under loads that once stopped it. */
import { Agent, get } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { databaseFile } from "../../db/index.ts";
import { intricateText } from "../../testing/intricate-texts.ts";
import { registerAt } from "../../testing/registration.ts";
import { type Ratio, ratioOf, spreadOf } from "../measure.ts";
import { type LoadClient, type LoadUser, startLoadClient } from "../nodes/load.ts";
import { fillBlog } from "../ordinary-blog.ts";
import { whileServing } from "./serving.ts";

/** The slowest answers of `/healthz`, of the rounds. */
export interface SlowestAnswers {
  ms: Ratio;
  /** Beside those of the idle server just before, for about as long. */
  toIdle: Ratio;
}

export interface ServerFaults {
  locked: SlowestAnswers;
  intricate: SlowestAnswers;
  logIns: SlowestAnswers;
  /** The slowest page of a logged-in reader while the file was locked, in ms. */
  lockedPageMs: Ratio;
  /** Ratings sent while the file was locked, and those of them that were saved. */
  ratings: { sent: number; saved: number };
  /**
   * The number of pages without their content, of three requests.
   * Each has a header of the framework's own.
   */
  blankPages: number;
  /** CPU time of the server for a lab page, in milliseconds. */
  lab: { firstMs: number; againMs: number };
}

const rounds = 5;
const lockedMs = 3_000;
const logInsAtOnce = 240;
const pollMs = 5;
/** A session notes its use once in five minutes. */
const unusedMs = 600_000;
const reader = { username: "reader", password: crypto.randomUUID() };
const token = crypto.randomUUID();
/** All attempts come from one address, so its limits must not stop them. */
const limits = { "login.address": { capacity: 10_000 }, "login.account": { capacity: 10_000 } };
const settings = { LIMITS: JSON.stringify(limits), REGISTRATION_WAIT_SECONDS: "0", METRICS_TOKEN: token };

export async function serverFaults(folder: string): Promise<ServerFaults> {
  const url = `file:${join(folder, "served.db")}`;
  const slug = await fillBlog(url);
  const client = startLoadClient();
  const other = new Sqlite(databaseFile(url));
  try {
    return await whileServing(
      url,
      async (origin) => {
        const cookie = await registerAt(origin, reader);
        const blog = { origin, slug, cookie, client, other };
        await warmUp(blog);
        const { slowest: locked, pagesMs, saved } = await whileLocked(blog);
        return {
          locked,
          lockedPageMs: spreadOf(pagesMs),
          ratings: { sent: rounds, saved },
          intricate: await whileRendering(blog),
          logIns: await whileLoggingIn(blog),
          blankPages: await blankPages(blog),
          lab: await labCost(blog),
        };
      },
      settings,
    );
  } finally {
    other.close();
    client.stop();
  }
}

interface Blog {
  origin: string;
  slug: string;
  cookie: string;
  client: LoadClient;
  /** Another program's connection to the server's database. */
  other: Sqlite.Database;
}

/** A route's first request loads and compiles it. */
async function warmUp(blog: Blog): Promise<void> {
  await rate(blog, 9);
  await (await fetch(`${blog.origin}/account`, { headers: { Cookie: blog.cookie } })).text();
  await (await send(blog, "/api/session", { ...reader, password: "wrong" })).text();
  await (await send(blog, "/api/posts", { title: "", content: "" })).text();
}

async function whileLocked(blog: Blog) {
  const pagesMs: number[] = [];
  let saved = 0;
  const slowest = await inRounds(blog.origin, async (round) => {
    blog.other.prepare("update sessions set last_used_at = last_used_at - ?").run(unusedMs);
    blog.other.exec("begin immediate");
    const rating = rate(blog, round % 6);
    const startedAt = performance.now();
    const page = await fetch(`${blog.origin}/account`, { headers: { Cookie: blog.cookie } });
    if (!(await page.text()).includes(reader.username)) throw new Error("The page shows no account.");
    pagesMs.push(performance.now() - startedAt);
    await sleep(lockedMs);
    blog.other.exec("rollback");
    if ((await rating).ok) saved += 1;
  });
  return { slowest, pagesMs, saved };
}

function whileRendering(blog: Blog): Promise<SlowestAnswers> {
  const text = { title: "Intricate", content: intricateText() };
  return inRounds(blog.origin, async () => {
    const { status } = await send(blog, "/api/posts", text);
    if (status !== 422) throw new Error(`An intricate text was answered with ${status}.`);
  });
}

function whileLoggingIn({ origin, client }: Blog): Promise<SlowestAnswers> {
  const people = Array.from({ length: logInsAtOnce }, (_, number): LoadUser => {
    const body = JSON.stringify({ username: `user-${number}`, password: "a wrong guess of the benchmark" });
    return { requests: [{ method: "POST", path: "/api/session", body }] };
  });
  return inRounds(origin, async () => {
    const { answers } = await client.runAnyway({ origin, people });
    const unexpected = Object.keys(answers).filter((status) => !["401", "503"].includes(status));
    if (unexpected.length > 0) throw new Error(`Log-ins were answered with ${unexpected}.`);
  });
}

async function blankPages({ origin, slug }: Blog): Promise<number> {
  const pages = ["/", `/posts/${slug}`, "/how-scores-work"].map(async (path) => {
    const answer = await fetch(origin + path, { headers: { "x-middleware-prefetch": "1" } });
    return (await answer.text()).includes("</h1>");
  });
  return (await Promise.all(pages)).filter((hasContent) => !hasContent).length;
}

async function labCost({ origin }: Blog): Promise<{ firstMs: number; againMs: number }> {
  const times = 10;
  const view = async (path: string) => {
    const answer = await fetch(origin + path);
    await answer.text();
    if (!answer.ok) throw new Error(`The lab was answered with ${answer.status}.`);
  };
  const cpuMs = async () => {
    const answer = await fetch(`${origin}/metrics`, { headers: { Authorization: `Bearer ${token}` } });
    const seconds = /^process_cpu_seconds_total(?:\{.*\})? (\S+)/m.exec(await answer.text())?.[1];
    return 1_000 * Number(seconds);
  };
  const cost = async (path: (number: number) => string) => {
    const before = await cpuMs();
    for (let number = 1; number <= times; number += 1) await view(path(number));
    return ((await cpuMs()) - before) / times;
  };
  await view("/lab");
  return {
    firstMs: await cost((number) => `/lab?EMA_THRESHOLD=${10 + number}`),
    againMs: await cost(() => "/lab?EMA_THRESHOLD=11"),
  };
}

function send({ origin, cookie }: Blog, path: string, data: unknown, method = "POST"): Promise<Response> {
  const headers = { "Content-Type": "application/json", Cookie: cookie };
  return fetch(origin + path, { method, headers, body: JSON.stringify(data) });
}

/** Rates the post, or changes the reader's rating. */
async function rate(blog: Blog, score: number): Promise<Response> {
  const path = `/api/posts/${blog.slug}/rating`;
  const created = await send(blog, path, { score });
  return created.status === 409 ? send(blog, path, { score }, "PUT") : created;
}

/** The slowest answers while `work` runs, and just before for as long. */
async function inRounds(origin: string, work: (round: number) => Promise<unknown>): Promise<SlowestAnswers> {
  const idle: number[] = [];
  const loaded: number[] = [];
  let workMs = 1_000;
  for (let round = 1; round <= rounds; round += 1) {
    idle.push(await slowestWhile(origin, () => sleep(workMs)));
    const startedAt = performance.now();
    loaded.push(await slowestWhile(origin, () => work(round)));
    workMs = performance.now() - startedAt;
  }
  return { ms: spreadOf(loaded), toIdle: ratioOf(loaded, idle) };
}

/** The slowest answer of `/healthz`, in milliseconds. Throws when one is not a 200. */
async function slowestWhile(origin: string, work: () => Promise<unknown>): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let isOver = false;
  const working = work().finally(() => {
    isOver = true;
  });
  let ms = 0;
  while (!isOver) {
    const startedAt = performance.now();
    const status = await statusOf(`${origin}/healthz`, agent);
    if (status !== 200) throw new Error(`/healthz was answered with ${status}.`);
    ms = Math.max(ms, performance.now() - startedAt);
    await sleep(pollMs);
  }
  agent.destroy();
  await working;
  return ms;
}

/**
 * The status of a fully read answer.
 * It does not use `fetch`, which takes part of the measured time.
 */
function statusOf(url: string, agent: Agent): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  get(url, { agent }, (answer) => {
    answer
      .on("end", () => resolve(answer.statusCode))
      .on("error", reject)
      .resume();
  }).on("error", reject);
  return promise;
}

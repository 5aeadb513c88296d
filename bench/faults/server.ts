/** The slowest answer of the built server's `/healthz` under loads that stopped it. */
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { databaseFile } from "../../db/index.ts";
import { intricateText } from "../../testing/intricate-texts.ts";
import { registerAt } from "../../testing/registration.ts";
import { fillBlog } from "../ordinary-blog.ts";
import { whileServing } from "./serving.ts";

export interface SlowestAnswers {
  /** In milliseconds, without load. */
  idle: number;
  locked: number;
  intricate: number;
  logIns: number;
  /** The rating that was sent while the file was locked was saved. */
  isSaved: boolean;
}

const lockedMs = 3_000;
const logInsAtOnce = 240;
const pollMs = 5;
const reader = { username: "reader", password: crypto.randomUUID() };
/** All attempts come from one address, so its limits must not stop them. */
const limits = { "login.address": { capacity: 10_000 }, "login.account": { capacity: 10_000 } };

export async function slowestAnswers(folder: string): Promise<SlowestAnswers> {
  const url = `file:${join(folder, "served.db")}`;
  const slug = await fillBlog(url);
  return whileServing(
    url,
    async (origin) => {
      const headers = { "Content-Type": "application/json", Cookie: await registerAt(origin, reader) };
      const send = (path: string, data: unknown) =>
        fetch(origin + path, { method: "POST", headers, body: JSON.stringify(data) });
      const slowest = <T>(work: () => Promise<T>) => slowestWhile(origin, work);
      await send(`/api/posts/${slug}/rating`, { score: 9 }); // the first request loads the route
      const idle = await slowest(() => later(1_000));

      const other = new Sqlite(databaseFile(url));
      other.exec("begin immediate");
      const rating = send(`/api/posts/${slug}/rating`, { score: 4 });
      const locked = await slowest(() => later(lockedMs));
      other.close();
      const isSaved = (await rating).status === 201;

      const text = { title: "Intricate", content: intricateText() };
      const intricate = await slowest(async () => {
        const { status } = await send("/api/posts", text);
        if (status !== 422) throw new Error(`An intricate text was answered with ${status}.`);
      });
      const attempts = Array.from({ length: logInsAtOnce }, (_, number) => ({
        username: `user-${number}`,
        password: "a wrong guess of the benchmark",
      }));
      const logIns = await slowest(() =>
        Promise.all(attempts.map(async (attempt) => (await send("/api/session", attempt)).arrayBuffer())),
      );
      return { idle: idle.ms, locked: locked.ms, intricate: intricate.ms, logIns: logIns.ms, isSaved };
    },
    { LIMITS: JSON.stringify(limits), REGISTRATION_WAIT_SECONDS: "0" },
  );
}

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The slowest answer while `work` runs. Throws when one is not a 200. */
async function slowestWhile<T>(origin: string, work: () => Promise<T>): Promise<{ ms: number }> {
  let isOver = false;
  const working = work().finally(() => {
    isOver = true;
  });
  let ms = 0;
  while (!isOver) {
    const startedAt = performance.now();
    const answer = await fetch(`${origin}/healthz`);
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`/healthz was answered with ${answer.status}.`);
    ms = Math.max(ms, performance.now() - startedAt);
    await later(pollMs);
  }
  await working;
  return { ms };
}

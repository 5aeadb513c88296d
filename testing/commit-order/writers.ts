/** Processes that change one blog at once, killed and replaced again and again. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { seededRandom } from "../../lib/random/seeded-random.ts";
import { type Child, runChild } from "../child-process.ts";
import { morning } from "../content.ts";
import type { Cast } from "./blog.ts";

const writer = join(import.meta.dirname, "writer.ts");
const writersAtOnce = 8;
const pollMs = 20;

/** An answered operation: name, outcome, and time by the writer's clock. */
export type OperationAnswer = readonly [id: string, outcome: string, time: number];

export interface Writing {
  url: string;
  cast: Cast;
  seed: number;
  /** So many operations are answered. */
  operations: number;
  /** So many writers are killed before the last eight. */
  kills: number;
  /** Called after each of these. */
  afterKill(): Promise<void>;
}

/**
 * Resolves to the answers once all writers have ended.
 * Rejects when one ended by itself.
 */
export async function write({
  url,
  cast,
  seed,
  operations,
  kills,
  afterKill,
}: Writing): Promise<OperationAnswer[]> {
  const random = seededRandom(seed);
  const all: Child[] = [];
  let running: Child[] = [];
  const answered = () => all.reduce((sum, { lines }) => sum + lines.length, 0);
  const failed = Promise.withResolvers<never>();
  const answers = () => all.flatMap(({ lines }) => lines.map((line): OperationAnswer => JSON.parse(line)));
  const start = () => {
    const time = Math.max(morning, ...answers().map(([, , time]) => time));
    const name = `writer-${all.length + 1}`;
    const args = [url, name, seed, 1_000 * seed + all.length, time, JSON.stringify(cast)];
    const child = runChild(writer, args.map(String));
    child.ended.catch(failed.reject);
    all.push(child);
    running.push(child);
  };
  const kill = async (child: Child) => {
    running = running.filter((other) => other !== child);
    child.kill("SIGKILL");
    await child.ended;
  };
  const killAll = () => Promise.all(running.map(kill));
  onTestFinished(async () => void (await killAll()));

  for (let count = 0; count < writersAtOnce; count += 1) start();
  for (let killed = 0; killed <= kills; killed += 1) {
    const enough = (operations * (killed + 1)) / (kills + 1);
    while (answered() < enough) await Promise.race([sleep(pollMs), failed.promise]);
    if (killed === kills) break;
    const [victim] = running.slice(Math.floor(random() * running.length));
    if (victim) await kill(victim);
    start();
    await afterKill();
  }
  await killAll();
  return answers();
}

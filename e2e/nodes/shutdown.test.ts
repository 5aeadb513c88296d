/** A node is killed, stopped or restarted while the others run. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { errorCode } from "../../db/error-code.ts";
import { type Cluster, startCluster } from "../../scripts/cluster/cluster.ts";
import { postPath } from "../people.ts";
import { type Blog, newBlog, rate, type Saved } from "./blog.ts";
import { figure } from "./figures.ts";
import { hiddenFields, sendForm } from "./forms.ts";
import { newClient } from "./http-client.ts";
import { startLoad } from "./load.ts";

const raterCount = 60;
let cluster: Cluster;
let blog: Blog;

beforeAll(async () => {
  cluster = await startCluster({
    settings: {
      LOG_LEVEL: "warn",
      LIMITS: JSON.stringify({
        "rating.post": { mode: "off" },
        "rating.user": { mode: "off" },
        "rating.change": { mode: "off" },
      }),
    },
  });
  blog = await newBlog(cluster.settings, raterCount);
});
// A failed test may leave a node ended.
beforeEach(async () => {
  for (const node of cluster.nodes) if (!node.isRunning) await node.start();
});
afterAll(async () => {
  await blog?.close();
  await cluster?.stop();
});

/** A rater and post for each turn: every user rates each post once. */
function ratings() {
  const slugs: Promise<string>[] = [];
  return async (turn: number) => {
    const index = Math.floor(turn / raterCount);
    slugs[index] ??= blog.newPost();
    const rater = blog.raters[turn % raterCount];
    if (!rater) throw new Error("There are no raters");
    return { rater, slug: await slugs[index], score: turn % 6 };
  };
}

test("a node killed with -9 under load loses no acknowledged rating, and the other keeps answering", async () => {
  const client = newClient();
  const pick = ratings();
  const saved: Saved[] = [];
  const statuses = new Set<number>();
  const [killed, other] = cluster.nodes;
  const load = startLoad(12, async (turn) => {
    const { rater, slug, score } = await pick(turn);
    // Every third goes past nginx, to the one that stays: it must answer each.
    if (turn % 3 === 0) {
      const { status } = await rate(client, other?.origin ?? "", rater, slug, score);
      expect(status).toBe(201);
      saved.push({ slug, userId: rater.id, score });
      return;
    }
    try {
      const { status } = await rate(client, cluster.origin, rater, slug, score);
      if (status === 201) saved.push({ slug, userId: rater.id, score });
      statuses.add(status);
    } catch (error) {
      // nginx ends the connection when the node is killed in the middle of its answer.
      if (errorCode(error) !== "ECONNRESET") throw error;
    }
  });
  for (let kill = 0; kill < 2; kill += 1) {
    await load.turns(60);
    await killed?.kill9();
    await load.turns(60);
    await killed?.start();
  }
  await load.turns(60);
  await load.stop();
  client.close();
  // The requests that the killed node may or may not have saved.
  statuses.delete(502);
  expect([...statuses]).toEqual([201]);
  expect(saved.length).toBeGreaterThan(200);
  expect(await blog.faults(saved)).toEqual([]);
});

test("a node that is stopped answers every request that reaches it, and nginx loses none", async () => {
  const pick = ratings();
  const saved: Saved[] = [];
  const [stopped, other] = cluster.nodes;
  if (!stopped || !other) throw new Error("There are two nodes");
  let refused = 0;
  const direct = newClient();
  const proxied = newClient();
  const load = startLoad(12, async (turn) => {
    const { rater, slug, score } = await pick(turn);
    const isDirect = turn % 2 === 0;
    try {
      const origin = isDirect ? stopped.origin : cluster.origin;
      const { status } = await rate(isDirect ? direct : proxied, origin, rater, slug, score);
      expect(status).toBe(201);
      saved.push({ slug, userId: rater.id, score });
    } catch (error) {
      // A connection that the node does not take any more has carried nothing.
      if (!isDirect || !isRefused(error)) throw error;
      refused += 1;
    }
  });
  await load.turns(60);
  const startedAt = performance.now();
  const ended = stopped.terminate();
  const states: string[] = [];
  while (states.at(-1) !== "refused") states.push(await readiness(stopped.origin));
  const refusedAfterMs = performance.now() - startedAt;
  const code = await ended;
  const tookMs = performance.now() - startedAt;
  await load.turns(60);
  await load.stop();
  direct.close();
  proxied.close();
  figure(`stopped after ${Math.round(tookMs)} ms, ${saved.length} ratings, ${refused} connections refused`);
  expect(code).toBe(143);
  // For long enough that nginx notices it reports that it stops, until it refuses connections.
  expect(states).toContain("stopping");
  expect(refusedAfterMs).toBeGreaterThan(3_990);
  const afterwards = states.slice(states.indexOf("stopping"));
  expect(afterwards.filter((state) => state !== "stopping")).toEqual(["refused"]);
  expect(refused).toBeGreaterThan(0);
  expect(await blog.faults(saved)).toEqual([]);
  await stopped.start();
});

test("a node that starts answers every request from the first moment on", async () => {
  const pick = ratings();
  const client = newClient();
  const answers = new Set<string>();
  const [node] = cluster.nodes;
  await node?.kill9();
  const load = startLoad(8, async (turn) => {
    const { rater, slug, score } = await pick(turn);
    try {
      const { status, body } = await rate(client, node?.origin ?? "", rater, slug, score);
      answers.add(status === 201 ? "201" : `${status} ${body}`);
    } catch (error) {
      if (!isRefused(error)) throw error;
    }
  });
  await node?.start();
  await load.turns(60);
  await load.stop();
  client.close();
  expect([...answers]).toEqual(["201"]);
});

test("one node after the other restarts under constant form posts, and none is lost", async () => {
  const client = newClient();
  const pick = ratings();
  const saved: Saved[] = [];
  const faults: string[] = [];
  const load = startLoad(6, async (turn) => {
    const { rater, slug, score } = await pick(turn);
    const path = postPath(slug);
    const page = await client.send(cluster.origin + path, { headers: { Cookie: rater.cookie } });
    if (page.status !== 200) {
      faults.push(`GET ${path}: ${page.status}`);
      return;
    }
    const fields = hiddenFields(page.body, 'name="score"');
    const answer = await sendForm(client, cluster.origin, path, rater.cookie, [
      ...fields,
      ["score", `${score}`],
    ]);
    if (answer.status !== 303 || !/[?&]rating=(?:counted|slow)\b/.test(answer.headers.location ?? ""))
      faults.push(`POST ${path}: ${answer.status} ${answer.headers.location}`);
    else saved.push({ slug, userId: rater.id, score });
  });
  await load.turns(20);
  for (const node of cluster.nodes) {
    expect(await node.terminate()).toBe(143);
    await node.start();
  }
  await load.turns(20);
  await load.stop();
  client.close();
  figure(`${saved.length} forms`);
  expect(faults).toEqual([]);
  expect(saved.length).toBeGreaterThan(40);
  expect(await blog.faults(saved)).toEqual([]);
});

/**
 * Whether a connection was refused, or reset before it was open.
 * Such a connection has carried no data. The kernel resets connections that the node has not accepted when it stops
 * listening. Fetch gives the reason as the cause of its error.
 */
function isRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("syscall" in error && error.syscall === "connect") || isRefused(error.cause);
}

/**
 * A node's report on a new connection: "ready", "not ready" or "stopping".
 * "refused" when it takes no more.
 */
async function readiness(origin: string): Promise<string> {
  try {
    const response = await fetch(`${origin}/readyz`, { headers: { Connection: "close" } });
    const { status }: { status: string } = await response.json();
    return status;
  } catch (error) {
    if (isRefused(error)) return "refused";
    throw error;
  }
}

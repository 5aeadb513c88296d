/** A built cluster for the load, with people and posts in its database. */
import { openDatabase } from "../../db/index.ts";
import { createGuard } from "../../lib/limits/guard.ts";
import { limitsFrom } from "../../lib/limits/index.ts";
import { createRenderer } from "../../lib/markdown/index.ts";
import { createPost } from "../../lib/posts/index.ts";
import { parseSettings } from "../../lib/settings/env.ts";
import { buildApp } from "../../scripts/build.mjs";
import { type Cluster, type NodeSettings, startCluster } from "../../scripts/cluster/cluster.ts";
import { sessionCookie } from "../../testing/session-cookie.ts";
import { morning } from "../databases.ts";
import { content } from "../ordinary-blog.ts";
import { addUsers, connect } from "./databases.ts";

/** Limits that are checked and refuse no request. */
const wideLimits = {
  LEAKY_BUCKET_CAPACITY: "1000000",
  LIMITS:
    '{"rating.user": {"capacity": 1000000}, "rating.change": {"capacity": 1000000}, "post.user": {"mode": "off"}, "post.render": {"mode": "off"}}',
};

export interface Blog {
  cluster: Cluster;
  /** The posts' slugs. */
  slugs: readonly string[];
  /** The cookie of a session of the user with this number, from 1 on. */
  cookieOf(userId: number): Promise<string>;
}

/**
 * Gives `work` a cluster with these numbers of nodes, users and posts.
 * It has ended when this returns.
 */
export async function withBlog<T>(
  {
    nodes,
    users,
    posts,
    settings = {},
  }: { nodes: number; users: number; posts: number; settings?: NodeSettings },
  work: (blog: Blog) => Promise<T>,
): Promise<T> {
  await buildApp();
  const quiet = { LOG_LEVEL: "warn", ...wideLimits, ...settings };
  const cluster = await startCluster({ nodeCount: nodes, settings: quiet });
  try {
    const { DATABASE_URL: url = "", AUTH_SECRET: secret = "" } = cluster.settings;
    const slugs = await fill(url, users, posts);
    const database = await openDatabase(url);
    try {
      return await work({ cluster, slugs, cookieOf: (userId) => sessionCookie(database, secret, userId) });
    } finally {
      await database.close();
    }
  } finally {
    await cluster.stop();
  }
}

async function fill(url: string, users: number, posts: number): Promise<string[]> {
  const sql = connect(url);
  await addUsers(sql, users);
  const database = await openDatabase(url);
  const context = {
    database,
    limits: limitsFrom(parseSettings(wideLimits)),
    guard: createGuard({ database }),
    renderer: createRenderer(),
    whoMayWrite: "anyone" as const,
  };
  const slugs: string[] = [];
  for (let number = 1; number <= posts; number += 1) {
    const user = { id: 1, username: "user-00000001", isAdministrator: false, isModerator: false };
    const input = { title: `What the keeper of weir number ${number} wrote down`, content };
    const now = morning + number * 60_000;
    const outcome = await createPost(context, { user, address: "192.0.2.1", input, now });
    if (outcome.kind !== "created") throw new Error(`The post was not created: ${outcome.kind}`);
    slugs.push(outcome.slug);
  }
  await sql`vacuum analyze`;
  await Promise.all([database.close(), sql.end()]);
  return slugs;
}

/** People, posts and limits for tests, made through the app's own functions. */
import type { Database, NewUser } from "../db/index.ts";
import { createGuard, type GuardSettings } from "../lib/limits/guard.ts";
import { type Limits, limitsFrom } from "../lib/limits/index.ts";
import { createRenderer } from "../lib/markdown/index.ts";
import { createPost } from "../lib/posts/index.ts";
import { scoringDefaults } from "../lib/ratings/tally/tally.ts";
import { sessionLifetimesFrom } from "../lib/sessions/lifetimes.ts";
import { parseSettings } from "../lib/settings/env.ts";
import type { WhoMayWrite } from "../lib/site/schema.ts";
import type { User } from "../lib/users/index.ts";
import type { RegistrationSettings } from "../lib/users/register.ts";
import { comparisonKey } from "../lib/users/schema.ts";
import { registrationFrom } from "../lib/users/settings.ts";
import { skeletonsOf } from "../lib/users/usernames.ts";
import { quickChallenge } from "./registration.ts";

/** A morning in 2026, for tests that need a time and do not care which. */
export const morning = Date.UTC(2026, 2, 1, 9);

/** One renderer for all tests of a process: its thread takes a while to start. */
const renderer = createRenderer();

/** The limits that an environment sets; with none, those the app ships with. */
export function limitsWith(environment: Record<string, string> = {}): Limits {
  return limitsFrom(parseSettings(environment));
}

/**
 * The context of posts, ratings and accounts.
 * The guard's clock is frozen unless `guard` sets another.
 */
export function contextOf<Opened extends Database>(
  database: Opened,
  limits: Limits = limitsWith(),
  guard: Omit<Partial<GuardSettings>, "database"> = {},
) {
  const mode: RegistrationSettings["mode"] = "open";
  const secret = () => "a secret of the tests only";
  const registration = { ...registrationFrom(parseSettings(quickChallenge), secret), mode };
  const whoMayWrite: WhoMayWrite = "anyone";
  return {
    database,
    limits,
    registration,
    whoMayWrite,
    scoring: scoringDefaults,
    secondFactorKey: () => Buffer.alloc(32, "a key of the tests only"),
    browserSecret: () => "another secret of the tests only",
    exportKey: () => Buffer.alloc(32, "a third key of the tests only"),
    sessionLifetimes: sessionLifetimesFrom(parseSettings({})),
    guard: createGuard({ clock: () => 0, ...guard, database }),
    renderer,
  };
}

/** Adds a user without a password: it cannot log in, and nothing needs hashing. */
export async function addUser(
  database: Database,
  username: string,
  {
    isAdministrator = false,
    isModerator = false,
    createdAt = morning,
    ...pending
  }: Partial<Pick<NewUser, "isAdministrator" | "createdAt" | "pendingSince" | "pendingNetwork">> & {
    isModerator?: boolean;
  } = {},
): Promise<User> {
  const usernameKey = comparisonKey(username);
  const email = `${usernameKey}@example.org`;
  const id = await database.transaction(() =>
    database.users.insert({
      username,
      usernameKey,
      ...skeletonsOf(username),
      email,
      emailKey: email,
      passwordHash: "none",
      isAdministrator,
      createdAt,
      ...pending,
    }),
  );
  if (isModerator) await database.transaction(() => database.users.setModerator(id, true));
  return { id, username, isAdministrator, isModerator };
}

/** Adds users named `user-1` and so on, not administrators. */
export async function addUsers(database: Database, count: number): Promise<User[]> {
  const users: User[] = [];
  for (let number = 1; number <= count; number += 1) users.push(await addUser(database, `user-${number}`));
  return users;
}

/** Publishes a post and returns its slug and number. Throws when it is refused. */
export async function addPost(
  database: Database,
  user: User,
  { title = "A post", content = "Some words.", now = morning, limits = limitsWith() } = {},
): Promise<{ id: number; slug: string }> {
  const request = { user, address: "192.0.2.1", input: { title, content }, now };
  const outcome = await createPost(contextOf(database, limits), request);
  if (outcome.kind !== "created") throw new Error(`The post was not created: ${JSON.stringify(outcome)}`);
  return { id: await postId(database, outcome.slug), slug: outcome.slug };
}

/** The number of the post with this slug. Throws when there is none. */
export async function postId(database: Database, slug: string): Promise<number> {
  const post = await database.posts.idOf(slug);
  if (!post) throw new Error(`There is no post ${slug}.`);
  return post.id;
}

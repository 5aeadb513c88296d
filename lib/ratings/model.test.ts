import fc from "fast-check";
import { expect, test } from "vitest";
import { queryRunner } from "../../db/dialects/sqlite/check.ts";
import { countersThatDisagree } from "../../db/recount.ts";
import { addPost, addUser, contextOf, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { integrityFaults } from "../../testing/integrity.ts";
import { deletePost, listPosts } from "../posts/index.ts";
import { removeAll } from "../removals/index.ts";
import type { User } from "../users/index.ts";
import { createRating, updateRating, withdrawRating } from "./index.ts";

const slots = 4;
const slot = fc.nat({ max: slots - 1 });
const score = fc.integer({ min: 0, max: 5 });
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ act: fc.constant("create" as const), user: slot, post: slot, score }) },
  { weight: 5, arbitrary: fc.record({ act: fc.constant("update" as const), user: slot, post: slot, score }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant("withdraw" as const), user: slot, post: slot }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("delete post" as const), post: slot }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("delete user" as const), user: slot }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/**
 * Four users and four posts, each user the author of one.
 * A new user replaces each deleted one.
 */
async function world() {
  const database = temporaryDatabase();
  const context = contextOf(database, limitsWith({ LEAKY_BUCKET_CAPACITY: "5" }));
  let now = morning;
  let made = 0;
  const newUser = () => addUser(database, `user-${++made}`);
  const newPost = (author: User) => {
    now += 10_000_000;
    return addPost(database, author, { now });
  };
  const users = await Promise.all(Array.from({ length: slots }, newUser));
  const posts = await Promise.all(users.map(newPost));
  /** The ratings that should be there: score by post number and user number. */
  const model = new Map<number, Map<number, number>>(posts.map(({ id }) => [id, new Map()]));

  async function take(step: Step): Promise<void> {
    now += 50;
    switch (step.act) {
      case "create":
      case "update": {
        const [user, { id, slug }] = [inSlot(users, step.user), inSlot(posts, step.post)];
        const rated = model.get(id);
        const act = step.act === "create" ? createRating : updateRating;
        const request = { slug, user, address: "192.0.2.1", input: { score: step.score }, now };
        const { kind } = await act(context, request);
        const exists = rated?.has(user.id);
        if (step.act === "create" && exists) expect(kind).toBe("already-rated");
        else if (step.act === "update" && !exists) expect(kind).toBe("not-rated");
        else expect(["saved", "limited"]).toContain(kind);
        if (kind === "saved") rated?.set(user.id, step.score);
        return;
      }
      case "withdraw": {
        const [user, { id, slug }] = [inSlot(users, step.user), inSlot(posts, step.post)];
        const { kind } = await withdrawRating(context, { slug, userId: user.id, now });
        expect(kind).toBe(model.get(id)?.delete(user.id) ? "withdrawn" : "not-rated");
        return;
      }
      case "delete post": {
        const [author, { slug }] = [inSlot(users, step.post), inSlot(posts, step.post)];
        expect((await deletePost(context, { user: author, slug, now })).kind).toBe("deleted");
        await replacePost(step.post, author);
        return;
      }
      case "delete user": {
        const user = inSlot(users, step.user);
        await database.transaction(() => database.users.markDeleted(user.id, now));
        await removeAll(context, () => now, { pauseMs: 0 });
        for (const ratings of model.values()) ratings.delete(user.id);
        const successor = await newUser();
        users[step.user] = successor;
        await replacePost(step.user, successor);
      }
    }
  }

  async function replacePost(index: number, author: User): Promise<void> {
    model.delete(inSlot(posts, index).id);
    const post = await newPost(author);
    posts[index] = post;
    model.set(post.id, new Map());
  }

  async function check(): Promise<void> {
    expect(await countersThatDisagree(queryRunner(database.sqlite))).toEqual([]);
    const listed = (await listPosts({ database }, { sort: "newest", limit: 50 }))?.items ?? [];
    const expected = [...model].map(([id, ratings]) => {
      const counts = [0, 1, 2, 3, 4, 5].map((star) => [...ratings.values()].filter((s) => s === star).length);
      return { id, counts };
    });
    expect(listed.map(({ id, counts }) => ({ id, counts }))).toEqual(
      expected.toSorted((a, b) => b.id - a.id),
    );
  }

  return { database, take, check };
}

function inSlot<T>(all: readonly T[], index: number): T {
  const one = all[index];
  if (one === undefined) throw new Error(`The slot ${index} is empty.`);
  return one;
}

test("counters equal a model and a recount after random creates, updates, withdrawals and deletions", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      const { database, take, check } = await world();
      for (const step of steps) {
        await take(step);
        await check();
      }
      expect(await integrityFaults(database)).toEqual([]);
    }),
    { numRuns: 10, seed: 1 },
  );
});

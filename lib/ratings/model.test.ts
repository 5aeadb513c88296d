import fc from "fast-check";
import { expect, test } from "vitest";
import { addPost, addUser, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { countersThatDisagree, integrityFaults } from "../../testing/integrity.ts";
import { deletePost, listPosts } from "../posts/index.ts";
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

/** Four users and four posts, each user the author of one; whoever is deleted is followed by somebody new. */
function world() {
  const database = temporaryDatabase();
  const limits = limitsWith({ LEAKY_BUCKET_CAPACITY: "5" });
  let now = morning;
  let made = 0;
  const newUser = () => addUser(database, `user-${++made}`);
  const newPost = (author: number) => {
    now += 10_000_000;
    return addPost(database, users[author] ?? newUser(), { now });
  };
  const users = Array.from({ length: slots }, newUser);
  const posts = users.map((_, author) => newPost(author));
  /** The ratings that should be there: score by post number and user number. */
  const model = new Map<number, Map<number, number>>(posts.map(({ id }) => [id, new Map()]));

  function take(step: Step): void {
    now += 50;
    const user = "user" in step ? users[step.user] : undefined;
    const post = "post" in step ? posts[step.post] : undefined;
    const rated = post && model.get(post.id);
    const request = { slug: post?.slug ?? "", userId: user?.id ?? 0, address: "192.0.2.1", now };
    switch (step.act) {
      case "create":
      case "update": {
        const act = step.act === "create" ? createRating : updateRating;
        const { kind } = act({ database, limits }, { ...request, input: { score: step.score } });
        const exists = rated?.has(request.userId);
        if (step.act === "create" && exists) expect(kind).toBe("already-rated");
        else if (step.act === "update" && !exists) expect(kind).toBe("not-rated");
        else expect(["saved", "limited"]).toContain(kind);
        if (kind === "saved") rated?.set(request.userId, step.score);
        return;
      }
      case "withdraw": {
        const { kind } = withdrawRating({ database }, request);
        expect(kind).toBe(rated?.delete(request.userId) ? "withdrawn" : "not-rated");
        return;
      }
      case "delete post": {
        const author = users[step.post];
        if (!author || !post) return;
        expect(deletePost({ database }, { user: author, slug: post.slug }).kind).toBe("deleted");
        replacePost(step.post, post.id);
        return;
      }
      case "delete user": {
        if (!user) return;
        database.transaction(() => database.users.remove(user.id));
        for (const ratings of model.values()) ratings.delete(user.id);
        users[step.user] = newUser();
        replacePost(step.user, posts[step.user]?.id ?? 0);
      }
    }
  }

  function replacePost(index: number, id: number): void {
    model.delete(id);
    const post = newPost(index);
    posts[index] = post;
    model.set(post.id, new Map());
  }

  function check(): void {
    expect(countersThatDisagree(database)).toEqual([]);
    const listed = listPosts({ database }, { sort: "newest", limit: 50 })?.items ?? [];
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

test("After any creates, updates, withdrawals and deletions the counters are what a model and a recount say", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) => {
      const { database, take, check } = world();
      for (const step of steps) {
        take(step);
        check();
      }
      expect(integrityFaults(database)).toEqual([]);
    }),
    { numRuns: 10, seed: 1 },
  );
}, 120_000);

import fc from "fast-check";
import { expect, test } from "vitest";
import { queryRunner } from "../../db/dialects/sqlite/check.ts";
import { countersThatDisagree } from "../../db/recount.ts";
import { addPost, addUser, contextOf, limitsWith, morning, postId } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { integrityFaults } from "../../testing/integrity.ts";
import { decideOnPost } from "../posts/administration.ts";
import { createPost, deletePost, listPosts, updatePost } from "../posts/index.ts";
import { publishDue } from "../posts/publishing.ts";
import { removeAll } from "../removals/index.ts";
import { hourMs } from "../time/units.ts";
import type { User } from "../users/index.ts";
import { createRating, updateRating, withdrawRating } from "./index.ts";

const address = "192.0.2.1";
const slots = 4;
const slot = fc.nat({ max: slots - 1 });
const score = fc.integer({ min: 0, max: 5 });
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ act: fc.constant("create" as const), user: slot, post: slot, score }) },
  { weight: 5, arbitrary: fc.record({ act: fc.constant("update" as const), user: slot, post: slot, score }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant("withdraw" as const), user: slot, post: slot }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("delete post" as const), post: slot }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("delete user" as const), user: slot }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("unpublish or publish" as const), post: slot }) },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant("begin draft" as const), post: slot, isScheduled: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("publish draft" as const), post: slot }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("publish due drafts" as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/**
 * A post as it should be.
 * With its time of publication, and its scores by user number.
 */
interface ModelPost {
  state: "published" | "unpublished" | "draft" | "scheduled";
  at: number;
  ratings: Map<number, number>;
}

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
  const keeper = await addUser(database, "keeper", { isAdministrator: true });
  /** The posts that should be there, by their numbers. */
  const model = new Map<number, ModelPost>(
    posts.map(({ id }, index) => [id, published(morning + (index + 1) * 10_000_000)]),
  );
  const modelOf = ({ id }: { id: number }) => model.get(id) ?? expect.fail(`The post ${id} is there.`);

  async function take(step: Step): Promise<void> {
    now += 50;
    switch (step.act) {
      case "create":
      case "update": {
        const [user, { id, slug }] = [inSlot(users, step.user), inSlot(posts, step.post)];
        const { state, ratings } = modelOf({ id });
        const act = step.act === "create" ? createRating : updateRating;
        const request = { slug, user, address, input: { score: step.score }, now };
        const { kind } = await act(context, request);
        const exists = ratings.has(user.id);
        if (state !== "published") expect(kind).toBe("no-such-post");
        else if (step.act === "create" && exists) expect(kind).toBe("already-rated");
        else if (step.act === "update" && !exists) expect(kind).toBe("not-rated");
        else expect(["saved", "limited"]).toContain(kind);
        if (kind === "saved") ratings.set(user.id, step.score);
        return;
      }
      case "withdraw": {
        const [user, { id, slug }] = [inSlot(users, step.user), inSlot(posts, step.post)];
        const { kind } = await withdrawRating(context, { slug, userId: user.id, now });
        const { state, ratings } = modelOf({ id });
        const none = state === "published" ? "not-rated" : "no-such-post";
        expect(kind).toBe(ratings.delete(user.id) ? "withdrawn" : none);
        return;
      }
      case "delete post": {
        const [author, { slug }] = [inSlot(users, step.post), inSlot(posts, step.post)];
        expect((await deletePost(context, { user: author, slug, now })).kind).toBe("deleted");
        await replacePost(step.post, author);
        return;
      }
      case "unpublish or publish": {
        const { id, slug } = inSlot(posts, step.post);
        const post = modelOf({ id });
        const isPublic = post.state === "published";
        const input = { decision: isPublic ? "unpublish" : "publish", why: "A test." };
        const { kind } = await decideOnPost(context, { actor: keeper, slug, input, now });
        if (post.state === "draft" || post.state === "scheduled") return expect(kind).toBe("no-such-post");
        expect(kind).toBe("done");
        post.state = isPublic ? "unpublished" : "published";
        return;
      }
      case "begin draft": {
        const [author, { id, slug: former }] = [inSlot(users, step.post), inSlot(posts, step.post)];
        expect((await deletePost(context, { user: author, slug: former, now })).kind).toBe("deleted");
        model.delete(id);
        now += 10_000_000;
        const at = now + hourMs;
        const option = step.isScheduled ? { publishAt: new Date(at).toISOString() } : { draft: true };
        const input = { title: "A draft", content: "Some words.", ...option };
        const outcome = await createPost(contextOf(database), { user: author, address, input, now });
        const slug = outcome.kind === "created" ? outcome.slug : expect.fail(outcome.kind);
        const draft = { id: await postId(database, slug), slug };
        posts[step.post] = draft;
        const state = step.isScheduled ? "scheduled" : "draft";
        model.set(draft.id, { state, at, ratings: new Map() });
        return;
      }
      case "publish draft": {
        const [user, { id, slug }] = [inSlot(users, step.post), inSlot(posts, step.post)];
        const post = modelOf({ id });
        now += 10_000_000;
        await publishDueDrafts();
        const isDraft = post.state === "draft";
        const request = { user, slug, address, input: { draft: false }, now };
        expect(await updatePost(contextOf(database), request)).toMatchObject({ isPublished: true });
        if (isDraft) Object.assign(post, { state: "published", at: now });
        return;
      }
      case "publish due drafts":
        now += hourMs / 2;
        return publishDueDrafts();
      case "delete user": {
        const user = inSlot(users, step.user);
        await database.transaction(() => database.users.markDeleted(user.id, now));
        await removeAll(context, () => now, { pauseMs: 0 });
        for (const { ratings } of model.values()) ratings.delete(user.id);
        const successor = await newUser();
        users[step.user] = successor;
        await replacePost(step.user, successor);
      }
    }
  }

  async function publishDueDrafts(): Promise<void> {
    await publishDue({ database, whoMayWrite: "anyone" }, now);
    for (const post of model.values())
      if (post.state === "scheduled" && post.at <= now) post.state = "published";
  }

  async function replacePost(index: number, author: User): Promise<void> {
    model.delete(inSlot(posts, index).id);
    const post = await newPost(author);
    posts[index] = post;
    model.set(post.id, published(now));
  }

  async function check(): Promise<void> {
    expect(await countersThatDisagree(queryRunner(database.sqlite))).toEqual([]);
    const listed = (await listPosts({ database }, { sort: "newest", limit: 50 }))?.items ?? [];
    const shown = [...model].filter(([, { state }]) => state === "published");
    const latestFirst = shown.toSorted(([, one], [, other]) => other.at - one.at);
    const expected = latestFirst.map(([id, { ratings }]) => {
      const counts = [0, 1, 2, 3, 4, 5].map((star) => [...ratings.values()].filter((s) => s === star).length);
      return { id, counts };
    });
    expect(listed.map(({ id, counts }) => ({ id, counts }))).toEqual(expected);
  }

  return { database, take, check };
}

function published(at: number): ModelPost {
  return { state: "published", at, ratings: new Map() };
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

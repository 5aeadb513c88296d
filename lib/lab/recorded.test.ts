import { expect, test } from "vitest";
import { addPost, addUser, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { recordedTrace } from "./recorded.ts";
import { largestTrace, longestTraceMs } from "./traces.ts";

async function blog() {
  const database = temporaryDatabase();
  const author = await addUser(database, "author");
  const watched = await addPost(database, author, { title: "Watched" });
  const other = await addPost(database, author, { title: "Another" });
  const postId = async (slug: string) => (await database.posts.idOf(slug))?.id ?? 0;
  const tried = async (at: number, { slug = watched.slug, allowed = true } = {}) =>
    database.attempts.insert({
      postId: await postId(slug),
      userId: author.id,
      at,
      verb: "create",
      score: 0,
      allowed,
      held: false,
      policy: null,
      reason: null,
      level: null,
    });
  return { database, author, slug: watched.slug, otherSlug: other.slug, tried };
}

test("shows a post's recorded attempts to its author only, not to administrators", async () => {
  const { database, slug } = await blog();
  const administrator = await addUser(database, "administrator", { isAdministrator: true });
  expect(await recordedTrace({ database }, { slug, user: administrator })).toEqual({ kind: "forbidden" });
  expect(await recordedTrace({ database }, { slug: "nowhere", user: administrator })).toEqual({
    kind: "no-such-post",
  });
});

test("makes a trace of all attempts at the post, refused ones too, oldest first", async () => {
  const { database, author, slug, otherSlug, tried } = await blog();
  for (const at of [morning + 9, morning]) await tried(at);
  await tried(morning + 5, { allowed: false });
  await tried(morning + 1, { slug: otherSlug });
  expect(await recordedTrace({ database }, { slug, user: author })).toEqual({
    kind: "trace",
    trace: {
      title: "Watched",
      requests: [0, 5, 9].map((afterMs) => ({ at: morning + afterMs })),
      isCut: false,
    },
  });
});

test("makes a trace of the newest attempts when they are too many or too far apart", async () => {
  const { database, author, slug, tried } = await blog();
  const times = async () => {
    const outcome = await recordedTrace({ database }, { slug, user: author });
    if (outcome.kind !== "trace") throw new Error(outcome.kind);
    const { requests, isCut } = outcome.trace;
    return { count: requests.length, first: requests[0]?.at, isCut };
  };
  await tried(morning);
  await tried(morning + 1);
  await tried(morning + 1 + longestTraceMs);
  expect(await times()).toEqual({ count: 2, first: morning + 1, isCut: true });
  await database.transaction(async () => {
    for (let index = 1; index <= largestTrace; index += 1) await tried(morning + longestTraceMs + 1 + index);
  });
  expect(await times()).toEqual({ count: largestTrace, first: morning + longestTraceMs + 2, isCut: true });
});

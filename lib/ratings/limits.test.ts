import { expect, test } from "vitest";
import { addPost, addUser, addUsers, contextOf, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import type { User } from "../users/index.ts";
import { createRating, updateRating } from "./index.ts";

test("one account that changes its rating constantly does not block other raters", async () => {
  const context = contextOf(temporaryDatabase());
  const { slug } = await addPost(context.database, await addUser(context.database, "author"));
  const [flooding, ...others] = await addUsers(context.database, 31);
  if (!flooding) throw new Error("There are no users.");
  const from = (user: User, score: number, now: number) => ({
    slug,
    user,
    address: "x",
    input: { score },
    now,
  });
  await createRating(context, from(flooding, 0, morning));
  let now = morning;
  const kinds: string[] = [];
  for (const other of others) {
    // A second of a hundred changes, and then another user's first rating.
    for (let change = 0; change < 100; change += 1) {
      now += 10;
      await updateRating(context, from(flooding, change % 6, now));
    }
    kinds.push((await createRating(context, from(other, 5, now))).kind);
  }
  // The account's burst of thirty may fill the bucket for two seconds; after that no other rater is refused.
  expect(kinds.slice(2)).toEqual(Array(28).fill("saved"));
});

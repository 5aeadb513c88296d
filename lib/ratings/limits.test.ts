import { expect, test } from "vitest";
import { addPost, addUser, addUsers, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { createRating, updateRating } from "./index.ts";

test("one account that changes its rating without pause does not keep others from rating", () => {
  const context = { database: temporaryDatabase(), limits: limitsWith() };
  const { slug } = addPost(context.database, addUser(context.database, "author"));
  const [flooding, ...others] = addUsers(context.database, 31);
  if (!flooding) throw new Error("There are no users.");
  const from = (id: number, score: number, now: number) => ({
    slug,
    userId: id,
    address: "x",
    input: { score },
    now,
  });
  createRating(context, from(flooding.id, 0, morning));
  let now = morning;
  const kinds = others.map(({ id }) => {
    // A second of a hundred changes, and then somebody's first rating.
    for (let change = 0; change < 100; change += 1) {
      now += 10;
      updateRating(context, from(flooding.id, change % 6, now));
    }
    return createRating(context, from(id, 5, now)).kind;
  });
  // The account's own thirty at once may fill the bucket in the first two seconds; after that nobody is refused.
  expect(kinds.slice(2)).toEqual(Array(28).fill("saved"));
});

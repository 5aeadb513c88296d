import { expect, test } from "vitest";
import { userNamed } from "../../db/contract/setting.ts";
import { accounts } from "../../testing/accounts.ts";
import { fillSkeletons } from "./skeletons.ts";

test("accounts from before keep names that look alike, and no new name may look like theirs", async () => {
  const { context, signUp } = accounts();
  const { users } = context.database;
  for (const name of ["alder", "aIder", "birch", "pаypal"]) await users.insert(userNamed(name));
  for (let number = 1; number <= 250; number += 1) await users.insert(userNamed(`reader-${number}`));
  await fillSkeletons(context.database);
  expect(await users.withoutSkeleton(1)).toEqual([]);
  expect((await users.all()).slice(0, 4).map(({ usernameSkeleton }) => usernameSkeleton)).toEqual([
    "alder",
    "alder#2",
    "birch",
    "paypal",
  ]);
  for (const name of ["a1der", "blrch".replace("l", "ı"), "paypa1", "reader-25O"])
    expect(await signUp(name, { email: "new@example.org" })).toMatchObject({
      kind: "taken",
      errors: { username: ["This username looks like one that is taken: choose another."] },
    });
  await fillSkeletons(context.database);
});

test("names that differ by an accent are two names", async () => {
  const { signUp } = accounts();
  expect((await signUp("Zoë", { email: "zoe@example.org" })).kind).toBe("registered");
  expect((await signUp("Zoe", { email: "other@example.org" })).kind).toBe("registered");
});

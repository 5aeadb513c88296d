import { expect, test } from "vitest";
import { userNamed } from "../../db/contract/setting.ts";
import { accounts } from "../../testing/accounts.ts";
import { fillSkeletons } from "./skeletons.ts";

test("refuses a lookalike of an account whose skeleton has not been computed", async () => {
  const { context, signUp } = accounts();
  await context.database.users.insert(userNamed("alder"));
  expect((await signUp("a1der")).kind).toBe("taken");
});

test("refuses a registration while more names wait to be compared than it can wait for", async () => {
  const { context, signUp } = accounts();
  for (let number = 1; number <= 201; number += 1)
    await context.database.users.insert(userNamed(`reader-${number}`));
  expect(await signUp("alder")).toEqual({ kind: "names-busy" });
  await fillSkeletons(context.database);
  expect(await signUp("alder")).toMatchObject({ kind: "registered" });
});

test("accounts from before keep names that look alike, and no new name may look like theirs", async () => {
  const { context, signUp } = accounts();
  const { users } = context.database;
  for (const name of ["alder", "aIder", "birch", "pаypal", "ALICE", "al\u0131ce"])
    await users.insert(userNamed(name));
  for (let number = 1; number <= 250; number += 1) await users.insert(userNamed(`reader-${number}`));
  await fillSkeletons(context.database);
  expect(await users.withoutSkeleton(1)).toEqual([]);
  const skeletons = (await users.all()).map((user) => [user.usernameSkeleton, user.lowerCaseSkeleton]);
  expect(skeletons.slice(0, 6)).toEqual([
    ["alder", "alder"],
    ["alder#2", "aider"],
    ["birch", "birch"],
    ["paypal", "paypal"],
    ["allce", "alice"],
    ["alice#6", "alice#6"],
  ]);
  for (const name of ["a1der", "b\u0131rch", "paypa1", "reader-25O"])
    expect(await signUp(name, { email: "new@example.org" })).toMatchObject({
      kind: "taken",
      errors: { username: ["This username looks like one that is taken: choose another."] },
    });
  await fillSkeletons(context.database);
});

test.each([
  ["ALICE", "al\u0131ce"],
  ["al\u0131ce", "ALICE"],
  ["Đorđe", "Ðorđe"],
  ["Ѕос", "Soc"],
  ["กดน", "กตน"],
  ["ケン", "ヶン"],
])("refuses %s's lookalike %s", async (name, lookalike) => {
  const { signUp } = accounts();
  expect((await signUp(name, { email: "old@example.org" })).kind).toBe("registered");
  expect(await signUp(lookalike, { email: "new@example.org" })).toMatchObject({ kind: "taken" });
});

test("names that differ by an accent are two names", async () => {
  const { signUp } = accounts();
  expect((await signUp("Zoë", { email: "zoe@example.org" })).kind).toBe("registered");
  expect((await signUp("Zoe", { email: "other@example.org" })).kind).toBe("registered");
});

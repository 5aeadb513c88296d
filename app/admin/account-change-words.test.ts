import { expect, test } from "vitest";
import { actorText, othersText } from "./account-change-words";

test("names the actor of a change, and none that is not on record", () => {
  expect(actorText({ actor: "operator" })).toBe("by the operator");
  expect(actorText({ actor: "administrator" })).toBe("by a deleted account");
  expect(actorText({ actor: "upgrade" })).toBe("by an update of the server");
  expect(actorText({ actor: null })).toBe("by the operator or a deleted account");
});

test("counts the accounts of a change that are not named, and those deleted since", () => {
  const text = (accounts: number, accountsLeft: number, usernames: string[], removedNames: string[] = []) =>
    othersText({ accounts, accountsLeft, usernames, removedNames });
  expect(text(1, 1, ["a"])).toBeUndefined();
  expect(text(1, 0, [])).toBe("a deleted account");
  expect(text(1_205, 1_202, ["a", "b"])).toBe("1,200 more and 3 deleted accounts");
  expect(text(3, 0, ["x", "y"], ["x", "y", "z"])).toBe("1 more");
});

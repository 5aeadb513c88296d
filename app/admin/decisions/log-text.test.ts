import { expect, test } from "vitest";
import { actorText, othersTexts, progressText, settingsText } from "./log-text";

test("names the actor only when it is recorded", () => {
  expect(actorText({ actor: "operator" })).toBe("by the operator");
  expect(actorText({ actor: "administrator" })).toBe("by a deleted account");
  expect(actorText({ actor: "upgrade" })).toBe("by an update of the server");
  expect(actorText({ actor: null })).toBe("by the operator or a deleted account");
});

test("counts the accounts of a change that are not named, and those deleted since", () => {
  const texts = (accounts: number, accountsLeft: number, usernames: string[], removedNames: string[] = []) =>
    othersTexts({ accounts, accountsLeft, usernames, removedNames });
  expect(texts(1, 1, ["a"])).toEqual([]);
  expect(texts(1, 0, [])).toEqual(["a deleted account"]);
  expect(texts(1_205, 1_202, ["a", "b"])).toEqual(["1,200 more", "3 deleted accounts"]);
  expect(texts(3, 0, ["x", "y"], ["x", "y", "z"])).toEqual(["1 more"]);
});

test("reports the moved ratings during and after a change", () => {
  const text = (kind: "disable" | "enable" | "approve", waiting: number) =>
    progressText({ kind, ratings: 1_500, ratingsMoved: 1, waiting });
  expect(text("disable", 0)).toBe("1 rating taken out of the scores.");
  expect(text("disable", 1)).toBe("1 of 1,500 ratings taken out of the scores so far.");
  expect(text("enable", 0)).toBe("1 rating restored.");
  expect(text("approve", 0)).toBeUndefined();
});

test("names changed settings as their page does", () => {
  expect(settingsText("SITE_NAME")).toBe("Name");
  expect(settingsText("WHO_MAY_WRITE, SITE_LOGO, FORMER_SETTING")).toBe(
    "Who may write, Logo and FORMER_SETTING",
  );
});

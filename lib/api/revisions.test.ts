import { expect, test } from "vitest";
import { morning } from "../../testing/content.ts";
import { changesAnswer, shownChanges } from "./revisions.ts";

const revision = {
  kind: "compared" as const,
  ...{ id: 1, title: "A post", content: "One two.", savedAt: morning, missingImages: 0, isSame: false },
};
const same = { kind: "same" as const, text: "A post" };
const texts = [
  { kind: "removed" as const, text: "One two." },
  { kind: "added" as const, text: "Three." },
];

test("answers nothing while the comparison is busy, and with whole texts where they differ too much", () => {
  const compared = { ...revision, title: [same], texts };
  expect(shownChanges({ ...compared, content: "busy" })).toBeUndefined();
  const shown = shownChanges({ ...compared, content: "too-different" });
  expect(shown).toMatchObject({ compared: false, content: texts });
  expect(changesAnswer.strict().parse(shown)).toEqual(shown);
});

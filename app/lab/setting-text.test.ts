import { expect, test } from "vitest";
import { lab } from "@/lib/i18n/messages/en/lab";
import { labVariables } from "@/lib/lab/settings";

test("every setting and every choice of the lab has a translated label", () => {
  expect(Object.keys(lab.setting).toSorted()).toEqual(labVariables.map(({ name }) => name).toSorted());
  const choices = labVariables.flatMap(({ description }) =>
    description.type === "choice" ? description.choices.map(([value]) => value) : [],
  );
  expect(Object.keys(lab.choice)).toEqual(choices);
});

import { expect, test } from "vitest";
import { lab } from "@/lib/i18n/messages/en/lab";
import { ratingVariables } from "@/lib/settings/rating-settings";
import { inLocale } from "@/testing/in-locale";
import { choiceLabel, settingLabel } from "./setting-text";

test("every setting and every choice of the catalogue's algorithms has a translated label", () => {
  const variables = Object.keys(lab.algorithm).flatMap((name) => ratingVariables(name));
  expect(Object.keys(lab.setting).toSorted()).toEqual(
    [...new Set(variables.map(({ name }) => name))].toSorted(),
  );
  const choices = variables.flatMap(({ description }) =>
    description.type === "choice" ? description.choices.map(([value]) => value) : [],
  );
  expect(Object.keys(lab.choice)).toEqual(choices);
});

test("a setting and a choice that no catalogue knows have their English labels", () => {
  const description = { type: "number", default: 3, label: "Deepest" } as const;
  const variable = { name: "TOMORROW_DEPTH", setting: "depth", description };
  expect(inLocale("fa", () => settingLabel(variable))).toBe("Deepest");
  expect(inLocale("fa", () => choiceLabel("an-ebb", "at low water"))).toBe("at low water");
});

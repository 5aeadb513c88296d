import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  backgrounds,
  codeBackgrounds,
  contrastIn,
  contrastOf,
  readableColour,
  textContrast,
} from "./colours.ts";

test.each([
  ["#000000", "#ffffff", 21],
  ["#ffffff", "#ffffff", 1],
  // The examples that WCAG's authors and tools agree on.
  ["#767676", "#ffffff", 4.54],
  ["#777777", "#ffffff", 4.48],
  ["#ff0000", "#ffffff", 4],
])("the contrast of %s and %s is %d", (one, other, ratio) => {
  expect(contrastOf(one, other)).toBeCloseTo(ratio, 2);
  expect(contrastOf(other, one)).toBeCloseTo(ratio, 2);
});

test("a readable colour stays, and any other becomes readable on every background of its theme", () => {
  const colour = fc
    .integer({ min: 0, max: 0xffffff })
    .map((value) => `#${value.toString(16).padStart(6, "0")}`);
  fc.assert(
    fc.property(colour, fc.constantFrom("light", "dark"), (chosen, theme) => {
      const readable = readableColour(theme, chosen);
      for (const background of [backgrounds[theme], codeBackgrounds[theme]])
        expect(contrastOf(readable, background)).toBeGreaterThanOrEqual(textContrast);
      if (contrastIn(theme, chosen) >= textContrast) expect(readable).toBe(chosen);
    }),
  );
});

test("the backgrounds are those of the style sheet", () => {
  const { light, dark } = backgrounds;
  const css = readFileSync("app/globals.css", "utf8");
  expect(css).toContain(`--color-light-paper: ${light};`);
  expect(css).toContain(`--color-dark-paper: ${dark};`);
  expect(css).toContain(`--color-tint: light-dark(${codeBackgrounds.light}, ${codeBackgrounds.dark});`);
});

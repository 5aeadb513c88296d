import { expect, test } from "vitest";
import { textDirection } from "./text-direction.ts";

test("a text of a known language has its direction, whatever letter it begins with", () => {
  expect(textDirection("Node.js چیست؟", "fa")).toBe("rtl");
  expect(textDirection("چیست؟ is Persian", "en")).toBe("ltr");
  expect(textDirection("Salom", "az-Arab")).toBe("rtl");
  expect(textDirection("שלום", "yi")).toBe("rtl");
});

test("a text of an unknown language has the direction of its first letter", () => {
  expect(textDirection("1. رود", null)).toBe("rtl");
  expect(textDirection("(שלום) weir", null)).toBe("rtl");
  expect(textDirection("Node.js چیست؟", null)).toBe("ltr");
  expect(textDirection("رود", "zxx")).toBe("rtl");
  expect(textDirection("رود", "e")).toBe("rtl");
  expect(textDirection("123", null)).toBe("ltr");
});

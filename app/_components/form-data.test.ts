import { expect, test } from "vitest";
import { refused, textValues } from "./form-data";

test("leaves out values far longer than their field's bound, which a page would repeat", () => {
  const form = new FormData();
  form.set("username", '"'.repeat(1_000_000));
  form.set("content", '"'.repeat(100_000));
  form.set("title", "A title");
  expect(Object.keys(textValues(form, "username", "content", "title"))).toEqual(["content", "title"]);
  form.set("content", '"'.repeat(100_001));
  expect(textValues(form, "content")).toEqual({});
});

test("shows the errors of bad input beside the typed text", () => {
  const errors = { email: ["Enter an email address."] };
  const state = refused({ kind: "invalid", errors }, 0, { email: "ada" });
  expect(state).toEqual({ errors, values: { email: "ada" } });
});

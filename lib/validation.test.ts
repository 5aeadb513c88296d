import { expect, test } from "vitest";
import { z } from "zod";
import { inLocale } from "../testing/in-locale.ts";
import { line, lines, validate } from "./validation.ts";

const schema = z.object({ title: line("title", 2, 10), content: lines("content", 1, 20) }, "Not an object.");
const check = (title: unknown, content: unknown = "x") => validate(schema, { title, content });

test("a line is trimmed, and lines lose their trailing space and their carriage returns", () => {
  expect(check("  A weir ", "  one\r\ntwo\rthree\tx \n\n")).toEqual({
    ok: true,
    value: { title: "A weir", content: "  one\ntwo\nthree\tx" },
  });
});

test.each([
  [undefined, "Give your post a title."],
  [null, "Title must be text."],
  [5, "Title must be text."],
  [["a", "b"], "Title must be text."],
  ["", "Title must have at least 2 characters."],
  ["  a  ", "Title must have at least 2 characters."],
  ["\u200C\u2060\uFE0F\u3164", "Title must have at least 2 characters."],
  ["x".repeat(11), "Title must have at most 10 characters."],
  ["water\uD800", "Title has a broken character: delete it and type it again."],
  ["\uDC00water", "Title has a broken character: delete it and type it again."],
  ["two\nlines", "Title must be on one line, without control characters."],
  ["two\u2028lines", "Title must be on one line, without control characters."],
  ["bell\u0007", "Title must be on one line, without control characters."],
  ["nul\u0000nul", "Title must be on one line, without control characters."],
  ["c1\u0085", "Title must be on one line, without control characters."],
])("the title %j is refused with one message under its name", (title, message) => {
  expect(check(title)).toEqual({ ok: false, errors: { title: [message] } });
});

test("a title of millions of characters is refused, also when all of them are invisible", () => {
  for (const [character, message] of [
    ["x", "Title must have at most 10 characters."],
    ["\uFEFF", "Title must have at least 2 characters."],
  ] as const)
    expect(check(character.repeat(5_000_000))).toEqual({ ok: false, errors: { title: [message] } });
});

test("content may have lines and tabs, and no other control character", () => {
  expect(check("Water", "a\u0000b")).toEqual({
    ok: false,
    errors: {
      content: ["Content has an invisible control character: paste the text again without formatting."],
    },
  });
  expect(check("Water", "x".repeat(21))).toEqual({
    ok: false,
    errors: { content: ["Content must have at most 20 characters."] },
  });
});

test("reports the errors of all fields at once, and those of a value that is not an object under form", () => {
  expect(check("", "")).toEqual({
    ok: false,
    errors: {
      title: ["Title must have at least 2 characters."],
      content: ["Write something first: your post has no text yet."],
    },
  });
  for (const input of [undefined, null, "text", 5, []])
    expect(validate(schema, input)).toEqual({ ok: false, errors: { form: ["Not an object."] } });
});

test("characters beyond the first plane, marks and joiners inside a text are kept", () => {
  for (const title of ["🌊🌊", "می‌رود", "❤️ x", "नदी"])
    expect(check(title)).toMatchObject({ ok: true, value: { title } });
});

test("messages are in the language of the request that is validated", () => {
  expect(inLocale("fa", () => check("", "x".repeat(21)))).toEqual({
    ok: false,
    errors: {
      title: ["عنوان باید دست‌کم ۲ نویسه داشته باشد."],
      content: ["متن می‌تواند حداکثر ۲۰ نویسه داشته باشد."],
    },
  });
});

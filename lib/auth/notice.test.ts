import { expect, test } from "vitest";
import { readNotice, signedNotice } from "./notice.ts";

const now = Date.UTC(2026, 2, 1);
const context = { about: "rating alder", reader: { id: 7 }, now };

test("reads a notice that was signed for this page, reader and time", () => {
  const value = signedNotice("saved", context);
  expect(readNotice(value, context)).toBe("saved");
  expect(readNotice(value, { ...context, now: now + 600_000 })).toBe("saved");
  const loggedOut = { ...context, reader: { browser: "7" } };
  expect(readNotice(signedNotice("here", loggedOut), loggedOut)).toBe("here");
});

test("reads no notice that is unsigned, or signed for another page, reader or time", () => {
  const value = signedNotice("saved", context);
  const others = [
    { ...context, about: "rating birch" },
    { ...context, reader: { id: 8 } },
    { ...context, reader: { browser: "7" } },
    { ...context, reader: null },
    { ...context, now: now + 600_001 },
    { ...context, now: now - 600_001 },
  ];
  expect(others.map((other) => readNotice(value, other))).toEqual(others.map(() => undefined));
  const withoutReader = { ...context, reader: null };
  expect(readNotice(signedNotice("saved", withoutReader), withoutReader)).toBeUndefined();
  const forged = [
    "saved",
    `${value}x`,
    value.replace("saved", "held"),
    `saved.${value}`,
    "",
    [value],
    undefined,
  ];
  for (const each of [...forged, "saved.zzz", value.slice(0, -1), `saved.-1.${value.slice(-43)}`])
    expect(readNotice(each, context), String(each)).toBeUndefined();
});

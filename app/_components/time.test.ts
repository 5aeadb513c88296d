import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, test } from "vitest";
import { setLocaleOutsideRequests } from "@/lib/request/current-request";
import { Day, Days, Minute, Moment, Second } from "./time";

afterEach(() => setLocaleOutsideRequests("en"));

const at = Date.UTC(2026, 2, 1, 9, 5);

test("a Persian page has dates of the Persian calendar in Persian digits, with the time for programs", () => {
  setLocaleOutsideRequests("fa");
  expect(renderToStaticMarkup(createElement(Day, { at }))).toBe(
    '<time dateTime="2026-03-01T09:05:00.000Z" dir="rtl">۱۰ اسفند ۱۴۰۴</time>',
  );
  expect(renderToStaticMarkup(createElement(Minute, { at }))).toContain("۱۰ اسفند ۱۴۰۴");
  // The Persian year begins on 21 March.
  const days = { from: at, to: Date.UTC(2026, 2, 12), now: Date.UTC(2026, 3, 1) };
  expect(renderToStaticMarkup(createElement(Days, days))).toContain("۱۴۰۴");
});

test("an English page has dates of the Gregorian calendar", () => {
  expect(renderToStaticMarkup(createElement(Day, { at }))).toContain(">1 March 2026<");
});

test("a moment has the year when it is another one, and seconds only in lists of events that are seconds apart", () => {
  expect(renderToStaticMarkup(createElement(Moment, { at: Date.now() }))).toMatch(/>\d+ \w+, \d\d:\d\d</);
  const before = Date.UTC(2021, 2, 1, 9, 5, 7);
  expect(renderToStaticMarkup(createElement(Moment, { at: before }))).toContain(">1 Mar 2021, 09:05<");
  expect(renderToStaticMarkup(createElement(Second, { at: before }))).toContain(">1 Mar 2021, 09:05:07<");
});

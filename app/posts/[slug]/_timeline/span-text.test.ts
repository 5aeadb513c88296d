import { afterEach, expect, test } from "vitest";
import { setLocaleOutsideRequests } from "@/lib/request/current-request";
import { dayMs } from "@/lib/time/units";
import { spanText } from "./span-text";
import type { TimelineSpan } from "./spans";

afterEach(() => setLocaleOutsideRequests("en"));

/** The days from one date until before another. */
function span(from: string, to: string): TimelineSpan {
  return { from: Date.parse(from) / dayMs, to: Date.parse(to) / dayMs, counts: [0, 0, 0, 0, 0, 0] };
}

const january = span("2026-01-01", "2026-02-01");
const spring = span("2026-04-01", "2026-07-01");
const year = span("2026-01-01", "2027-01-01");

test("a span is named in the calendar that its unit is of", () => {
  expect(spanText(span("2026-10-12", "2026-10-13"), "day")).toBe("12 October 2026");
  expect(spanText(january, "month")).toBe("January 2026");
  expect(spanText(spring, "quarter")).toMatch(/^Apr.+Jun 2026$/);
  expect(spanText(year, "year")).toBe("2026");
});

test("a month, quarter or year is named as the range that it is in the Persian calendar", () => {
  setLocaleOutsideRequests("fa");
  expect(spanText(span("2026-10-12", "2026-10-13"), "day")).toBe("۲۰ مهر ۱۴۰۵");
  expect(spanText(january, "month")).toBe("۱۱ دی تا ۱۱ بهمن ۱۴۰۴");
  expect(spanText(spring, "quarter")).toBe("۱۲ فروردین تا ۹ تیر ۱۴۰۵");
  expect(spanText(year, "year")).toBe("۱۴۰۴ تا ۱۴۰۵");
});

import { expect, test } from "vitest";
import { describeDevice } from "./device.ts";

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
    "Microsoft Edge on Windows",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
    "Safari on iOS",
  ],
  [
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
    "Chrome on Android",
  ],
  ["curl/8.14.1", "curl"],
  ["python-requests/2.32", "python-requests"],
  ["", "Unknown device"],
  ["(((", "Unknown device"],
  [undefined, "Unknown device"],
])("describes %j as %j", (userAgent, description) => {
  expect(describeDevice(userAgent)).toBe(description);
});

test("describes a hostile user agent in few characters", () => {
  for (const text of ["a/".repeat(8_000), "/ (".repeat(5_000), "x".repeat(16_000), "Linux ".repeat(3_000)])
    expect(describeDevice(text).length).toBeLessThanOrEqual(60);
});

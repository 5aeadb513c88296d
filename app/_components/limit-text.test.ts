import { expect, test } from "vitest";
import { limitsFrom } from "@/lib/limits";
import { parseSettings } from "@/lib/settings/env";
import { limitText, readerFormats } from "./limit-text";

const textOf = (parameters: object, formats?: typeof readerFormats) => {
  const LIMITS = JSON.stringify({ "rating.post": parameters });
  const [policy] = limitsFrom(parseSettings({ LIMITS }))["rating.post"];
  return policy ? limitText(policy.parameters, formats) : undefined;
};

test.each([
  [{}, "Leaky bucket: 20 at once, then 10 a second"],
  [{ leakPerSecond: 1 }, "Leaky bucket: 20 at once, then 1 a second"],
  [{ capacity: 1_000, leakPerSecond: 1 / 120 }, "Leaky bucket: 1,000 at once, then one every 2 minutes"],
  [{ leakPerSecond: 1 / 7 }, "Leaky bucket: 20 at once, then one every 7 seconds"],
  [{ leakPerSecond: 0.3 }, "Leaky bucket: 20 at once, then one every 3.333 seconds"],
  [
    { algorithm: "token-bucket", capacity: 5, refillPerSecond: 0.5 },
    "Token bucket: 5 at once, then one every 2 seconds",
  ],
  [{ algorithm: "fixed-window", limit: 20, windowMs: 1_000 }, "Fixed window: 20 per second"],
  [{ algorithm: "fixed-window", limit: 20, anchor: "calendar-day" }, "Fixed window: 20 a day (UTC)"],
  [{ algorithm: "sliding-log", limit: 20, windowMs: 5_000 }, "Sliding log: 20 in any 5 seconds"],
  [
    {
      algorithm: "tiered",
      freePerDay: 1_000,
      timeZone: "Europe/Berlin",
      beyond: { algorithm: "sliding-log", limit: 20, windowMs: 1_000 },
    },
    "Tiered: 1,000 free a day (Europe/Berlin), then 20 in any second",
  ],
  [
    { algorithm: "ema" },
    "EMA: refuses what comes much faster than usual (above Z = 3.25); adapts to a tenfold rate within 1 hour",
  ],
  [
    { algorithm: "ema", threshold: 5, adaptMs: 5_400_000 },
    "EMA: refuses what comes much faster than usual (above Z = 5); adapts to a tenfold rate within 90 minutes",
  ],
])("%j is %j", (parameters, text) => {
  expect(textOf(parameters)).toBe(text);
});

test.each([
  [{ leakPerSecond: 1 }, "Leaky bucket: 20 at once, then 1 a second"],
  [
    { algorithm: "ema" },
    "EMA: refuses ratings that come much faster than usual; a rate ten times as high counts as usual after 1 hour",
  ],
  [
    {
      algorithm: "tiered",
      freePerDay: 1_000,
      beyond: { algorithm: "ema", floorRequests: 5, floorPerSecond: 1 },
    },
    "Tiered: 1,000 free a day (UTC), then refuses ratings that come much faster than usual and are more than 5 at once plus 1 a second; a rate ten times as high counts as usual after 1 hour",
  ],
])("%j is %j for readers", (parameters, text) => {
  expect(textOf(parameters, readerFormats)).toBe(text);
});

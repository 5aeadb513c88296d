import { expect, it } from "vitest";
import { chartWidth } from "@/app/_components/scaled-svg";
import { simulate } from "@/lib/lab/simulate";
import { leakyBucket } from "@/lib/limiter/index";
import { levelPath } from "./level-path";

it("draws a line from edge to edge when there are requests before and after the shown time", () => {
  const { decided } = simulate(
    leakyBucket({ capacity: 10, leakPerSecond: 0.1 }),
    [0, 10_000, 10_000, 14_000, 30_000].map((at) => ({ at })),
  );
  const view = { begin: 9_000, lengthMs: 1_000, count: 8, hasSingles: false };
  const shown = levelPath(decided, view, (at) => ((at - 9_000) / 8_000) * chartWidth);
  const numbers = shown?.line.path.match(/-?\d*\.?\d+/g)?.map(Number) ?? [];
  const [start, ...steps] = numbers.filter((_, index) => index % 2 === 0);
  expect(start).toBe(0);
  expect(steps.reduce((x, step) => x + step, 0)).toBe(chartWidth);
});

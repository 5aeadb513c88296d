import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { barsPath, linePath } from "./chart-path";

describe("linePath", () => {
  it("goes from point to point by differences, and leaves out those on a straight line", () => {
    const points = [
      { x: 0, y: 10 },
      { x: 50, y: 10 },
      { x: 100, y: 10 },
      { x: 101, y: 0.5 },
      { x: 110, y: 20 },
    ];
    expect(linePath(points)).toBe("M0 10l100 0 1-9.5 9 19.5");
  });

  it("is a dot for one point, and empty for none", () => {
    expect(linePath([{ x: 3, y: 4 }])).toBe("M3 4h0");
    expect(linePath([])).toBe("");
  });

  it("stays within a pixel of every point", () => {
    const anyPoints = fc
      .array(
        fc.record({ x: fc.integer({ min: 0, max: 1_000 }), y: fc.float({ min: 0, max: 40, noNaN: true }) }),
        {
          minLength: 2,
          maxLength: 60,
        },
      )
      .map((points) => [...new Map(points.map((point) => [point.x, point])).values()])
      .map((points) => points.toSorted((one, other) => one.x - other.x));
    fc.assert(
      fc.property(anyPoints, (points) => {
        const drawn = pointsOf(linePath(points));
        for (const { x, y } of points) expect(Math.abs(heightAt(drawn, x) - y)).toBeLessThan(1);
      }),
    );
  });
});

it("bars on one base are one path along it, and those without height are left out", () => {
  const bar = { left: 10, width: 8, foot: 40, top: 12 };
  expect(barsPath([bar, { ...bar, left: 20, top: 40 }, { ...bar, left: 30.04, top: 39.6 }])).toBe(
    "M10 40v-28h8v28h12v-1h8v1",
  );
  expect(barsPath([bar, { ...bar, left: 20, foot: 12, top: 0 }])).toBe("M10 40v-28h8v28M20 12v-12h8v12");
  expect(barsPath([{ ...bar, top: 40 }])).toBe("");
});

function pointsOf(path: string): { x: number; y: number }[] {
  const numbers = [...path.matchAll(/-?(?:\d+\.?\d*|\.\d+)/g)].map(Number);
  let [x, y] = [0, 0];
  return Array.from({ length: Math.floor(numbers.length / 2) }, (_, index) => {
    x += numbers[2 * index] ?? 0;
    y += numbers[2 * index + 1] ?? 0;
    return { x, y };
  });
}

function heightAt(points: readonly { x: number; y: number }[], x: number): number {
  const after = points.findIndex((point) => point.x >= x);
  const [from, to] = [points[Math.max(0, after - 1)], points[after]];
  if (!from || !to) return Number.NaN;
  return to.x === from.x ? to.y : from.y + ((x - from.x) / (to.x - from.x)) * (to.y - from.y);
}

import { describe, expect, it } from "vitest";
import { chartWidth } from "@/app/_components/scaled-svg";
import { viewOf } from "@/lib/lab/intervals";
import { simulate } from "@/lib/lab/simulate";
import { slidingLog } from "@/lib/limiter/index";
import { barPaths, markPaths } from "./mark-paths";

/** Two pass and the rest do not. */
function run(times: number[]) {
  const { decided } = simulate(
    slidingLog({ limit: 2, windowMs: 1_000_000 }),
    times.map((at) => ({ at })),
  );
  const view = viewOf(decided, 0, 1_000);
  const time = (at: number) => (at / 1_000) * chartWidth;
  return { decided, view, time };
}

describe("paths", () => {
  it("of marks: each request once, accepted ones below and refused ones above", () => {
    const { decided, view, time } = run([100, 200, 300, 5_000]);
    const { accepted, refused, height } = markPaths(decided, view, time);
    expect(accepted).toBe(`M100 18V${height}M200 18V${height}`);
    expect(refused).toBe("M300 0V14");
  });

  it("of bars: as high as there are requests, refused ones on top of accepted ones", () => {
    const { decided, view, time } = run([100, 105, 105, 109, 500]);
    const { accepted, refused, height, most } = barPaths(decided, view, time);
    expect({ most, height }).toEqual({ most: 4, height: 56 });
    expect(accepted).toBe("M101 56v-28h8v28");
    expect(refused).toBe("M101 27v-27h8v27M501 56v-14h8v14");
  });
});

import { describe, expect, it, onTestFinished } from "vitest";
import * as zeromq from "zeromq";
import { regularPattern, serve, startDemonstration } from "../testing/originals-demonstration.ts";
import { runningClient } from "../testing/running-service.ts";

describe("the locker's demonstration: 5 per 0.8 s, 100 calls 0.1 s apart, in bare text", () => {
  it("answers one client with go and sorry in a regular pattern", async () => {
    expect(await wordsOf(await startDemonstration(), 100)).toEqual(regularPattern(100));
  });

  it("allows three clients together no more than one", async () => {
    const address = await startDemonstration({ everyMs: 33 });
    const words = await Promise.all([1, 2, 3].map(() => wordsOf(address, 100)));
    // A window is 25 decisions long.
    expect(words.flat().filter((word) => word === "go")).toHaveLength((300 / 25) * 5);
  });
});

describe("frequency control's demonstration: 3 in 5 s", () => {
  it("allows 5 within 2 s at a window's edge, and with a log never more than 3 in any 5 s", async () => {
    let now = Date.UTC(2026, 5, 1);
    const limits = { limit: 3, windowMs: 5_000 };
    const address = await serve({
      policies: {
        window: { algorithm: "fixed-window", ...limits },
        log: { algorithm: "sliding-log", ...limits },
      },
      clock: () => now,
    });
    const client = runningClient({ address });
    const decisions = { window: [], log: [] } as Record<"window" | "log", (readonly [boolean, number])[]>;
    for (const afterMs of [0, 4_600, 0, 1_400, 0, 0]) {
      now += afterMs;
      for (const policy of ["window", "log"] as const) {
        const { allowed, retryAfterMs } = await client.limiter(policy).consume("ada");
        decisions[policy].push([allowed, retryAfterMs]);
      }
    }
    const allowed = [true, 0] as const;
    expect(decisions.window).toEqual(Array.from({ length: 6 }, () => allowed));
    expect(decisions.log).toEqual([
      ...Array.from({ length: 4 }, () => allowed),
      [false, 3_600],
      [false, 3_600],
    ]);
  });

  it("counts updates but not peeks, and refunds counts", async () => {
    const address = await serve({
      policies: { log: { algorithm: "sliding-log", limit: 3, windowMs: 3_600_000 } },
      clock: () => Date.UTC(2026, 5, 1),
    });
    const { peek: browse, consume: update, refund: feedback } = runningClient({ address }).limiter("log");
    for (let look = 0; look < 5; look += 1)
      expect(await browse("ada")).toMatchObject({ allowed: true, remaining: 3 });
    for (const remaining of [2, 1, 0])
      expect(await update("ada")).toMatchObject({ allowed: true, remaining });
    expect(await browse("ada")).toMatchObject({ allowed: false });
    expect(await update("ada")).toMatchObject({ allowed: false });
    expect(await feedback("ada", 2)).toBe(true);
    for (const remaining of [1, 0]) expect(await update("ada")).toMatchObject({ allowed: true, remaining });
    expect(await update("ada")).toMatchObject({ allowed: false });
    expect(await feedback("ada", 3)).toBe(true);
    expect(await feedback("ada")).toBe(false);
  });
});

/** The answers to the original's client, which sends one request after the other. */
async function wordsOf(address: string, calls: number): Promise<string[]> {
  const socket = new zeromq.Request({ linger: 0 });
  onTestFinished(() => socket.close());
  socket.connect(address);
  const words: string[] = [];
  for (let call = 0; call < calls; call += 1) {
    await socket.send("May I?");
    const [word] = await socket.receive();
    words.push(String(word));
  }
  return words;
}

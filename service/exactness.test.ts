import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { runChild } from "../testing/child-process.ts";
import { runningClient, runningService, storesForTest } from "../testing/running-service.ts";

const processes = 8;
const requestsEach = 1_000;
const limit = 3_000;
const windowMs = 3_600_000;

describe("8 client processes with 1,000 requests each for one key, at two services with one Redis", () => {
  it("get exactly the limit together, and an answer to every request", async () => {
    expectExactly(await consumeTogether(await twoServices()));
  });

  it("leave exactly the count that they consumed and did not refund", async () => {
    const addresses = await twoServices();
    const { sent, passed, refunded, unavailable } = await consumeTogether(addresses, { refundEach: 3 });
    expect(sent).toBe(processes * requestsEach);
    expect(refunded).toBeGreaterThan(0);
    expect(Math.abs((await used(addresses[0])) - (passed - refunded))).toBeLessThanOrEqual(unavailable);
  });
});

async function twoServices() {
  const store = await storesForTest.Redis();
  return [(await service(store)).zmq, (await service(store)).zmq] as const;
}

/**
 * Expects exactly the limit to pass.
 * When the machine is so busy that Redis answers too late, the service refuses, and a refused request may have been
 * counted: then up to that many may be missing.
 */
function expectExactly({ sent, passed, unavailable }: z.infer<typeof countsSchema>): void {
  expect(sent).toBe(processes * requestsEach);
  expect(passed).toBeLessThanOrEqual(limit);
  expect(passed).toBeGreaterThanOrEqual(limit - unavailable);
}

function service(store: string) {
  const configuration = {
    policies: {
      shared: { algorithm: "fixed-window", limit, windowMs, outage: "closed" },
      arrivals: { algorithm: "fixed-window", limit: processes, windowMs, outage: "closed" },
    },
    default: "shared",
    store,
  };
  return runningService({ configuration });
}

const countsSchema = z.object({
  sent: z.number(),
  passed: z.number(),
  refunded: z.number(),
  unavailable: z.number(),
});

/** The sums of all clients; they are spread over the services. */
async function consumeTogether(addresses: readonly string[], { refundEach = 0 } = {}) {
  const children = Array.from({ length: processes }, (_, index) =>
    runChild(join(import.meta.dirname, "../testing/service-child.ts"), [
      addresses[index % addresses.length] ?? "",
      `${requestsEach}`,
      `${refundEach}`,
    ]),
  );
  onTestFinished(() => {
    for (const child of children) child.kill("SIGKILL");
  });
  await Promise.all(children.map((child) => child.ended));
  const counts = children.map(({ lines }) => countsSchema.parse(JSON.parse(lines[0] ?? "")));
  const sum = (name: keyof (typeof counts)[number]) => counts.reduce((total, each) => total + each[name], 0);
  return {
    sent: sum("sent"),
    passed: sum("passed"),
    refunded: sum("refunded"),
    unavailable: sum("unavailable"),
  };
}

/** How many are counted now; repeats the request while Redis answers too late. */
async function used(address: string): Promise<number> {
  const { peek } = runningClient({ address }).limiter("shared");
  for (;;) {
    const { reason } = await peek("key");
    if ("used" in reason) return Number(reason.used);
  }
}

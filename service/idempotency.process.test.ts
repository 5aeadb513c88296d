import { describe, expect, it, onTestFinished } from "vitest";
import * as zeromq from "zeromq";
import { runningService } from "../testing/running-service.ts";

const request = JSON.stringify({ id: "6f1c", verb: "consume", policy: "hour", key: "ada" });

describe("a request that is repeated with its id", () => {
  it("is counted once when its client was gone before the reply, and gets that reply on another connection", async () => {
    const to = await address();
    const observer = dealer(to);
    const gone = dealer(to, { linger: 600_000 });
    await gone.send(["", request]);
    gone.close();
    // The time of its arrival is unknown; only its count can be observed.
    while ((await used(observer)) === 0);
    expect(JSON.parse(await send(dealer(to), request))).toMatchObject({ allowed: true, remaining: 99 });
    expect(await used(observer)).toBe(1);
  });
});

async function address(): Promise<string> {
  const configuration = {
    policies: { hour: { algorithm: "fixed-window", limit: 100, windowMs: 3_600_000 } },
    default: "hour",
    store: "memory",
  };
  return (await runningService({ configuration })).zmq;
}

function dealer(address: string, { linger = 0 } = {}) {
  const socket = new zeromq.Dealer({ linger });
  onTestFinished(() => socket.close());
  socket.connect(address);
  return socket;
}

async function send(requester: zeromq.Dealer, text: string): Promise<string> {
  await requester.send(["", text]);
  return String((await requester.receive()).at(-1));
}

/** How much of the key's window is used up. */
async function used(requester: zeromq.Dealer): Promise<number> {
  const { reason } = JSON.parse(
    await send(requester, JSON.stringify({ verb: "peek", policy: "hour", key: "ada" })),
  );
  return reason.used;
}

import { describe, expect, test } from "vitest";
import { type AlgorithmSettings, settingsAmongPeers } from "../../lib/limiter/index.ts";
import { addressBeyondLoopback, peersSchema } from "./settings.ts";

const publish = "tcp://127.0.0.1:7779";

describe("peers in the configuration file", () => {
  test.each([
    [publish, ["tcp://127.0.0.1:7789"], undefined],
    ["tcp://[::1]:7779", ["tcp://localhost:7789", "tcp://[::1]:7790"], undefined],
    ["tcp://0.0.0.0:7779", ["tcp://127.0.0.1:7789"], "tcp://0.0.0.0:7779"],
    [publish, ["tcp://127.0.0.1:7789", "tcp://10.0.0.7:7779"], "tcp://10.0.0.7:7779"],
    [publish, ["tcp://limiter-2.example.org:7779"], "tcp://limiter-2.example.org:7779"],
  ])("%s and %j: what other machines reach is %s", (publish, subscribe, beyond) => {
    expect(addressBeyondLoopback(peersSchema.parse({ publish, subscribe }))).toBe(beyond);
  });

  test.each([
    [5, /an object such as/],
    [{ publish }, /a list of the addresses/],
    [{ publish, subscribe: [] }, /one other service at least/],
    [{ publish, subscribe: Array.from({ length: 101 }, () => publish) }, /at most 100/],
    [{ publish: "127.0.0.1:7779", subscribe: [publish] }, /such as tcp:\/\/127.0.0.1:7779/],
    [{ publish, subscribe: ["tcp://*:7779"] }, /limiter-2:7779/],
    [{ publish, subscribe: ["tcp://127.0.0.1:0"] }, /limiter-2:7779/],
    [{ publish, subscribe: ["tcp://127.0.0.1:70000"] }, /limiter-2:7779/],
    [{ publish, subscribe: ["tcp://127.0.0.999:7779"] }, /limiter-2:7779/],
    [{ publish, subscribe: ["ipc:///tmp/peers"] }, /limiter-2:7779/],
    [{ publish, subscribe: [publish], topic: "x" }, /topic/],
  ])("%j is refused, with what to write", (peers, message) => {
    expect(() => peersSchema.parse(peers)).toThrow(message);
  });
});

describe("with peers", () => {
  test.each<[AlgorithmSettings, "clock" | undefined]>([
    [{ algorithm: "fixed-window", limit: 5, windowMs: 800 }, "clock"],
    [{ algorithm: "fixed-window", limit: 5, windowMs: 800, anchor: "first" }, undefined],
    [{ algorithm: "fixed-window", limit: 5, anchor: "calendar-day" }, undefined],
    [{ algorithm: "sliding-log", limit: 5, windowMs: 800 }, undefined],
  ])("anchors %j to the clock unless it sets another anchor", (parameters, anchor) => {
    const expected = anchor === undefined ? parameters : { ...parameters, anchor };
    expect(settingsAmongPeers(parameters)).toEqual(expected);
    const tiered = { algorithm: "tiered", freePerDay: 3, beyond: parameters } as const;
    expect(settingsAmongPeers(tiered)).toEqual({ ...tiered, beyond: expected });
  });
});

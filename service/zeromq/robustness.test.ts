/**
 * Misbehaving ZeroMQ clients of the real process.
 * Meanwhile a correct client keeps working, and the process's memory stays bounded. (libzmq keeps the frames of an
 * unfinished message without bound: docs/service.md.)
 */
import { randomBytes } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { Dealer, Request } from "zeromq";
import { memoryStore } from "../../lib/limiter/index.ts";
import { runChild } from "../../testing/child-process.ts";
import { type LimiterService, startLimiterService } from "../../testing/limiter-service.ts";
import {
  command,
  connectDealer,
  connectRaw,
  flag,
  greeting,
  longHead,
  part,
  type RawClient,
} from "../../testing/raw-zeromq.ts";
import { residentMebibytes } from "../../testing/resident-memory.ts";
import { configurationOf } from "../../testing/service-configuration.ts";
import { createEngine } from "../engine.ts";
import { idempotent } from "../idempotency.ts";
import { frameMaximumBytes, listenOnZeromq } from "../zeromq.ts";

/**
 * The limit of the service's heap, garbage included.
 * Without a limit, the growth is mostly garbage, and depends on chance: 162 to 293 MiB in 20 runs.
 */
const heapMebibytes = 96;

/**
 * How much the process may grow.
 * The most seen in 20 runs, half of them on a busy machine, is 179.
 */
const growthMebibytes = 256;

let service: LimiterService;
let residentBefore: number;

beforeAll(async () => {
  service = await startLimiterService({
    configuration: {
      policies: {
        wide: { algorithm: "fixed-window", limit: 1_000_000_000, windowMs: 3_600_000 },
        slow: { algorithm: "fixed-window", limit: 1_000, windowMs: 500_000 },
      },
      default: "wide",
      store: "memory",
    },
    env: { NODE_OPTIONS: `--max-old-space-size=${heapMebibytes}` },
  });
  residentBefore = residentMebibytes(service.pid);
});

afterAll(() => service.stop());

const neverCalled = () => Promise.reject(new Error("No message came through"));

/** Does `work` while a correct client sends requests, then checks the service. */
async function whileOthersAreServed(work: () => Promise<void>): Promise<void> {
  const client = new Request({ linger: 0 });
  client.connect(service.zmq);
  const sendRequest = async () => {
    await client.send('{"id": 1}');
    const [answer] = await client.receive();
    expect(JSON.parse(String(answer))).toMatchObject({ id: 1, allowed: true });
  };
  await sendRequest();
  let isOver = false;
  let served = 0;
  const requesting = (async () => {
    while (!isOver) {
      await sendRequest();
      served += 1;
    }
  })();
  try {
    await Promise.race([work(), requesting]);
    // The first request was sent before `work` began.
    expect(served).toBeGreaterThan(1);
  } finally {
    isOver = true;
  }
  await requesting;
  await sendRequest();
  client.close();
  expect(residentMebibytes(service.pid) - residentBefore).toBeLessThan(growthMebibytes);
}

/**
 * Writes so much, as fast as it is taken.
 * Resolves early when the connection is closed.
 */
async function pour({ socket, closed }: RawClient, piece: Buffer, bytes: number) {
  for (let sent = 0; sent < bytes && !socket.destroyed; sent += piece.length)
    if (!socket.write(piece))
      await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), closed]);
}

test("ends connections that do not complete the handshake, or answer no heartbeat", async () => {
  const listener = await listenOnZeromq("tcp://127.0.0.1:*", idempotent({ execute: neverCalled }), {
    bounds: { handshakeInterval: 100, heartbeatInterval: 100, heartbeatTimeout: 100 },
  });
  onTestFinished(() => listener.close());
  const ready = (type: string) =>
    command(
      "READY",
      Buffer.from(`\x0bSocket-Type\0\0\0${String.fromCharCode(type.length)}${type}`, "latin1"),
    );
  const encrypting = Buffer.from(greeting);
  encrypting.write("CURVE", 12);
  const starts = [
    "GET / HTTP/1.1\r\n\r\n",
    greeting.subarray(0, 40),
    randomBytes(100).fill(0xfe, 0, 1),
    encrypting,
    Buffer.concat([greeting, ready("PUB")]),
    Buffer.concat([greeting, Buffer.from("\x04\x06\x05READY")]),
    Buffer.concat([greeting, part("hello")]),
    "",
  ];
  await Promise.all(
    starts.map(async (start) => {
      const client = await connectRaw(listener.address);
      client.send(start);
      await client.closed;
    }),
  );
});

test("takes a frame of 256 KiB and closes the connection of a longer one", async () => {
  await whileOthersAreServed(async () => {
    const longest = await connectDealer(service.zmq);
    longest.send(part("x".repeat(frameMaximumBytes)));
    expect(String(await longest.received(1))).toBe("go");
    longest.socket.destroy();
    const tooLong = [
      longHead(BigInt(frameMaximumBytes) + 1n),
      longHead(2n ** 64n - 1n),
      longHead(2n ** 63n, flag.more),
      longHead(2n ** 40n, flag.command),
    ];
    for (const start of tooLong) {
      const client = await connectDealer(service.zmq);
      client.send(start);
      await client.closed;
    }
  });
});

test("answers thousands of empty messages one by one", async () => {
  await whileOthersAreServed(async () => {
    const client = await connectDealer(service.zmq);
    client.send(Buffer.alloc(2 * 5_000));
    const answers = await client.received(5_000);
    expect(answers).toHaveLength(5_000);
    expect(new Set(answers.map(String)).size).toBe(1);
    expect(String(answers[0])).toContain("empty");
    client.socket.destroy();
  });
});

test("answers any body that makes no sense with an error", async () => {
  await whileOthersAreServed(async () => {
    const client = new Dealer({ linger: 0 });
    client.connect(service.zmq);
    const bodies = [
      Buffer.from([0xff, 0xfe, 0x00]),
      randomBytes(1_000).fill(0x80, 0, 1),
      "[".repeat(200_000),
      `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
      `${'{"a":'.repeat(40_000)}1${"}".repeat(40_000)}`,
      JSON.stringify(Array.from({ length: 10_000 }, () => ({}))),
      "[]",
      '{"__proto__": {"verb": "reset"}}',
      '{"verb": "__proto__"}',
      '{"verb": "constructor"}',
      '{"policy": "__proto__"}',
      '{"cost": 1e400}',
      '{"cost": -1}',
      '{"cost": "1"}',
      `{"id": ${"9".repeat(400)}}`,
      '{"id": {}}',
      '{"key": null}',
      `{"key": "${"k".repeat(1_001)}"}`,
      '{"maxWaitMs": 1e9}',
      '{"unknown": 1}',
      "[1]".slice(0, 2),
    ];
    for (const body of bodies) {
      await client.send(["", body]);
      const [delimiter, answer] = await client.receive();
      expect(delimiter).toHaveLength(0);
      const [{ error }, ...more] = [JSON.parse(String(answer))].flat();
      expect(more).toEqual([]);
      expect(typeof error, String(body).slice(0, 50)).toBe("string");
      expect(error.length).toBeLessThan(2_000);
    }
    client.close();
  });
});

test("receives few messages of thousands of frames at a time", async () => {
  await whileOthersAreServed(async () => {
    const client = await connectDealer(service.zmq);
    const message = Buffer.concat([
      ...Array.from({ length: 3_000 }, () => part("", { more: true })),
      part('{"verb": "peek"}'),
    ]);
    // So many fit in a batch by their number and bytes, but their frames not in the heap.
    for (let sent = 0; sent < 256; sent += 1) client.send(message);
    const answers = await client.received(2 * 256);
    expect(String(answers.at(-1))).toContain("one body");
    client.socket.destroy();
  });
});

test("drops further answers of a client that never reads", async () => {
  await whileOthersAreServed(async () => {
    const client = await connectDealer(service.zmq);
    client.socket.pause();
    const list = part(JSON.stringify(Array.from({ length: 100 }, () => ({ verb: "peek" }))));
    const dropped = async () => {
      const metrics = await (await fetch(`${service.http}/metrics`)).text();
      return Number(/^limiter_zeromq_answers_dropped_total (\d+)$/m.exec(metrics)?.[1]);
    };
    // Each of these lists is answered with 20 kB or so.
    while ((await dropped()) < 200) await pour(client, list, 50 * list.length);
    client.socket.destroy();
  });
});

test("keeps unread answers up to a number of bytes, and sends them when the client reads", async () => {
  const configuration = configurationOf({
    policies: { wide: { algorithm: "fixed-window", limit: 1_000_000_000, windowMs: 3_600_000 } },
  });
  const counts = { decided: 0, dropped: 0 };
  const onCounted = () => {
    counts.decided += 1;
  };
  const engine = createEngine({ configuration, store: memoryStore(), onCounted });
  const listener = await listenOnZeromq("tcp://127.0.0.1:*", idempotent(engine), {
    onUnread: () => {
      counts.dropped += 1;
    },
    bounds: { sendHighWaterMark: 4 },
    unread: { maximumBytes: 100_000, maximumBytesPerClient: 100_000 },
  });
  onTestFinished(() => listener.close());
  const client = await connectDealer(listener.address);
  const requests = 100;
  // Answered with 20 kB or so.
  const list = part(JSON.stringify(Array.from({ length: requests }, () => ({ key: "k" }))));
  let sent = 0;
  /** Sends lists, and resolves to how many of their answers were dropped. */
  const dropped = async (count: number) => {
    const before = counts.dropped;
    sent += count;
    client.send(...Array.from({ length: count }, () => list));
    await expect.poll(() => counts.decided).toBe(sent * requests);
    await turn();
    return counts.dropped - before;
  };
  client.socket.pause();
  // Both sides' TCP buffers come first, and they grow.
  let droppedOfTen = 0;
  while (droppedOfTen < 10) droppedOfTen = await dropped(10);

  const other = await connectDealer(listener.address);
  other.send(part("please"));
  expect((await other.received(1)).map(String)).toEqual(["go"]);
  client.socket.resume();
  expect(await client.received(sent - counts.dropped)).toHaveLength(sent - counts.dropped);
  client.send(list);
  expect(await client.received(sent - counts.dropped + 1)).toHaveLength(sent - counts.dropped + 1);
  for (const { socket } of [client, other]) socket.destroy();
});

test("echoes no large envelope, so unread answers stay small", async () => {
  await whileOthersAreServed(async () => {
    const client = await connectDealer(service.zmq);
    client.socket.pause();
    const large = part("x".repeat(250_000), { more: true });
    const delimiter = part("", { more: true });
    const one = part('{"verb": "peek"}');
    // One well formed, and one with two bodies.
    const both = Buffer.concat([large, delimiter, one, large, delimiter, one, one]);
    const dropped = async () => {
      const metrics = await (await fetch(`${service.http}/metrics`)).text();
      return Number(/^limiter_zeromq_messages_dropped_total (\d+)$/m.exec(metrics)?.[1] ?? 0);
    };
    // Each part once the last is read: libzmq keeps all messages that have arrived, without a bound.
    for (let sent = 0; sent < 1_600; ) {
      await pour(client, both, 100 * both.length);
      sent += 200;
      await expect.poll(dropped).toBe(sent);
    }
    client.socket.destroy();
  });
});

test("refuses messages beyond the bound of bytes in flight", async () => {
  await whileOthersAreServed(async () => {
    const client = await connectDealer(service.zmq);
    const body = '{"verb": "wait", "policy": "slow", "maxWaitMs": 600000}';
    const message = part(body.padEnd(200_000));
    client.send(part('{"policy": "slow", "cost": 1000}'));
    for (let sent = 0; sent < 400; sent += 1) client.send(message);
    // The answers to the first, and to those that were too many: the rest is waiting.
    const waiting = Math.floor((64 * 1024 * 1024) / 200_000);
    const early = await client.received(1 + 400 - waiting);
    expect(String(early.at(-1))).toContain("try again");
    client.socket.destroy();
    // Ends the waits, which would stay in flight for the tests after this one.
    const other = await connectDealer(service.zmq);
    other.send(part('{"verb": "reset", "policy": "slow"}'));
    expect(String(await other.received(1))).toBe('{"reset":true}');
    const metrics = async () => (await fetch(`${service.http}/metrics`)).text();
    await expect.poll(metrics).toMatch(/^limiter_waiting 0$/m);
    other.socket.destroy();
  });
});

test("keeps nothing of clients that vanish in the middle of a message", async () => {
  await whileOthersAreServed(async () => {
    for (let round = 0; round < 20; round += 1) {
      const clients = await Promise.all(Array.from({ length: 20 }, () => connectDealer(service.zmq)));
      for (const [index, client] of clients.entries()) {
        client.send(part('{"verb": "consume"}'), longHead(200_000n), Buffer.alloc(1_000 * (index + 1)));
        if (index % 2 === 0) client.socket.resetAndDestroy();
        else client.socket.destroy();
      }
    }
  });
});

test("survives a client that disconnects with unread messages and heartbeats", async () => {
  const child = runChild("testing/unread-child.ts", []);
  await child.ended;
  expect(child.lines).toEqual(['{"reset":true}']);
});

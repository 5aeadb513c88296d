/**
 * What clients may do to the real process, and what others notice of it: nothing. Each test lets the worst happen while an
 * honest client goes on asking, and looks at how much memory the process has in the end.
 */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Dealer, Request } from "zeromq";
import { type LimiterService, startLimiterService } from "../../testing/limiter-service.ts";
import { connectDealer, connectRaw, longHead, part, type RawClient } from "../../testing/raw-zeromq.ts";
import { residentMebibytes } from "../../testing/resident-memory.ts";
import { limits } from "./connection.ts";
import { command, flag, greeting } from "./zmtp.ts";

/**
 * By how much the process may grow: what all connections may hold together (64 MiB), what may be under way (64 MiB), and as
 * much again for what the garbage collector has not come to.
 */
const growthMebibytes = 256;

let service: LimiterService;
let residentBefore: number;

beforeAll(async () => {
  service = await startLimiterService({
    configuration: {
      policies: {
        wide: { algorithm: "fixed-window", limit: 1_000_000_000, windowMs: 3_600_000 },
        slow: { algorithm: "fixed-window", limit: 1_000, windowMs: 8_000 },
      },
      default: "wide",
      store: "memory",
    },
  });
  residentBefore = residentMebibytes(service.pid);
}, 60_000);

afterAll(() => service.stop());

/** Does `work` while an honest client asks one thing after the other, and looks at what has become of the service. */
async function whileOthersAsk(work: () => Promise<void>): Promise<void> {
  const client = new Request({ linger: 0, receiveTimeout: 20_000 });
  client.connect(service.zmq);
  let answered = 0;
  const ask = async () => {
    await client.send('{"id": 1}');
    const [answer] = await client.receive();
    expect(JSON.parse(String(answer))).toMatchObject({ id: 1, allowed: true });
    answered += 1;
  };
  await ask();
  let isOver = false;
  const asking = (async () => {
    while (!isOver) await ask();
  })();
  try {
    await Promise.race([work(), asking]);
  } finally {
    isOver = true;
  }
  await asking;
  await ask();
  client.close();
  expect(answered).toBeGreaterThan(2);
  expect(residentMebibytes(service.pid) - residentBefore).toBeLessThan(growthMebibytes);
}

/** Writes again and again as fast as it is taken, so much at most; resolves early when the connection is closed. */
async function pour({ socket, closed }: RawClient, piece: Buffer, bytes: number, withinMs = 10_000) {
  const giveUpAt = performance.now() + withinMs;
  for (let sent = 0; sent < bytes && !socket.destroyed && performance.now() < giveUpAt; sent += piece.length)
    if (!socket.write(piece))
      await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), closed, sleep(1_000)]);
}

test("Whoever does not speak ZeroMQ loses the connection", async () => {
  await whileOthersAsk(async () => {
    const old = Buffer.from(greeting);
    old[10] = 2;
    const encrypting = Buffer.from(greeting);
    encrypting.write("CURVE", 12);
    const starts = ["GET / HTTP/1.1\r\n\r\n", "\x01\x00", randomBytes(100).fill(0xfe, 0, 1), old, encrypting];
    for (const start of starts) {
      const client = await connectRaw(service.zmq);
      client.send(start);
      await client.closed;
    }
  });
});

test("Whoever begins with no proper socket is told so, and loses the connection", async () => {
  await whileOthersAsk(async () => {
    const ready = (type: string) => {
      const text = `\x05READY\x0bSocket-Type\0\0\0${String.fromCharCode(type.length)}${type}`;
      return Buffer.concat([Buffer.from([flag.command, text.length]), Buffer.from(text, "latin1")]);
    };
    const beginnings = [
      ready("PUB"),
      ready(""),
      Buffer.from("\x04\x06\x05READY"),
      part("hello"),
      Buffer.from([4, 0]),
    ];
    for (const beginning of beginnings) {
      const client = await connectRaw(service.zmq);
      client.send(greeting, beginning);
      await client.closed;
    }
  });
});

test("1,000 connections that say nothing, or half a greeting, disturb nobody and are ended", async () => {
  await whileOthersAsk(async () => {
    const clients = await Promise.all(Array.from({ length: 1_000 }, () => connectRaw(service.zmq)));
    for (const [index, client] of clients.entries())
      if (index % 2 === 0) client.send(greeting.subarray(0, 1 + (index % 63)));
    await Promise.all(clients.map(({ closed }) => closed));
  });
}, 60_000);

test("A message may be as long as is allowed, and no longer", async () => {
  await whileOthersAsk(async () => {
    const longest = await connectDealer(service.zmq);
    longest.send(part(`"${"x".repeat(limits.messageBytes - 2)}"`));
    expect(String(await longest.received(1))).toBe("go");
    longest.socket.destroy();
    const tooLong = [
      longHead(BigInt(limits.messageBytes) + 1n),
      longHead(2n ** 64n - 1n),
      longHead(2n ** 63n, flag.more),
      Buffer.concat([part("x".repeat(limits.messageBytes - 10), { more: true }), part("x".repeat(11))]),
      longHead(2n ** 40n, flag.command),
      longHead(BigInt(limits.commandBytes) + 1n, flag.command),
    ];
    for (const start of tooLong) {
      const client = await connectDealer(service.zmq);
      client.send(start);
      await client.closed;
    }
  });
});

test("Frames that never end are held up to a bound for all together, beyond which connections are ended", async () => {
  await whileOthersAsk(async () => {
    const clients = await Promise.all(Array.from({ length: 600 }, () => connectDealer(service.zmq)));
    const start = Buffer.concat([
      longHead(BigInt(limits.messageBytes)),
      Buffer.alloc(limits.messageBytes - 1),
    ]);
    for (const client of clients) client.send(start);
    // All that were too many: what the rest hold fits.
    const fitting = Math.floor(limits.heldBytes / limits.messageBytes);
    const ended = () => clients.filter(({ socket }) => socket.destroyed).length;
    while (ended() < clients.length - fitting) await sleep(20);
    for (const { socket } of clients) socket.destroy();
  });
});

test("A message of parts without end ends the connection", async () => {
  await whileOthersAsk(async () => {
    for (const size of [0, 1, 100, 20_000, 200_000]) {
      const client = await connectDealer(service.zmq);
      const one = part(Buffer.alloc(size), { more: true });
      const piece = Buffer.concat(
        Array.from({ length: Math.max(1, Math.floor(65_536 / one.length)) }, () => one),
      );
      await pour(client, piece, 100_000_000);
      await client.closed;
    }
  });
});

test("Thousands of empty messages are answered, one by one", async () => {
  await whileOthersAsk(async () => {
    const client = await connectDealer(service.zmq);
    client.send(Buffer.alloc(2 * 5_000));
    const answers = await client.received(5_000);
    expect(answers).toHaveLength(5_000);
    expect(new Set(answers.map(String)).size).toBe(1);
    expect(String(answers[0])).toContain("empty");
    client.socket.destroy();
  });
});

test("A body that makes no sense is answered with an error, whatever it is", async () => {
  await whileOthersAsk(async () => {
    const client = new Dealer({ linger: 0, receiveTimeout: 20_000 });
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

test("A client that sends for ever and never reads is heard no further than it reads", async () => {
  await whileOthersAsk(async () => {
    const client = await connectDealer(service.zmq);
    client.socket.pause();
    const list = part(JSON.stringify(Array.from({ length: 100 }, () => ({ verb: "peek" }))));
    await pour(client, Buffer.concat(Array.from({ length: 100 }, () => list)), 100_000_000, 5_000);
    // Its messages stay where they are.
    expect(client.socket.writableLength).toBeGreaterThan(0);
    client.socket.destroy();
  });
});

test("A client that asks for ever whether somebody is there, and never reads, is heard no further than it reads", async () => {
  await whileOthersAsk(async () => {
    const client = await connectDealer(service.zmq);
    client.socket.pause();
    const ping = command("PING", Buffer.from("\0\0"));
    await pour(client, Buffer.concat(Array.from({ length: 5_000 }, () => ping)), 100_000_000, 5_000);
    expect(client.socket.writableLength).toBeGreaterThan(0);
    client.socket.destroy();
  });
});

test("What is under way is held up to a bound, beyond which one is told to ask again", async () => {
  await whileOthersAsk(async () => {
    const client = await connectDealer(service.zmq);
    const body = part('{"verb": "wait", "policy": "slow", "maxWaitMs": 10000}');
    const message = Buffer.concat([
      part("x".repeat(200_000), { more: true }),
      part("", { more: true }),
      body,
    ]);
    client.send(part('{"policy": "slow", "cost": 1000}'));
    for (let sent = 0; sent < 400; sent += 1) client.send(message);
    // The answer to the first, and those three frames each that were too many: the rest is waiting.
    const waiting = Math.floor((64 * 1024 * 1024) / 200_000);
    const early = await client.received(1 + 3 * (400 - waiting));
    expect(String(early.at(-1))).toContain("ask again");
    client.socket.destroy();
  });
});

test("Clients that vanish in the middle of a message, or before its answer, leave nothing behind", async () => {
  await whileOthersAsk(async () => {
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

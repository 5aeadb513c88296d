/**
 * The real process, under random requests.
 * Each body gets one answer of the right kind, and under any bytes of one connection, others are answered.
 */
import { isUtf8 } from "node:buffer";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Dealer, Request } from "zeromq";
import { type LimiterService, startLimiterService } from "../../testing/limiter-service.ts";
import { command, connectRaw, dealerReady, greeting, longHead, part } from "../../testing/raw-zeromq.ts";

const options = { linger: 0 };

let service: LimiterService;
beforeAll(async () => {
  service = await startLimiterService({
    configuration: {
      policies: {
        wide: { algorithm: "fixed-window", limit: 1_000_000_000, windowMs: 3_600_000 },
        narrow: { algorithm: "sliding-log", limit: 2, windowMs: 60_000 },
        bucket: { algorithm: "token-bucket", capacity: 5, refillPerSecond: 1 },
      },
      default: "wide",
      store: "memory",
    },
  });
});
afterAll(() => service.stop());

const anything = fc.oneof(
  fc.constantFrom("", "__proto__", "constructor", null, -1, 0, 1e308, Number.MAX_SAFE_INTEGER, [], {}, [[]]),
  fc.jsonValue({ maxDepth: 3 }),
);
const near = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: value }, { weight: 1, arbitrary: anything });
const nearRequest = fc.record(
  {
    id: near(fc.oneof(fc.string(), fc.integer())),
    verb: near(fc.constantFrom("consume", "peek", "refund", "reset", "rules", "wait")),
    policy: near(fc.constantFrom("wide", "narrow", "bucket", "unknown")),
    key: near(fc.string({ unit: "grapheme" })),
    fields: near(fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.double(), fc.boolean()))),
    cost: near(fc.oneof(fc.double(), fc.integer({ max: 10 }))),
    // Long ones would make the test wait.
    maxWaitMs: near(fc.integer({ min: -1, max: 3 })).filter((ms) => typeof ms !== "number" || ms < 5),
    unknown: anything,
  },
  { requiredKeys: [] },
);
const json = fc
  .oneof(nearRequest, fc.array(nearRequest, { maxLength: 5 }), anything)
  .map((value) => JSON.stringify(value));
/** A valid message with a few bytes changed, removed, or repeated. */
const mutated = fc
  .tuple(
    json,
    fc.array(fc.tuple(fc.nat(), fc.nat({ max: 2 }), fc.nat({ max: 255 })), { minLength: 1, maxLength: 4 }),
  )
  .map(([text, changes]) => {
    let bytes = Buffer.from(text);
    for (const [place, kind, byte] of changes) {
      const at = place % (bytes.length + 1);
      const skipped = kind === 0 ? 1 : 0;
      const added = kind === 2 ? bytes.subarray(at, at + 10) : Buffer.from([byte]);
      bytes = Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + skipped)]);
    }
    return bytes;
  });
const body = fc.oneof(
  json.map((text) => Buffer.from(text)),
  mutated,
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test("answers every body once: a word for text, JSON for all others", async () => {
  const client = new Dealer(options);
  client.connect(service.zmq);
  const property = fc.asyncProperty(body, async (bytes) => {
    await client.send(["", bytes]);
    const [delimiter, answer] = await client.receive();
    expect(delimiter).toHaveLength(0);
    const isText = isUtf8(bytes) && /^[^{[]/.test(bytes.toString().trimStart()) && !isJson(bytes.toString());
    if (isText) expect(String(answer)).toMatch(/^(go|sorry)$/);
    else expect(typeof JSON.parse(String(answer))).toBe("object");
    await client.send("good");
    expect((await client.receive()).map(String)).toEqual(["go"]);
  });
  await fc.assert(property, { numRuns: 1_000 });
  client.close();
});

test("answers each entry of any list, in its place", async () => {
  const client = new Dealer(options);
  client.connect(service.zmq);
  const entry = fc.oneof(nearRequest, anything);
  const property = fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 20 }), async (entries) => {
    await client.send(JSON.stringify(entries));
    const answers = JSON.parse(String(await client.receive()));
    expect(answers).toHaveLength(entries.length);
    for (const answer of answers) expect(Object.keys(answer).length).toBeGreaterThan(0);
  });
  await fc.assert(property, { numRuns: 300 });
  client.close();
});

test("answers other connections under any bytes from one", async () => {
  const client = new Request(options);
  client.connect(service.zmq);
  const bytes = fc.uint8Array({ maxLength: 100 }).map((array) => Buffer.from(array));
  const piece = fc.oneof(
    bytes,
    fc.constantFrom(greeting, dealerReady, command("PING", Buffer.from("\0\0")), command("ERROR")),
    fc.tuple(bytes, fc.boolean()).map(([content, more]) => part(content, { more })),
    fc
      .tuple(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.nat({ max: 255 }))
      .map(([size, flags]) => longHead(size, flags)),
  );
  const isShaken = fc.integer({ min: 0, max: 3 });
  const property = fc.asyncProperty(isShaken, fc.array(piece, { maxLength: 10 }), async (shaken, pieces) => {
    const raw = await connectRaw(service.zmq);
    // Most often valid so far, so that the rest is read.
    if (shaken > 0) raw.send(greeting);
    if (shaken > 1) raw.send(dealerReady);
    raw.send(...pieces);
    await client.send("good");
    expect(String(await client.receive())).toBe("go");
    raw.socket.destroy();
  });
  await fc.assert(property, { numRuns: 200 });
  client.close();
});

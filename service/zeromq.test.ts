/** The real process over ZeroMQ, with clients of libzmq and raw connections. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Dealer, Request } from "zeromq";
import { type LimiterService, startLimiterService } from "../testing/limiter-service.ts";

const configuration = {
  policies: {
    wide: { algorithm: "fixed-window", limit: 1_000_000, windowMs: 3_600_000 },
    single: { algorithm: "fixed-window", limit: 1, windowMs: 300_000 },
  },
  default: "wide",
  store: "memory",
};
const options = { linger: 0 };

let service: LimiterService;
beforeAll(async () => {
  service = await startLimiterService({ configuration });
});
afterAll(() => service.stop());

function dealer({ zmq } = service): Dealer {
  const socket = new Dealer(options);
  socket.connect(zmq);
  return socket;
}

async function sendRequest(socket: Dealer | Request, ...frames: (string | Buffer)[]): Promise<string[]> {
  await socket.send(frames);
  return (await socket.receive()).map(String);
}

test("answers a REQ client, also one that numbers its requests", async () => {
  const client = new Request(options);
  client.correlate = true;
  client.connect(service.zmq);
  const [answer = ""] = await sendRequest(client, '{"id": "a", "key": "k"}');
  expect(JSON.parse(answer)).toMatchObject({ id: "a", allowed: true, remaining: 999_999, policy: "wide" });
  expect(await sendRequest(client, "anything")).toEqual(["go"]);
  client.close();
});

test("returns the envelope unchanged: nothing, an empty frame, addresses of proxies", async () => {
  const client = dealer();
  for (const envelope of [[], [""], ["one", ""], ["one", "x".repeat(300), "three", ""]])
    expect(await sendRequest(client, ...envelope, "please")).toEqual([...envelope, "go"]);
  client.close();
});

test("drops a message whose envelope has more than 8 frames or 1 KiB, counts it and logs it", async () => {
  const client = dealer();
  const largest = [..."123456", "x".repeat(1_018), ""];
  expect(await sendRequest(client, ...largest, "please")).toEqual([...largest, "go"]);
  expect((await sendRequest(client, ...largest, "two", "bodies")).slice(0, -1)).toEqual(largest);
  const tooLarge = [
    [...largest.slice(0, -1), "x", ""],
    ["x".repeat(1_025), ""],
    [..."12345678", ""],
  ];
  for (const envelope of tooLarge) {
    await client.send([...envelope, "please"]);
    await client.send([...envelope, "two", "bodies"]);
  }
  expect(await sendRequest(client, "still here")).toEqual(["go"]);
  const metrics = await (await fetch(`${service.http}/metrics`)).text();
  expect(metrics).toMatch(/^limiter_zeromq_messages_dropped_total 6$/m);
  expect(await service.printed(/dropped/)).toContain("envelope");
  client.close();
});

test("answers unexpected frames with an error", async () => {
  const client = dealer();
  for (const { frames, envelope } of [
    { frames: ["a", "b"], envelope: [] },
    { frames: ["", "a", "b"], envelope: [""] },
    { frames: ["one", "", "a", "b"], envelope: ["one", ""] },
    { frames: ["", "", "a"], envelope: [""] },
  ]) {
    const answer = await sendRequest(client, ...frames);
    expect(answer.slice(0, -1)).toEqual(envelope);
    expect(JSON.parse(answer.at(-1) ?? "")).toEqual({ error: expect.stringContaining("one body") });
  }
  expect(await sendRequest(client, "still here")).toEqual(["go"]);
  client.close();
});

test("checks the default policy for plain text, and answers invalid bodies with a valid example", async () => {
  const client = dealer();
  expect(await sendRequest(client, "\u00e4h \ufffd")).toEqual(["go"]);
  expect(JSON.parse(String(await sendRequest(client, ' \n {"id": 17}')))).toMatchObject({
    id: 17,
    allowed: true,
  });
  for (const { body, error } of [
    { body: "null", error: "must be an object" },
    { body: '"hi"', error: "must be an object" },
    { body: " -5 ", error: "must be an object" },
    { body: "", error: "empty" },
    { body: " \n", error: "empty" },
    { body: Buffer.from([0x7b, 0xff]), error: "UTF-8" },
    { body: "{", error: "not JSON" },
    { body: "[]", error: "1 to 100" },
    { body: JSON.stringify(Array.from({ length: 101 }, () => ({}))), error: "1 to 100" },
    { body: '{"verb": "take"}', error: "must be one of consume" },
    { body: '{"cost": "1"}', error: "must be a number" },
    { body: '{"cots": 1}', error: "cots" },
  ])
    expect(JSON.parse(String(await sendRequest(client, body)))).toEqual({
      error: expect.stringContaining(error),
    });
  expect(JSON.parse(String(await sendRequest(client, '{"id": "mine", "verb": 1}')))).toMatchObject({
    id: "mine",
    error: expect.stringContaining("verb"),
  });
  client.close();
});

test("answers a list as a list in its order, with errors in their places", async () => {
  const client = dealer();
  const requests = [{ id: 1, key: "list" }, { id: 2, verb: "peek", key: "list" }, { id: 3, verb: "no" }, 4];
  const [answer = ""] = await sendRequest(client, JSON.stringify([...requests, { id: 5, key: "list" }]));
  expect(JSON.parse(answer)).toMatchObject([
    { id: 1, allowed: true, remaining: 999_999 },
    { id: 2, allowed: true },
    { id: 3, error: expect.stringContaining("verb") },
    { error: expect.any(String) },
    { id: 5, allowed: true, remaining: 999_998 },
  ]);
  client.close();
});

test("decides requests in the order of their arrival", async () => {
  const client = dealer();
  const count = 2_000;
  for (let id = 0; id < count; id += 1)
    await client.send(JSON.stringify({ id: `order ${id}`, key: "order" }));
  const remaining: number[] = [];
  for (let id = 0; id < count; id += 1) {
    const [body] = await client.receive();
    const answer = JSON.parse(String(body));
    remaining[Number(answer.id.slice("order ".length))] = answer.remaining;
  }
  expect(remaining).toEqual(Array.from({ length: count }, (_, id) => 999_999 - id));
  client.close();
});

test("delays no other request by a wait, and answers it when the service ends", async () => {
  const own = await startLimiterService({ configuration });
  const client = dealer(own);
  await sendRequest(client, '{"policy": "single"}');
  await client.send('{"id": "waits", "policy": "single", "verb": "wait", "maxWaitMs": 600000}');
  await client.send('{"id": "does not wait"}');
  const [first] = await client.receive();
  expect(JSON.parse(String(first))).toMatchObject({ id: "does not wait", allowed: true });
  own.signal("SIGTERM");
  const [second] = await client.receive();
  expect(JSON.parse(String(second))).toMatchObject({ id: "waits", allowed: false });
  expect(await own.ended).toBe(0);
  client.close();
});

test("answers a repeated id with the same answer, counted once, in a list too", async () => {
  const client = dealer();
  const request = '{"id": "again", "key": "repeated"}';
  const first = await sendRequest(client, "", request);
  expect(await sendRequest(client, request)).toEqual(first.slice(1));
  const list = `[${request}, {"id": "later", "key": "repeated"}]`;
  expect(JSON.parse(String(await sendRequest(client, list)))).toMatchObject([
    { remaining: 999_999 },
    { remaining: 999_998 },
  ]);
  client.close();
});

/** The real process with a token: which clients are admitted over ZeroMQ. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { curveKeyPair, Dealer, Request } from "zeromq";
import { type CurveKeyPair, curveKeysFrom } from "../../lib/limiter/curve-keys.ts";
import { type LimiterService, startLimiterService } from "../../testing/limiter-service.ts";
import { connectDealer, connectRaw, greeting, longHead, part } from "../../testing/raw-zeromq.ts";

const token = "a-token-of-more-than-32-characters";
const { client, server } = curveKeysFrom(token);
const configuration = {
  policies: {
    wide: { algorithm: "fixed-window", limit: 1_000_000, windowMs: 3_600_000 },
    single: { algorithm: "fixed-window", limit: 1, windowMs: 300_000 },
  },
  default: "wide",
  store: "memory",
};

let service: LimiterService;
beforeAll(async () => {
  service = await startLimiterService({ configuration, env: { LIMITER_TOKEN: token } });
});
afterAll(() => service.stop());

function keys({ publicKey, secretKey }: CurveKeyPair, { publicKey: curveServerKey } = server) {
  return { curvePublicKey: publicKey, curveSecretKey: secretKey, curveServerKey };
}

async function sendRequest(options: object, body: string): Promise<string> {
  const socket = new Request({ linger: 0, ...options });
  try {
    socket.connect(service.zmq);
    await socket.send(body);
    return String(await socket.receive());
  } finally {
    socket.close();
  }
}

async function attempt(socket: Request, answers: string[]): Promise<void> {
  await socket.send("please");
  answers.push(String(await socket.receive()));
}

/** Resolves when the service has ended the socket's first connection. */
function connectionEnd(socket: Request): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const event of [
    "disconnect",
    "handshake:error:auth",
    "handshake:error:protocol",
    "handshake:error:other",
  ] as const)
    socket.events.on(event, () => resolve());
  return promise;
}

test("answers clients with the token", async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => sendRequest(keys(client), "please")));
  expect(answers).toEqual(Array.from({ length: 20 }, () => "go"));
});

test("does not answer clients with other keys or none, while others are served", async () => {
  const other = curveKeysFrom("another-token-of-more-than-32-characters");
  const strangers = [
    {},
    keys(other.client, other.server),
    keys(other.client),
    keys(curveKeyPair()),
    keys(server),
  ];
  const answers: string[] = [];
  const sockets = strangers.map((options) => new Request({ linger: 0, ...options }));
  const refused = sockets.map(async (socket) => {
    const end = connectionEnd(socket);
    socket.connect(service.zmq);
    // Fails when the socket is closed.
    void attempt(socket, answers).catch(() => {});
    await end;
  });
  for (let round = 0; round < 20; round += 1) expect(await sendRequest(keys(client), "please")).toBe("go");
  await Promise.all(refused);
  for (const socket of sockets) socket.close();
  expect(answers).toEqual([]);
});

test("answers a list, a fault and an empty message as without encryption, in the same envelope", async () => {
  const socket = new Dealer({ linger: 0, ...keys(client) });
  socket.connect(service.zmq);
  for (const envelope of [[], [""], ["one", ""]])
    for (const { body, answer } of [
      { body: '[{"id": 1}, {"id": 2}]', answer: /^\[\{.*"id":2.*\]$/ },
      { body: "{", answer: /not JSON/ },
      { body: "", answer: /empty/ },
    ]) {
      // An empty frame and nothing behind it is an empty body.
      if (envelope.length === 0 && body === "") continue;
      await socket.send([...envelope, body]);
      const frames = (await socket.receive()).map(String);
      expect(frames.slice(0, -1)).toEqual(envelope);
      expect(frames.at(-1)).toMatch(answer);
    }
  socket.close();
});

test("serves others beside unencrypted and foreign connections", async () => {
  for (const pieces of [["GET / HTTP/1.1\r\n\r\n"], [greeting], [greeting, longHead(2n ** 62n)]]) {
    const raw = await connectRaw(service.zmq);
    raw.send(...pieces);
    expect(await sendRequest(keys(client), "please")).toBe("go");
    raw.socket.destroy();
  }
  const plain = await connectDealer(service.zmq);
  plain.send(part("please"));
  await plain.closed;
  expect(plain.frames()).toEqual([]);
});

test("ends the connection of a frame that is too long, after which the client reconnects", async () => {
  const socket = new Dealer({ linger: 0, ...keys(client) });
  socket.connect(service.zmq);
  await socket.send("x".repeat(300_000));
  // Messages sent before the connection has ended are lost with it.
  socket.receiveTimeout = 200;
  let answer = "";
  while (answer === "") {
    await socket.send("please");
    answer = await socket.receive().then(String, () => "");
  }
  expect(answer).toBe("go");
  socket.close();
});

test("answers a waiting request when the service ends", async () => {
  const own = await startLimiterService({ configuration, env: { LIMITER_TOKEN: token } });
  const socket = new Dealer({ linger: 0, ...keys(client) });
  socket.connect(own.zmq);
  await socket.send('{"policy": "single"}');
  await socket.receive();
  await socket.send('{"id": "waits", "policy": "single", "verb": "wait", "maxWaitMs": 600000}');
  await socket.send("and another");
  expect(String(await socket.receive())).toBe("go");
  own.signal("SIGTERM");
  expect(JSON.parse(String(await socket.receive()))).toMatchObject({ id: "waits", allowed: false });
  expect(await own.ended).toBe(0);
  socket.close();
});

test("logs neither the token nor a key", () => {
  for (const secret of [token, client.secretKey, server.secretKey])
    expect(service.output()).not.toContain(secret);
});

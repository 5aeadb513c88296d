/**
 * The process that makes the load.
 * A fixed number of concurrent requests, as `lib/limiter/client.ts` writes them. It does as little as it can,
 * because it shares the processors with the measured service. Its parent sends it the load.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Dealer } from "zeromq";
import { executeTasks } from "../worker.ts";
import type { Load, Loaded } from "./load.ts";

executeTasks(execute);

async function execute(load: Load): Promise<Loaded> {
  const way = load.address.startsWith("http") ? byHttp : byZeromq;
  const startedAt = performance.now();
  const before = process.cpuUsage();
  const latenciesMs = (await way(load)).sort();
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(before);
  const quantile = (share: number) => latenciesMs[Math.floor((latenciesMs.length - 1) * share)] ?? 0;
  return {
    perSecond: load.requests / seconds,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    cpuSeconds: (user + system) / 1_000_000,
  };
}

/** The n-th request's text, and n again from an answer's. Ids never come twice. */
function numbered({ keys }: Load) {
  const head = `"id":"${randomBytes(12).toString("base64url")}.`;
  return {
    request: (number: number) => `{${head}${number}","verb":"consume","key":"key ${number % keys}"}`,
    numberOf: (answer: string) => Number.parseInt(answer.slice(answer.indexOf(head) + head.length, -1), 10),
  };
}

async function byZeromq(load: Load): Promise<Float64Array> {
  const { address, requests, inFlight, expected } = load;
  const { request, numberOf } = numbered(load);
  const sentAt = new Float64Array(requests);
  const latenciesMs = new Float64Array(requests);
  const socket = new Dealer({ linger: 0, sendTimeout: 0, sendHighWaterMark: 0, receiveHighWaterMark: 0 });
  socket.connect(address);
  let sent = 0;
  let answered = 0;
  const send = () => {
    sentAt[sent] = performance.now();
    void socket.send(["", request(sent)]);
    sent += 1;
  };
  while (sent < inFlight) send();
  for await (const [, body] of socket) {
    const answer = body?.toString("latin1") ?? "";
    if (!answer.includes(expected)) throw new Error(`An answer was ${answer}`);
    const number = numberOf(answer);
    latenciesMs[number] = performance.now() - (sentAt[number] ?? 0);
    answered += 1;
    if (sent < requests) send();
    else if (answered === requests) break;
  }
  socket.close();
  return latenciesMs;
}

/** One request at a time on each of this many connections. */
async function byHttp(load: Load): Promise<Float64Array> {
  const { address, requests, inFlight, expected } = load;
  const { hostname, port } = new URL(address);
  const { request } = numbered(load);
  const latenciesMs = new Float64Array(requests);
  const head = `POST /v1/consume HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\nContent-Length: `;
  let sent = 0;

  function sendOn(socket: Socket): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let number = 0;
    let sentAt = 0;
    let received = "";
    const next = () => {
      if (sent === requests) return resolve();
      number = sent;
      sent += 1;
      const body = request(number);
      sentAt = performance.now();
      socket.write(`${head}${body.length}\r\n\r\n${body}`);
    };
    socket.on("data", (chunk: string) => {
      received += chunk;
      const headEnd = received.indexOf("\r\n\r\n");
      const bodyLength = Number(/content-length: *(\d+)/i.exec(received)?.[1]);
      if (headEnd < 0 || received.length < headEnd + 4 + bodyLength) return;
      if (!received.startsWith("HTTP/1.1 200 ") || !received.includes(expected, headEnd))
        return reject(new Error(`An answer was ${received}`));
      received = "";
      latenciesMs[number] = performance.now() - sentAt;
      next();
    });
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("The connection was closed")));
    next();
    return promise;
  }

  const sockets = Array.from({ length: inFlight }, () =>
    connect(Number(port), hostname).setNoDelay().setEncoding("latin1"),
  );
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  await Promise.all(sockets.map(sendOn));
  for (const socket of sockets) socket.destroy();
  return latenciesMs;
}

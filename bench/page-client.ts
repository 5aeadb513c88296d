/**
 * The process that requests one page on many connections.
 *
 * It reads an answer only as far as its end, so that it takes less time than a server that answers from memory.
 */
import { connect } from "node:net";
import { executeTasks } from "./worker.ts";

export type PageLoad = {
  origin: string;
  path: string;
  headers?: Record<string, string>;
  connections: number;
  seconds: number;
};

export interface PagesLoaded {
  perSecond: number;
  latencyMs: { median: number; p99: number; highest: number };
  /** The bytes of one answer, its head included. */
  bytes: number;
}

executeTasks(execute);

async function execute({ origin, path, headers = {}, connections, seconds }: PageLoad): Promise<PagesLoaded> {
  const { hostname, port, host } = new URL(origin);
  const lines = Object.entries({ Host: host, "Accept-Encoding": "gzip, deflate, br", ...headers });
  const head = Buffer.from(
    `GET ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
  );
  const latenciesMs: number[] = [];
  let bytes = 0;
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;

  function visit(): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      let sentAt = 0;
      let received: Buffer = Buffer.alloc(0);
      const send = () => {
        sentAt = performance.now();
        socket.write(head);
      };
      socket.on("connect", send).on("error", reject);
      socket.on("close", () => reject(new Error("The server closed a connection.")));
      socket.on("data", (chunk) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
        const length = answerLength(received);
        if (length === undefined) return;
        const now = performance.now();
        latenciesMs.push(now - sentAt);
        bytes = length;
        received = Buffer.alloc(0);
        if (now < endsAt) return send();
        socket.removeAllListeners("close").destroy();
        resolve();
      });
    });
  }

  await Promise.all(Array.from({ length: connections }, visit));
  const perSecond = (latenciesMs.length / (performance.now() - startedAt)) * 1_000;
  latenciesMs.sort((a, b) => a - b);
  const quantile = (share: number) => latenciesMs[Math.floor((latenciesMs.length - 1) * share)] ?? 0;
  return {
    perSecond,
    latencyMs: { median: quantile(0.5), p99: quantile(0.99), highest: quantile(1) },
    bytes,
  };
}

/** The bytes of a whole answer; undefined while it is incomplete. */
function answerLength(received: Buffer): number | undefined {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const head = received.toString("latin1", 0, headEnd);
  if (!head.startsWith("HTTP/1.1 200 ")) throw new Error(`Not a page: ${head}`);
  const [, length] = /\r\nContent-Length: (\d+)/i.exec(head) ?? [];
  if (length !== undefined) {
    const end = headEnd + 4 + Number(length);
    return received.length >= end ? end : undefined;
  }
  const isWhole = received.subarray(-7).toString("latin1") === "\r\n0\r\n\r\n";
  return isWhole ? received.length : undefined;
}

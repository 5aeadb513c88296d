/** The limiter's HTTP side with a real engine, and connections on which a test says every byte itself. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { memoryStore, type Store } from "../lib/limiter/index.ts";
import { createEngine, type DecisionEvent } from "../service/engine.ts";
import { type HttpSettings, listenOnHttp } from "../service/http.ts";
import type { Engine } from "../service/messages.ts";
import { createMetrics } from "../service/metrics.ts";
import { repeatedRequests } from "../service/repeated-requests.ts";
import { configurationOf } from "./service-configuration.ts";

const giveUpMs = 20_000;

export interface ServedLimits extends HttpSettings {
  /** As the configuration file writes them. The first is the default. */
  policies?: Record<string, object>;
  rules?: object[];
  store?: Store;
  /** Asked in the engine's place. */
  ask?: Engine["ask"];
}

/** Listens on a free port of the loopback address. */
export async function startHttp({
  policies = { demo: { algorithm: "fixed-window", limit: 5, windowMs: 60_000 } },
  rules = [],
  store = memoryStore(),
  ask,
  ...settings
}: ServedLimits = {}) {
  const configuration = configurationOf({ policies, rules });
  const metrics = createMetrics();
  let allowed = 0;
  const onDecision = (event: DecisionEvent) => {
    if (event.allowed) allowed += 1;
    metrics.decided(event);
  };
  const engine = createEngine({ configuration, store, report: () => {}, onDecision });
  const configured = () => ({ policies, default: configuration.default, rules });
  const listener = await listenOnHttp("127.0.0.1:0", repeatedRequests(ask ? { ask } : engine), {
    metrics,
    configured,
    ...settings,
  });
  const port = Number(new URL(listener.address).port);

  return {
    origin: listener.address,
    port,
    /** How many requests were allowed: what has been counted. */
    allowed: () => allowed,
    close: () => listener.close(),
    /** Asks with JSON. */
    post: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      fetch(listener.address + path, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "Content-Type": "application/json", ...headers },
      }),
  };
}

export type HttpService = Awaited<ReturnType<typeof startHttp>>;

/** A request as it goes over the wire. */
export function wireRequest(path: string, body: string, headers = ""): string {
  return `POST ${path} HTTP/1.1\r\nHost: limiter\r\nContent-Type: application/json\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

export interface RawConnection {
  socket: Socket;
  /** Resolves to all that has come, as soon as it matches. Rejects when the connection closes before, or in the end. */
  until(pattern: RegExp): Promise<string>;
  /** Resolves to all that has come when the server has closed the connection, by a reset too. */
  closed(): Promise<string>;
}

export async function connectRaw(port: number, text: string | Buffer = ""): Promise<RawConnection> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  let received = "";
  socket.on("data", (chunk: Buffer) => {
    received += chunk.toString("latin1");
  });
  socket.on("error", () => {});
  socket.write(text);

  async function wait(isOver: () => boolean): Promise<string> {
    const deadline = AbortSignal.timeout(giveUpMs);
    while (!isOver()) {
      if (socket.closed) throw new Error(`The connection is closed. What came: ${received}`);
      const stop = new AbortController();
      const signal = AbortSignal.any([deadline, stop.signal]);
      await Promise.race([once(socket, "data", { signal }), once(socket, "close", { signal })]);
      stop.abort();
    }
    return received;
  }
  return {
    socket,
    until: (pattern) => wait(() => pattern.test(received)),
    closed: () => wait(() => socket.closed),
  };
}

/** The bodies of answers that follow each other on a connection. */
export function bodiesOf(received: string): unknown[] {
  return received
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter((answer) => answer !== "" && !answer.startsWith("HTTP/1.1 100"))
    .map((answer) => JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4)));
}

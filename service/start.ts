/**
 * The limiter as a service.
 * Starts and ends its parts together.
 */

import { errorCode } from "../db/error-code.ts";
import { Failure } from "../db/failure.ts";
import type { Log } from "../lib/logging/create-log.ts";
import { errorMessage } from "../lib/logging/error-message.ts";
import { throttle } from "../lib/logging/throttle.ts";
import { type Configuration, configurationReader, faultLines, watchFiles } from "./configuration/index.ts";
import { createEngine } from "./engine.ts";
import { listenOnHttp } from "./http.ts";
import { idempotent } from "./idempotency.ts";
import type { Listener } from "./listener.ts";
import { createMetrics } from "./metrics.ts";
import { addressBeyondLoopback } from "./peers/settings.ts";
import { openPeers, type Peers } from "./peers.ts";
import { reloading } from "./reload.ts";
import { openStore, secretsOf } from "./store.ts";
import { envelopeMaximum } from "./zeromq/dispatcher.ts";
import { listenOnZeromq } from "./zeromq.ts";

export interface ServiceSettings {
  /** The path of the configuration file, and its name in messages. */
  source: { file: string; name: string };
  /** Where it listens: "tcp://127.0.0.1:7777" and "127.0.0.1:7778". */
  zeromq: string;
  http: string;
  /** The token that a client must have; without one all clients have access. */
  token?: string | undefined;
  /** Makes the log, without these secrets. */
  logWithout: (secrets: readonly string[]) => Log;
}

export interface Service {
  /** Where it listens, with the ports that were chosen for 0. */
  zeromq: string;
  http: string;
  log: Log;
  /** Faults that did not keep the service from starting. */
  warnings: readonly string[];
  /** Reads the configuration file again, changed or not. */
  reload(): void;
  /** Accepts no more requests, answers those in flight, and closes the store. */
  close(): Promise<void>;
}

/**
 * Starts the service.
 * Rejects with a `Failure` that lists the faults, one a line; then nothing is open.
 */
export async function startService({ source, token, ...settings }: ServiceSettings): Promise<Service> {
  const read = configurationReader(source.file);
  const reading = await read();
  if ("faults" in reading) throw new Failure(faultLines(source.name, reading.faults).join("\n"));
  const { configuration, seen, lineOf } = reading;
  const log = settings.logWithout([...(token ? [token] : []), ...secretsOf(configuration.store)]);
  const report = throttle((err: unknown) => log.error({ err }, "unexpected error"));

  const faultAt = (part: string, message: string) =>
    new Failure(
      faultLines(source.name, [{ line: lineOf([part]), message: `${part}: ${message}` }]).join("\n"),
    );
  const reached = configuration.peers && addressBeyondLoopback(configuration.peers);
  if (reached && !token)
    throw faultAt("peers", `${reached} is on other machines: set LIMITER_TOKEN, the same one everywhere`);

  const store = await openStore(configuration.store, log).catch((error) => {
    throw faultAt("store", `cannot be opened: ${errorMessage(error)}`);
  });
  let peers: Peers | undefined;
  const listeners: Listener[] = [];
  async function close(): Promise<void> {
    await Promise.all(listeners.map((listener) => listener.close()));
    // After the listeners: their last grants are published, too.
    await peers?.close();
    await store.close();
  }
  try {
    const metrics = createMetrics();
    const reportUndecided = throttle((err: unknown, policy?: string) =>
      log.error({ err, policy }, "limiter states could not be read or written"),
    );
    const engine = createEngine({
      configuration,
      store: store.store,
      report(error, policy) {
        if (policy !== undefined) metrics.outage(policy);
        reportUndecided(error, policy);
      },
      onDecision: metrics.decided,
      ...(configuration.peers && { onCounted: (event) => peers?.publish(event) }),
    });
    if (configuration.peers) {
      const { publish } = configuration.peers;
      const peersSettings = { settings: configuration.peers, token, count: engine.count, log };
      peers = await openPeers(peersSettings).catch((error) => {
        throw faultAt("peers", `${publish.address} cannot be published on: ${whyNot(error)}`);
      });
      metrics.setPeers(peers);
    }
    const executor = idempotent(engine);
    metrics.setPresent(() => ({ waiting: engine.waiting(), keptAnswers: executor.kept() }));
    let written = configuration.written;
    const listen = async (address: string, begin: () => Promise<Listener>) => {
      const listener = await begin().catch((error) => {
        throw new Failure(`${address} cannot be listened on: ${whyNot(error)}.`);
      });
      listeners.push(listener);
      return listener.address;
    };
    const warnOfEnvelope = throttle(
      () => log.warn({ maximum: envelopeMaximum }, "a ZeroMQ message was dropped: its envelope is too large"),
      60_000,
    );
    const onDropped = () => {
      metrics.messageDropped();
      warnOfEnvelope();
    };
    const warnOfUnread = throttle(
      () => log.warn("an answer over ZeroMQ was dropped: its client does not read, or too slowly"),
      60_000,
    );
    const onUnread = () => {
      metrics.answerDropped();
      warnOfUnread();
    };
    const zeromq = await listen(settings.zeromq, () =>
      listenOnZeromq(settings.zeromq, executor, { token, report, onDropped, onUnread }),
    );
    const http = await listen(settings.http, () =>
      listenOnHttp(settings.http, executor, { token, metrics, configured: () => written, report }),
    );
    const use = (changed: Configuration) => {
      engine.use(changed);
      written = changed.written;
    };
    const watcher = watchFiles(
      seen,
      reloading({ name: source.name, read, configuration, use, reloaded: metrics.reloaded, log }),
      (err) => log.warn({ err }, `changes of ${source.name} are not noticed here: send SIGHUP after each`),
    );
    return {
      zeromq,
      http,
      log,
      reload: watcher.reload,
      warnings: store.warning ? [store.warning] : [],
      async close() {
        watcher.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function whyNot(error: unknown): string {
  switch (errorCode(error)) {
    case "EADDRINUSE":
      return "another program listens there; end that, or name another port";
    case "EADDRNOTAVAIL":
    case "ENODEV":
    case "ENOTFOUND":
      return "it is not an address of this machine";
    case "EACCES":
      return "it is not allowed; ports below 1024 may take an administrator";
    default:
      return errorMessage(error);
  }
}

/**
 * Lets a server end, asked to by SIGTERM, behind a proxy that has others to turn to, so that no request is lost on the way.
 *
 * By itself a closing server ends every connection that is idle at that moment, and a request that is just being sent on one
 * of them gets a reset; a proxy must not repeat it when it is a POST. So here all goes on as before for a while, but for
 * `/readyz`: whoever asks there, or has just seen another server come back, has the time to go by it. Then new connections
 * are refused, which a proxy answers by going elsewhere; each further answer ends its connection, and says so; and a connection
 * on which nothing comes ends when its client has been told that it would.
 */
import { Server, ServerResponse } from "node:http";
import { isStopping } from "../observe/stopping.ts";

/** Longer than nginx takes a server that it could not reach for dead: with `fail_timeout=2s`, up to three seconds. */
const noticeMs = 3_000;
/** How short a turn of the event loop must be to tell that nobody waits, and how many are awaited. */
const quietMs = 1;
const turnsMaximum = 200;

/** For every HTTP server of this process. */
export function closeWithoutLoss(): void {
  const closing = new WeakSet<Server>();
  const { prototype } = Server;
  const { close, emit } = prototype;

  prototype.emit = function (this: Server, event: string | symbol, ...values: unknown[]) {
    const [, response] = values;
    if (event === "request" && response instanceof ServerResponse && closing.has(this))
      response.shouldKeepAlive = false;
    return Reflect.apply(emit, this, [event, ...values]);
  };

  prototype.close = function (this: Server, callback?: (error?: Error) => void) {
    if (!isStopping() || closing.has(this)) return Reflect.apply(close, this, [callback]);
    setTimeout(() => {
      whenQuiet(() => {
        closing.add(this);
        // Closing calls this, of all idle connections.
        this.closeIdleConnections = () => {};
        Reflect.apply(close, this, [callback]);
      });
    }, noticeMs);
    return this;
  };
}

/**
 * Connections that the system has accepted, and this process not yet, are reset when it stops listening. They are fetched at
 * each turn of the event loop, so after a short one there is hardly any.
 */
function whenQuiet(work: () => void, turns = turnsMaximum): void {
  const startedAt = performance.now();
  setImmediate(() => {
    if (performance.now() - startedAt < quietMs || turns === 0) work();
    else whenQuiet(work, turns - 1);
  });
}

/**
 * A ZeroMQ server that is blocked while a client overloads it and disconnects.
 * The client sends more than the server can receive, with heartbeats. Then the server continues, answers another
 * client, and ends.
 */
import { idempotent } from "../service/idempotency.ts";
import { listenOnZeromq } from "../service/zeromq.ts";
import { command, connectDealer, part } from "./raw-zeromq.ts";

/**
 * Long enough for libzmq's thread to read the data that has arrived.
 * Nothing fails when it is not.
 */
const blockedMs = 200;
function blockThread(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, blockedMs);
}

const listener = await listenOnZeromq(
  "tcp://127.0.0.1:*",
  idempotent({ execute: async () => ({ reset: true }) }),
);
const message = Buffer.concat([part('{"verb": "reset"}'), command("PING", Buffer.alloc(2))]);
const { socket } = await connectDealer(listener.address);
socket.write(Buffer.concat(Array.from({ length: 5_000 }, () => message)));
blockThread();
socket.resetAndDestroy();
blockThread();

const next = await connectDealer(listener.address);
next.send(part('{"verb": "reset"}'));
process.stdout.write(`${await next.received(1)}\n`);
next.socket.destroy();
await listener.close();

/**
 * A ZeroMQ client in a thread, for a server whose thread is blocked.
 * At the first message it sends a request, and notifies `isRead` when the server can receive it.
 * Posts "connected", then the number of answers.
 */
import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";
import { command, connectDealer, part } from "./raw-zeromq.ts";

if (!parentPort) throw new Error("It runs as a worker");
const { address, isRead }: { address: string; isRead: Int32Array } = workerData;
const client = await connectDealer(address);
parentPort.postMessage("connected");
await once(parentPort, "message");
// libzmq's own thread answers a PING. It passes on the request at the latest before it reads the second one.
const ping = command("PING", Buffer.alloc(2));
let pongs = 0;
client.socket.on("data", (data: Buffer) => {
  if (!data.includes("PONG")) return;
  pongs += 1;
  if (pongs === 1) client.send(ping);
  if (pongs !== 2) return;
  Atomics.store(isRead, 0, 1);
  Atomics.notify(isRead, 0);
});
client.send(part("{}"), ping);
parentPort.postMessage((await client.received(1)).length);
client.socket.destroy();

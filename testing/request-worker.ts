/**
 * A ZeroMQ client in a thread, for a server whose thread is blocked.
 * At the first message it sends a request, and wakes the address in `workerData` when the server's libzmq has read it.
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
// libzmq's own thread answers the PING, after the request before it.
client.socket.on("data", (data: Buffer) => {
  if (!data.includes("PONG")) return;
  Atomics.store(isRead, 0, 1);
  Atomics.notify(isRead, 0);
});
client.send(part("{}"), command("PING", Buffer.alloc(2)));
parentPort.postMessage((await client.received(1)).length);
client.socket.destroy();

/**
 * The floor that the service is compared with.
 * Over ZeroMQ and HTTP each message comes back as it is, in the plainest way that the packages' own documents show.
 * Prints its addresses.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { Router } from "zeromq";

const router = new Router();
await router.bind("tcp://127.0.0.1:*");
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    response.setHeader("content-type", "application/json");
    response.end(Buffer.concat(chunks));
  });
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const bound = server.address();
if (bound === null || typeof bound === "string") throw new Error("An HTTP server has a port");
process.send?.({ zmq: router.lastEndpoint, http: `http://127.0.0.1:${bound.port}` });
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.((user + system) / 1_000_000);
});
process.on("disconnect", () => process.exit());

for await (const frames of router) await router.send(frames);

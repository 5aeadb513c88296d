/** The service over HTTP: the same JSON, for everybody without ZeroMQ. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { Engine } from "./messages.ts";
import type { Listener } from "./zeromq.ts";

export async function listenOnHttp(address: string, _engine: Engine): Promise<Listener> {
  const { hostname, port } = new URL(`http://${address}`);
  const server = createServer((_, response) => {
    response.statusCode = 404;
    response.end();
  });
  server.listen(Number(port), hostname);
  await once(server, "listening");
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("An HTTP server has a port");
  return {
    address: `http://${hostname}:${bound.port}`,
    async close() {
      server.close();
      await once(server, "close");
    },
  };
}

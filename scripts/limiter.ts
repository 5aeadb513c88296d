/** `npm run limiter`: the limiter as a service, over ZeroMQ and HTTP. */
import { parseArgs } from "node:util";
import { memoryStore } from "../lib/limiter/index.ts";
import { readConfiguration } from "../service/configuration.ts";
import { createEngine } from "../service/engine.ts";
import { listenOnHttp } from "../service/http.ts";
import { listenOnZeromq } from "../service/zeromq.ts";

const { values } = parseArgs({
  options: {
    config: { type: "string", default: "limiter.json" },
    zmq: { type: "string", default: "tcp://127.0.0.1:7777" },
    http: { type: "string", default: "127.0.0.1:7778" },
  },
});

const engine = createEngine({ configuration: readConfiguration(values.config), store: memoryStore() });
const zeromq = await listenOnZeromq(values.zmq, engine);
const http = await listenOnHttp(values.http, engine);
console.log(`The limiter answers on ${zeromq.address} and ${http.address}`);

process.once("SIGTERM", async () => {
  await Promise.all([zeromq.close(), http.close()]);
});

/** The service over ZeroMQ: a ROUTER that plain REQ clients of any language ask. */
import { Router } from "zeromq";
import { type Engine, requestSchema } from "./messages.ts";

export interface Listener {
  /** Where it listens, with the port that was chosen for 0. */
  address: string;
  /** Takes nothing new, answers what is in flight, and resolves when that is done. */
  close(): Promise<void>;
}

export async function listenOnZeromq(address: string, engine: Engine): Promise<Listener> {
  const router = new Router();
  await router.bind(address);
  const serving = serve(router, engine);
  return {
    address: router.lastEndpoint ?? address,
    async close() {
      router.close();
      await serving;
    },
  };
}

async function serve(router: Router, engine: Engine): Promise<void> {
  for await (const frames of router) {
    const [routingId, delimiter, body] = frames;
    const answer = await answerTo(body?.toString() ?? "", engine);
    if (routingId && delimiter) await router.send([routingId, delimiter, answer]);
  }
}

async function answerTo(text: string, engine: Engine): Promise<string> {
  if (!text.startsWith("{")) {
    const answer = await engine.ask({ verb: "consume" });
    return "allowed" in answer && answer.allowed ? "go" : "sorry";
  }
  const request = requestSchema.safeParse(JSON.parse(text));
  return JSON.stringify(request.success ? await engine.ask(request.data) : { error: request.error.message });
}

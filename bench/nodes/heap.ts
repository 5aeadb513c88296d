/** A look into another Node process, through its inspector, which a signal opens. */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Node } from "../../testing/cluster.ts";

/**
 * A setting for nodes that `heapMebibytes` measures.
 * The inspector takes any free port.
 */
export const inspectable = { NODE_OPTIONS: "--inspect-port=127.0.0.1:0" };

const patienceMs = 10_000;
const reply = z.object({
  result: z.object({ result: z.object({ value: z.number() }).optional() }).optional(),
});

/** A node's heap and external memory after garbage collection, in MiB. */
export async function heapMebibytes(node: Node): Promise<number> {
  const inspector = new WebSocket(await inspectorOf(node));
  await once(inspector, "open");
  const call = async (method: string, params = {}) => {
    const answer = once(inspector, "message");
    inspector.send(JSON.stringify({ id: 1, method, params }));
    const [message]: unknown[] = await answer;
    return reply.parse(JSON.parse(message instanceof MessageEvent ? message.data : "")).result?.result?.value;
  };
  // The second collection takes the objects that the first has released.
  for (let time = 0; time < 2; time += 1) await call("HeapProfiler.collectGarbage");
  const expression = "(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())";
  const bytes = await call("Runtime.evaluate", { expression });
  inspector.close();
  await once(inspector, "close");
  if (bytes === undefined) throw new Error("The inspector did not say how large the heap is.");
  return bytes / 2 ** 20;
}

async function inspectorOf(node: Node): Promise<string> {
  process.kill(node.pid, "SIGUSR1");
  const giveUpAt = performance.now() + patienceMs;
  while (performance.now() < giveUpAt) {
    for (const line of node.log) {
      const [, address] = /^Debugger listening on (ws:\S+)$/.exec(line) ?? [];
      if (address !== undefined) return address;
    }
    await sleep(10);
  }
  throw new Error("The node has opened no inspector.");
}

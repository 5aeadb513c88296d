/**
 * The process that makes the load.
 *
 * Each person has a connection that stays open, sends one request after the other and waits for each answer. Its parent
 * sends it the load, and it sends back the result.
 */
import { Agent, request } from "node:http";
import { executeTasks } from "../worker.ts";
import type { Load, Loaded, LoadRequest, LoadUser } from "./load.ts";

executeTasks(execute);

async function execute({ origin, people, seconds, times = 1 }: Load): Promise<Loaded> {
  const latenciesMs: number[] = [];
  const answers: Record<string, number> = {};
  const processorBefore = process.cpuUsage();
  const startedAt = performance.now();
  const endsAt = startedAt + (seconds ?? Number.POSITIVE_INFINITY) * 1_000;

  async function actAs(person: LoadUser): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let time = 0; seconds === undefined ? time < times : performance.now() < endsAt; time += 1)
      for (const each of person.requests) {
        const sentAt = performance.now();
        if (sentAt >= endsAt) break;
        const answer = await sendRequest(agent, origin, person, each);
        latenciesMs.push(performance.now() - sentAt);
        answers[answer] = (answers[answer] ?? 0) + 1;
      }
    agent.destroy();
  }

  await Promise.all(people.map(actAs));
  const { user, system } = process.cpuUsage(processorBefore);
  latenciesMs.sort((a, b) => a - b);
  const quantile = (share: number) => latenciesMs[Math.floor((latenciesMs.length - 1) * share)] ?? 0;
  return {
    answered: latenciesMs.length,
    seconds: (performance.now() - startedAt) / 1_000,
    answers,
    latencyMs: { median: quantile(0.5), p99: quantile(0.99), highest: quantile(1) },
    processorSeconds: (user + system) / 1_000_000,
  };
}

/** Resolves to the status of a fully read answer, or to the error's code. */
function sendRequest(
  agent: Agent,
  origin: string,
  { cookie }: LoadUser,
  { method, path, body }: LoadRequest,
): Promise<string> {
  return new Promise((resolve) => {
    const headers = {
      "accept-encoding": "gzip",
      ...(cookie !== undefined && { cookie }),
      ...(body !== undefined && { "content-type": "application/json", "content-length": body.length }),
    };
    const sent = request(`${origin}${path}`, { agent, method, headers }, (answer) => {
      answer
        .resume()
        .on("end", () => resolve(`${answer.statusCode}`))
        .on("error", failed);
    });
    function failed(error: NodeJS.ErrnoException) {
      resolve(error.code ?? error.message);
    }
    sent.on("error", failed).end(body);
  });
}

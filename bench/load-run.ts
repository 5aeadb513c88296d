/** One load on one server of this machine, by autocannon, bounded in time. */
import autocannon, { type Options, type Result } from "autocannon";
import { z } from "zod";

export interface Load {
  connections: number;
  seconds: number;
  /** Sent as fast as they are answered, unless set. */
  perSecond?: number;
  /** The load ends early when so many are answered. */
  atMost?: number;
  next: () => LoadRequest;
}

export interface LoadRequest {
  path: string;
  cookie?: string;
  /** A rating with this score; a page without one. */
  score?: number;
}

export interface LoadResult {
  name: string;
  perSecond: number;
  medianMs: number;
  p99Ms: number;
  /** Requests without an answer, and answers other than a success or a 429. */
  errors: number;
  /** The counts of the answers to ratings. */
  saved: number;
  held: number;
  refused: number;
}

const timeoutSeconds = 10;
const savedRating = z.object({ held: z.boolean().optional() });

export async function runLoad(name: string, origin: string, load: Load): Promise<LoadResult> {
  if (!origin.startsWith("http://127.0.0.1:")) throw new Error("A load test is for this machine alone.");
  const outcome = { saved: 0, held: 0, refused: 0, pages: 0, others: 0 };
  const answered = () => Object.values(outcome).reduce((sum, count) => sum + count, 0);
  const startedAt = performance.now();
  let endedAt = 0;
  const { latency, errors } = await new Promise<Result>((resolve, reject) => {
    const options: Options = {
      url: origin,
      connections: load.connections,
      duration: load.seconds,
      timeout: timeoutSeconds,
      ...(load.perSecond !== undefined && { overallRate: load.perSecond }),
      requests: [
        {
          setupRequest: (request) => ({ ...request, ...messageOf(load.next()) }),
          onResponse(status, body) {
            if (status === 429) outcome.refused += 1;
            else if (status === 200) outcome.pages += 1;
            else if (status !== 201) outcome.others += 1;
            else if (savedRating.parse(JSON.parse(body)).held) outcome.held += 1;
            else outcome.saved += 1;
            if (answered() < (load.atMost ?? Number.POSITIVE_INFINITY)) return;
            endedAt ||= performance.now();
            running.stop();
          },
        },
      ],
    };
    const running = autocannon(options, (error, result) => (error ? reject(error) : resolve(result)));
  });
  const ranMs = Math.min((endedAt || performance.now()) - startedAt, load.seconds * 1_000);
  return {
    name,
    perSecond: (answered() / ranMs) * 1_000,
    medianMs: latency.p50,
    p99Ms: latency.p99,
    errors: errors + outcome.others,
    saved: outcome.saved,
    held: outcome.held,
    refused: outcome.refused,
  };
}

function messageOf({ path, cookie, score }: LoadRequest) {
  const headers = { "accept-encoding": "gzip, br", ...(cookie !== undefined && { cookie }) };
  if (score === undefined) return { method: "GET" as const, path, headers };
  return {
    method: "POST" as const,
    path,
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ score }),
  };
}

/**
 * A load on one address, from a process of its own.
 * Autocannon, always with the same number of connections.
 */
import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";

const autocannon = resolve("node_modules/autocannon/autocannon.js");
const connections = 8;

interface Result {
  requests: { total: number };
  duration: number;
  errors: number;
  timeouts: number;
  non2xx: number;
}

/**
 * How many requests a second were answered.
 * Throws when one of them was not, or not with success.
 */
export async function requestsPerSecond(
  url: string,
  { seconds, cookie }: { seconds: number; cookie?: string | undefined },
): Promise<number> {
  const headers = cookie ? ["--headers", `cookie=${cookie}`] : [];
  const { stdout } = await promisify(execFile)(process.execPath, [
    autocannon,
    ...["--connections", String(connections), "--duration", String(seconds), "--json", "--no-progress"],
    ...headers,
    url,
  ]);
  const { requests, duration, errors, timeouts, non2xx }: Result = JSON.parse(stdout);
  if (errors + timeouts + non2xx > 0 || requests.total === 0)
    throw new Error(
      `${url}: ${requests.total} answers, ${non2xx} failures, ${errors} errors, ${timeouts} timeouts`,
    );
  return requests.total / duration;
}

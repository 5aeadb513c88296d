/** Checks the surroundings: Node.js, the packages, the disk and Redis. */
import { readFileSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import { redisClientOptions } from "../../lib/limiter/redis.ts";
import { errorMessage } from "../../lib/logging/error-message.ts";
import { type DoctorCheck, fault, firstOf, ok, warning } from "./check.ts";

const mebibyte = 2 ** 20;

/**
 * Whether the packages are installed in the versions that package.json names.
 * `folder` is the project's.
 */
export function packageCheck(folder: string): DoctorCheck {
  const { dependencies } = packageAt(folder);
  const wrong = Object.entries(dependencies).flatMap(([name, wanted]) => {
    const found = installedVersion(folder, name);
    return found === wanted ? [] : [`${name} is ${found ?? "missing"}, not ${wanted}`];
  });
  return wrong.length === 0
    ? ok("packages", `All ${Object.keys(dependencies).length} are those of package.json.`)
    : fault("packages", `${firstOf(wrong)}. npm ci installs what package.json names.`);
}

/** Whether a folder has room for a backup of this many bytes, and for daily use. */
export function diskCheck(folder: string, databaseBytes: number): DoctorCheck {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const finding = `${Math.floor(free / mebibyte)} MiB are free in ${folder}.`;
  if (free < 100 * mebibyte) return fault("disk", `${finding} Make room: soon nothing can be saved.`);
  if (free < 1024 * mebibyte || free < 2 * databaseBytes)
    return warning("disk", `${finding} Make room, for backups too.`);
  return ok("disk", finding);
}

/**
 * Whether Redis answers.
 * The result leaves the address out: it may contain a password.
 */
export async function redisCheck(url: string): Promise<DoctorCheck> {
  const client = new Redis(url, { ...redisClientOptions, lazyConnect: true, retryStrategy: () => null });
  let reason = "";
  client.on("error", (error: Error) => {
    reason = error.message;
  });
  try {
    await client.connect();
    await client.ping();
    return ok("redis", "It answers.");
  } catch (error) {
    reason ||= errorMessage(error);
    return fault("redis", `It cannot be reached at REDIS_URL (${reason}): start it, or set LIMITER_STORE.`);
  } finally {
    client.disconnect();
  }
}

function packageAt(folder: string): { version?: string; dependencies: Record<string, string> } {
  const { version, dependencies = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return { version, dependencies };
}

function installedVersion(folder: string, name: string): string | undefined {
  try {
    return packageAt(join(folder, "node_modules", name)).version;
  } catch {
    return undefined;
  }
}

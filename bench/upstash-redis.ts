/**
 * `@upstash/ratelimit` speaks to Upstash's servers over HTTP.
 * This lets it run on a plain Redis, by ioredis.
 */
import { createHash } from "node:crypto";
import { Redis as UpstashRedis } from "@upstash/redis";
import type { Redis } from "ioredis";

/**
 * The client that `@upstash/ratelimit` expects, on ioredis.
 * It uses `evalsha` and `eval`, for limits that are the same for all.
 *
 * Its scripts begin with a flag that only Upstash's servers know (`#!lua flags=allow-key-locking`) and a plain Redis
 * refuses. That line is left out, so a script has another SHA-1 here than the one it is called by.
 */
export class PlainRedis extends UpstashRedis {
  readonly #client: Redis;
  readonly #knownBy = new Map<string, string>();

  constructor(client: Redis) {
    super({ request: () => Promise.reject(new Error("Only scripts are run here.")) });
    this.#client = client;
  }

  // Only the caller knows the type of a script's answer, so it gives both type arguments, as in the class.
  override evalsha = <Values extends unknown[], Answer = unknown>(
    sha1: string,
    keys: string[],
    values: Values,
  ): Promise<Answer> => {
    const known = this.#knownBy.get(sha1);
    if (known === undefined) return Promise.reject(new Error("NOSCRIPT No matching script"));
    return this.#client.evalsha(known, keys.length, ...keys, ...values.map(String)) as Promise<Answer>;
  };

  override eval = async <Values extends unknown[], Answer = unknown>(
    script: string,
    keys: string[],
    values: Values,
  ): Promise<Answer> => {
    const plain = script.replace(/^#!.*\n/, "\n");
    await this.#client.script("LOAD", plain);
    this.#knownBy.set(sha1Of(script), sha1Of(plain));
    return this.evalsha<Values, Answer>(sha1Of(script), keys, values);
  };
}

function sha1Of(script: string): string {
  return createHash("sha1").update(script).digest("hex");
}

/** The documents' examples with Redis, as they are printed. */
import { expect, onTestFinished, test } from "vitest";
import { startRedis } from "../scripts/cluster/start-redis.ts";
import { runModule, snippet } from "../testing/snippets.ts";

test("decides with Redis as the library's README shows", async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const code = snippet("lib/limiter/README.md", "new Redis(");
  // On a busy machine the first may take longer than it may: the README documents that rejection.
  const after = `let decision;
while (!decision)
  decision = await limiter.consume("client 7").catch((error) => {
    if (error.name !== "RedisStoreError") throw error;
  });
console.log(decision.allowed, decision.limit);
client.disconnect();`;
  expect(await runModule(code, { after, addresses: { redis: redis.url } })).toBe("true 20\n");
});

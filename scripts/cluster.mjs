/**
 * `npm run cluster`: a try-out of many nodes on one machine. PostgreSQL, Redis, two nodes and nginx start on free ports, on
 * a new database; Ctrl-C ends all of it, and nothing stays.
 */
import { buildApp } from "./build.mjs";
import { installPackages } from "./install.mjs";
import { installNginx } from "./install-nginx.mjs";
import { installRedis } from "./install-redis.mjs";
import { runNode } from "./node-runtime.mjs";
import { main } from "./step.mjs";

await main(async () => {
  await installPackages();
  await installRedis();
  await installNginx();
  await buildApp();
  const { code } = await runNode(["testing/run-cluster.ts", ...process.argv.slice(2)]);
  return code;
});

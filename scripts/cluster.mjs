/**
 * `npm run cluster`: a try-out of many nodes on one machine.
 * PostgreSQL, Redis, two nodes and nginx start on free ports, on a new database; Ctrl-C ends all of it, and nothing
 * stays.
 */
import { buildApp } from "./build.mjs";
import { installPackages } from "./install.mjs";
import { runNode } from "./node-runtime.mjs";
import { main } from "./step.mjs";
import { installPrograms, programs } from "./test-programs.mjs";

await main(async () => {
  await installPackages();
  await installPrograms([programs.redis, programs.nginx]);
  await buildApp();
  const { code } = await runNode(["scripts/cluster/run-cluster.ts", ...process.argv.slice(2)]);
  return code;
});

/**
 * The cluster of `npm run cluster`, until a signal comes.
 * `--nodes 3` for another number of nodes.
 */
import { once } from "node:events";
import { parseArgs } from "node:util";
import { startCluster } from "./cluster.ts";

const { values } = parseArgs({ options: { nodes: { type: "string", default: "2" } } });
const nodeCount = Number(values.nodes);
if (!Number.isInteger(nodeCount) || nodeCount < 1 || nodeCount > 8) {
  process.stderr.write("--nodes must be a whole number from 1 to 8.\n");
  process.exit(2);
}

const stopped = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM"), once(process, "SIGHUP")]);
const cluster = await startCluster({ nodeCount });
process.stdout.write(
  [
    `nginx       ${cluster.origin}  (use this one)`,
    ...cluster.nodes.map(({ origin }, index) => `node ${index + 1}      ${origin}`),
    `PostgreSQL  127.0.0.1:${cluster.postgres.port}`,
    `Redis       ${cluster.redis.url}`,
    "Ctrl-C ends all of it.",
    "",
  ].join("\n"),
);
await stopped;
await cluster.stop();

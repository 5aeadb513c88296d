/**
 * `npm run bench`:
 * the benchmarks of one process, as tables of ratios with targets. `npm run bench -- lists scale` runs those parts,
 * `npm run bench:nodes` those of several nodes, `npm run bench:faults` those of kills and backups under load, and `npm
 * run bench:service` those of the limiter as a service, alone and with peers, of which `npm run bench --
 * "service:ZeroMQ, memory" "service-peers:4 services"` runs some rows, by their names. A missed target is printed but
 * is not a failure: on a busy machine it may be chance (except for `campaign`, which is the same in every run).
 */
import { rmSync } from "node:fs";
import { exclusively } from "./exclusive.mjs";
import { installPackages } from "./install.mjs";
import { runNode } from "./node-runtime.mjs";
import { main, StepFailed } from "./step.mjs";

const parts = ["limiter", "ratings", "busy", "scale", "removal", "lists", "pages", "campaign", "service"];
const ofNodes = ["transaction", "pages", "ratings", "hot-post", "capacity"].map((part) => `nodes-${part}`);
const groups = new Map([
  ["nodes", ofNodes],
  ["service", ["service", "service-peers"]],
]);
/** Parts that take minutes run only by their names. */
const long = ["removal-large", "nodes-removal", "faults", "page-weight", "load"];
const known = new Set([...parts, ...[...groups.values()].flat(), ...long]);

await main(async () => {
  const requested = process.argv.slice(2).flatMap((part) => groups.get(part) ?? part);
  const unknown = requested.find((part) => !known.has(part.replace(/:.*/, "")));
  if (unknown !== undefined)
    throw new StepFailed(`There is no benchmark "${unknown}"; there are ${[...known].join(", ")}.`);
  await installPackages();
  // Two at a time would measure each other.
  return exclusively("bench", () => runParts(requested.length > 0 ? requested : parts));
});

/** Each in a process of its own, without the compiled code or memory of another. */
async function runParts(names) {
  let missed = 0;
  for (const name of names) {
    rmSync(".cache/bench", { recursive: true, force: true }); // files of a killed run
    const onMessage = (message) => {
      missed += message.missed;
    };
    const { code } = await runNode(["bench/run.ts", name], { onMessage });
    if (code !== 0) throw new StepFailed(`The benchmark "${name}" could not be run.`);
  }
  console.log(missed === 0 ? "Every target met" : `Targets missed: ${missed}`);
  return 0;
}

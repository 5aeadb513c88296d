/**
 * `npm test`: everything, in a browser and on several nodes too; the last line counts all tests.
 * `npm test -- lib/limiter`: arguments are Vitest's, and then only Vitest runs.
 */
import { rmSync } from "node:fs";
import { buildApp } from "./build.mjs";
import { installPackages } from "./install.mjs";
import { installBrowser } from "./install-browser.mjs";
import { installNginx } from "./install-nginx.mjs";
import { installPythonZmq } from "./install-python-zmq.mjs";
import { installRedis } from "./install-redis.mjs";
import { runNode } from "./node-runtime.mjs";
import { main } from "./step.mjs";
import { countPlaywright, countRun, countVitest, failuresOf, sum, summary } from "./test-results.mjs";

const vitestReport = "test-results/vitest.json";
const playwrightReport = "test-results/playwright.json";
const nodesReport = "test-results/nodes.json";

await main(async () => {
  const vitestArguments = process.argv.slice(2);
  await installPackages();
  await installRedis();
  await installNginx();
  await installPythonZmq();
  const runs = [];
  if (vitestArguments.length > 0) {
    runs.push(await runVitest(vitestReport, vitestArguments));
  } else {
    await installBrowser();
    runs.push(
      await runVitest(vitestReport, []),
      await onBuilt(playwrightReport, countPlaywright, runPlaywright),
      await onBuilt(nodesReport, countVitest, () =>
        runVitest(nodesReport, ["--config", "vitest.nodes.config.ts"]),
      ),
    );
  }
  const total = sum(runs);
  if (total.failed > 0) console.log(failuresOf(total));
  console.log(summary(total));
  return total.failed > 0 ? 1 : 0;
});

async function runVitest(report, filters) {
  rmSync(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  // Stopped by a signal, Vitest does not wait for its workers to end.
  const workers = "--execArgv=--import=./scripts/stop-with-parent.mjs";
  const args = ["node_modules/vitest/vitest.mjs", "run", ...reporters, workers, ...filters];
  const { code } = await runNode(args, { env: { NODE_ENV: "test" } });
  return countRun(report, code, countVitest);
}

/** Runs tests of the built app. Without a build they have no report; the other tests' count still matters. */
async function onBuilt(report, countReport, run) {
  rmSync(report, { force: true });
  try {
    await buildApp();
  } catch (error) {
    console.error(error.message);
    return countRun(report, 1, countReport);
  }
  return run();
}

async function runPlaywright() {
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport };
  const args = ["node_modules/@playwright/test/cli.js", "test", "--reporter=list,json"];
  // Of the signals, Playwright closes its browsers and its server on this one.
  const { code } = await runNode(args, { env, stopWith: "SIGINT" });
  return countRun(playwrightReport, code, countPlaywright);
}

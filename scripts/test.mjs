/**
 * `npm test`: everything, in a browser and on several nodes too.
 * The last line counts all tests. `npm test -- lib/limiter`: arguments are Vitest's, and then only Vitest runs.
 */
import { readdirSync, rmSync } from "node:fs";
import { buildApp } from "./build.mjs";
import { installPackages } from "./install.mjs";
import { runNode } from "./node-runtime.mjs";
import { main } from "./step.mjs";
import { filesIn, filesThatNeed, installPrograms, programs } from "./test-programs.mjs";
import {
  countPlaywright,
  countRun,
  countVitest,
  failuresOf,
  skippedFiles,
  sum,
  summary,
} from "./test-results.mjs";

const vitestReport = "test-results/vitest.json";
const playwrightReport = "test-results/playwright.json";
const nodesReport = "test-results/nodes.json";

await main(async () => {
  const filters = process.argv.slice(2);
  const { redis, nginx, pythonZmq, browser, faketime } = programs;
  await installPackages();
  const runs = [];
  let missing;
  if (filters.length > 0) {
    missing = await installPrograms([redis, nginx, pythonZmq]);
    const chosen = unitTests().filter((file) => filters.some((filter) => file.includes(filter)));
    runs.push(await runVitest(vitestReport, filesThatNeed(missing, chosen), filters));
  } else {
    missing = await installPrograms([redis, nginx, pythonZmq, browser, faketime]);
    const isMissing = (program) => missing.includes(program);
    runs.push(
      await runVitest(vitestReport, filesThatNeed(missing, unitTests())),
      isMissing(browser)
        ? skippedFiles(filesIn("e2e", ".spec.ts"))
        : await onBuilt(playwrightReport, countPlaywright, () =>
            runPlaywright(filesThatNeed(missing, filesIn("e2e", ".spec.ts"))),
          ),
      isMissing(redis) || isMissing(nginx)
        ? skippedFiles(filesIn("e2e/nodes", ".test.ts"))
        : await onBuilt(nodesReport, countVitest, () =>
            runVitest(nodesReport, [], ["--config", "vitest.nodes.config.ts"]),
          ),
    );
  }
  const total = sum(runs);
  if (total.failed > 0) console.log(failuresOf(total));
  if (total.skippedFiles.length > 0) {
    const packages = missing.map((program) => program.package).join(" ");
    console.log(
      `Skipped, as programs are missing (apt install ${packages}):\n  ${total.skippedFiles.join("\n  ")}`,
    );
  }
  console.log(summary(total));
  return total.failed > 0 ? 1 : 0;
});

/** All files of Vitest's but those of several nodes. */
function unitTests() {
  return readdirSync(".", { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^\.|^node_modules$|^e2e$/.test(entry.name))
    .flatMap(({ name }) => filesIn(name, ".test.ts"));
}

async function runVitest(report, excluded, filters = []) {
  rmSync(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  // Stopped by a signal, Vitest does not wait for its workers to end.
  const workers = "--execArgv=--import=./scripts/stop-with-parent.mjs";
  const excludes = excluded.map((file) => `--exclude=${file}`);
  const args = ["node_modules/vitest/vitest.mjs", "run", ...reporters, workers, ...excludes, ...filters];
  const { code } = await runNode(args, { env: { NODE_ENV: "test" } });
  return sum([countRun(report, code, countVitest), skippedFiles(excluded)]);
}

/**
 * Runs tests of the built app.
 * Without a build they have no report; the other tests' count still matters.
 */
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

async function runPlaywright(excluded) {
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport, E2E_EXCLUDED: excluded.join(",") };
  const args = ["node_modules/playwright/cli.js", "test", "--reporter=list,json"];
  // Of the signals, Playwright closes its browsers and its server on this one.
  const { code } = await runNode(args, { env, stopWith: "SIGINT" });
  return sum([countRun(playwrightReport, code, countPlaywright), skippedFiles(excluded)]);
}

/** The browser tests: Chromium against the built app, with a database of its own. */
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "playwright/test";
import { freePort } from "./scripts/cluster/free-port.ts";
import findBrowser from "./scripts/find-browser.mjs";
import { manyAccounts, quickChallenge } from "./testing/registration.ts";

// Every worker loads this file again: the choice of the first one holds for all.
process.env.E2E_PORT ??= String(await freePort());
process.env.E2E_FOLDER ??= join(tmpdir(), `weir-e2e-${randomUUID()}`);
const browser = findBrowser();
const { E2E_PORT: port, E2E_FOLDER: folder } = process.env;

/**
 * Wider limits for accounts, log-ins, searches and the lab.
 * All tests come from one address.
 * The others are as small here as anywhere. No limit is switched off.
 */
const limits = {
  ...manyAccounts,
  "login.address": { capacity: 500 },
  "lab.address": { capacity: 500 },
  "search.address": { capacity: 500 },
};

const excluded = (process.env.E2E_EXCLUDED ?? "")
  .split(",")
  .filter(Boolean)
  .map((file) => `**/${file}`);

export default defineConfig({
  testDir: "e2e",
  // Vitest runs e2e/nodes.
  testMatch: "*.spec.ts",
  // Tests that need a missing program.
  testIgnore: excluded,
  outputDir: "test-results/playwright",
  globalSetup: "./e2e/first-account.ts",
  globalTeardown: "./e2e/remove-folder.ts",
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  workers: 2,
  retries: 0,
  // To end hanging tests: no test is to fail because a machine is busy.
  timeout: 600_000,
  expect: { timeout: 120_000 },
  reporter: "list",
  use: {
    baseURL: `http://localhost:${port}`,
    locale: "en",
    timezoneId: "UTC",
    screenshot: "only-on-failure",
    launchOptions: {
      ...(browser && { executablePath: browser }),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  projects: [
    { name: "with-javascript" },
    { name: "without-javascript", grep: /@without-javascript/, use: { javaScriptEnabled: false } },
  ],
  webServer: {
    command: `exec "${process.execPath}" scripts/start.mjs`,
    url: `http://localhost:${port}`,
    env: {
      PORT: port,
      DATABASE_URL: `file:${folder}/weir.db`,
      AUTH_SECRET: "a secret of the browser tests only",
      LIMITS: JSON.stringify(limits),
      ...quickChallenge,
      LOG_LEVEL: "warn",
    },
    stdout: "ignore",
    stderr: "pipe",
    timeout: 600_000, // it builds when there is no build
    gracefulShutdown: { signal: "SIGTERM", timeout: 10_000 },
    reuseExistingServer: false,
  },
});

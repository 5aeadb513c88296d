/**
 * The tests of several nodes: a whole cluster on this machine, of the built app.
 * `npm test` builds first, and runs them last.
 */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["e2e/nodes/**/*.test.ts"],
    pool: "forks",
    // Each has the machine to itself: a cluster is four nodes and three servers.
    fileParallelism: false,
    isolate: false,
    // To end hanging tests: no test is to fail because a machine is busy.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000, interval: 20 } },
  },
});

/** The tests of several nodes: a whole cluster on this machine, of the built app. `npm test` builds first, and runs them last. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["e2e/nodes/**/*.test.ts"],
    pool: "forks",
    // Each has the machine to itself: some tell how long something took.
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 120_000,
  },
});

import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "@": import.meta.dirname } },
  test: {
    include: ["{app,lib,db,server,service,scripts,bench,deploy,docs}/**/*.test.ts"],
    server: { deps: { inline: ["next-auth"] } },
    pool: "forks",
    // Most of the time goes into loading modules: a worker loads each once, for all its files.
    isolate: false,
    // So stubs of one test would reach the worker's next tests.
    unstubEnvs: true,
    unstubGlobals: true,
    restoreMocks: true,
    // Vitest leaves one core free unless set.
    maxWorkers: availableParallelism(),
    // To end hanging tests: no test is to fail because a machine is busy.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000, interval: 20 } },
  },
});

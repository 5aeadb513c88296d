import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "@": import.meta.dirname } },
  test: {
    include: ["{app,lib,db,server,service,scripts,bench,deploy,docs}/**/*.test.ts"],
    server: { deps: { inline: ["next-auth"] } },
    pool: "forks",
    // There to end what hangs: nothing is to fail because a machine is busy.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});

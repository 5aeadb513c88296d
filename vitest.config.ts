import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "@": import.meta.dirname } },
  test: {
    include: ["{app,lib,db,service,scripts,bench,deploy,docs}/**/*.test.ts"],
    server: { deps: { inline: ["next-auth"] } },
    pool: "forks",
    testTimeout: 30_000,
  },
});

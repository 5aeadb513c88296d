import type { NextConfig } from "next";
import { PHASE_DEVELOPMENT_SERVER, PHASE_PRODUCTION_BUILD } from "next/constants.js";
import { deploymentIdOf } from "./scripts/build-inputs.mjs";

/**
 * What the standalone folder needs besides the bundles: the migrations, read from the folder that the server runs in,
 * and what is not bundled: `scripts/migrate.ts`, which runs before the server, with all that it imports, and what is loaded
 * into the server before it.
 */
const readAtRunTime = [
  "db/**/migrations/**",
  "scripts/migrate.ts",
  "scripts/hold-requests.mjs",
  "db/**/*.ts",
  "lib/**/*.ts",
  ...["better-sqlite3", "drizzle-orm", "postgres", "zod"].flatMap((name) => [
    `node_modules/${name}/**/*.js`,
    `node_modules/${name}/**/package.json`,
  ]),
];

/** `phase` says what runs: the build, the server that was built, or the development server. */
export default function config(phase: string): NextConfig {
  return {
    poweredByHeader: false,
    reactStrictMode: true,
    serverExternalPackages: [
      "better-sqlite3",
      "@node-rs/argon2",
      "pino",
      "prom-client",
      "@opentelemetry/api",
      "@opentelemetry/exporter-trace-otlp-http",
      "@opentelemetry/resources",
      "@opentelemetry/sdk-trace-node",
    ],
    turbopack: { root: import.meta.dirname },
    // Every build also makes `.next/standalone`, which is what the image holds; `next start`, which serves `.next`
    // itself, warns of that when it is told.
    ...(phase === PHASE_PRODUCTION_BUILD && { output: "standalone" as const }),
    // By it a page that was open before an upgrade notices that the server is another one. Nodes that are built from the
    // same files have the same.
    ...(phase !== PHASE_DEVELOPMENT_SERVER && { deploymentId: deploymentIdOf(import.meta.dirname) }),
    outputFileTracingIncludes: { "/*": readAtRunTime },
    // `npm run check` checks types, those of tests too; a slip in a test must not keep the blog from starting.
    typescript: { ignoreBuildErrors: true },
    // What the framework renders anew it keeps in memory: the folder it runs in may be one that cannot be written to.
    experimental: { authInterrupts: true, isrFlushToDisk: false },
  };
}

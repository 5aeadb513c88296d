import type { NextConfig } from "next";
import { PHASE_PRODUCTION_BUILD } from "next/constants.js";

/**
 * What the standalone folder needs besides the bundles: the migrations, read from the folder that the server runs in,
 * and `scripts/migrate.ts`, which is not bundled and runs before the server, with all that it imports.
 */
const readAtRunTime = [
  "db/**/migrations/**",
  "scripts/migrate.ts",
  "db/**/*.ts",
  "lib/**/*.ts",
  ...["better-sqlite3", "drizzle-orm", "postgres", "zod"].flatMap((name) => [
    `node_modules/${name}/**/*.js`,
    `node_modules/${name}/**/package.json`,
  ]),
];

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  serverExternalPackages: ["better-sqlite3", "@node-rs/argon2", "pino"],
  turbopack: { root: import.meta.dirname },
  // `npm run check` checks types, those of tests too; a slip in a test must not keep the blog from starting.
  typescript: { ignoreBuildErrors: true },
  // What the framework renders anew it keeps in memory: the folder it runs in may be one that cannot be written to.
  experimental: { authInterrupts: true, isrFlushToDisk: false },
  outputFileTracingIncludes: { "/*": readAtRunTime },
};

/**
 * Every build also makes `.next/standalone`, which is what the image holds; `next start`, which serves `.next` itself,
 * warns of that when it is told.
 */
export default function configOf(phase: string): NextConfig {
  return phase === PHASE_PRODUCTION_BUILD ? { ...config, output: "standalone" } : config;
}

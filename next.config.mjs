import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PHASE_DEVELOPMENT_SERVER, PHASE_PRODUCTION_SERVER } from "next/constants.js";
import { deploymentIdOf } from "./scripts/build-inputs.mjs";

/**
 * Plain JavaScript, which the server reads without Next.js' compiler.
 *
 * @param {string} phase the build, the server of a built app, or the development server
 * @returns {import("next").NextConfig}
 */
export default function config(phase) {
  return {
    poweredByHeader: false,
    // Title and description are in the head for every client: visitors share copies of pages, programs that show links too.
    htmlLimitedBots: /.*/,
    reactStrictMode: true,
    // Node.js loads these as they are, once for all routes and our server: the build takes a quarter less time.
    serverExternalPackages: [
      "better-sqlite3",
      "@node-rs/argon2",
      "@simplewebauthn/server",
      "@zxcvbn-ts/language-common",
      "altcha-lib",
      "bowser",
      "drizzle-orm",
      "ioredis",
      "lru-cache",
      "nodemailer",
      "otpauth",
      "pg",
      "pino",
      "prom-client",
      "zod",
      "@opentelemetry/api",
      "@opentelemetry/exporter-trace-otlp-http",
      "@opentelemetry/resources",
      "@opentelemetry/sdk-trace-node",
    ],
    turbopack: { root: import.meta.dirname },
    ...(phase !== PHASE_DEVELOPMENT_SERVER && { deploymentId: deploymentId(phase) }),
    // `npm run check` checks types, those of tests too; a slip in a test must not keep the blog from starting.
    typescript: { ignoreBuildErrors: true },
    // Pages that are rendered anew stay in memory: the folder may be read-only.
    experimental: {
      authInterrupts: true,
      isrFlushToDisk: false,
      // The server in front has its own limits: 1 MB, 4 MB for ratings that are pasted, and this for images.
      serverActions: { bodySizeLimit: "11mb" },
      // For a short first start: code of the server stays legible, and so do its stacks, without source maps; and a
      // cache for the next build takes longer to write than it saves.
      turbopackMinify: { server: false },
      turbopackSourceMaps: phase === PHASE_DEVELOPMENT_SERVER,
      turbopackFileSystemCacheForBuild: false,
    },
  };
}

/**
 * By this a page that was open before an upgrade notices it.
 * Nodes built from the same files have the same.
 */
function deploymentId(phase) {
  if (phase !== PHASE_PRODUCTION_SERVER) return deploymentIdOf(import.meta.dirname);
  const built = readFileSync(join(import.meta.dirname, ".next/required-server-files.json"), "utf8");
  return JSON.parse(built).config.deploymentId;
}

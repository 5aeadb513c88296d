import type { NextConfig } from "next";

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  serverExternalPackages: ["better-sqlite3", "@node-rs/argon2", "pino"],
  turbopack: { root: import.meta.dirname },
  experimental: { authInterrupts: true },
};

export default config;

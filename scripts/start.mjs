/**
 * `npm start`:
 * installs, checks the settings, migrates, builds when needed, and serves. `--dev` serves the sources, unbuilt, with
 * hot reload; `--demo` serves a database of its own, filled with posts and ratings.
 */
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { buildApp, isBuilt } from "./build.mjs";
import { installPackages } from "./install.mjs";
import { listenHost } from "./listen-host.mjs";
import { runNode } from "./node-runtime.mjs";
import { main, StepFailed } from "./step.mjs";
import { trimPackages } from "./trim-packages.mjs";

const dev = process.argv.includes("--dev");
const demo = process.argv.includes("--demo");
const env = {
  NODE_ENV: dev ? "development" : "production",
  // The demo has a flood that is held.
  ...(demo && {
    DATABASE_URL: "file:./data/demo.db",
    MEDIA_FOLDER: "./data/demo-media",
    // Its subscribers are invented.
    MAIL_URL: "",
    MAIL_FROM: "",
    EMAIL_VERIFICATION: "",
    RATING_OVERFLOW: process.env.RATING_OVERFLOW ?? "hold",
  }),
};

await main(async () => {
  await installPackages({ production: !dev, toBuild: dev || !isBuilt() });
  // Before the build, which is slow: a bad setting or a port in use stops the start at once.
  const { port: wanted, host: given } = await migrate();
  const host = listenHost(given, { dev, demo });
  const port = await freePort(wanted, host);
  if (!dev) await buildApp();
  if (demo) await seed();
  return serve(port, host);
});

function settingsFile() {
  return existsSync(".env") ? ["--env-file=.env"] : [];
}

async function migrate() {
  let onMessage;
  const message = new Promise((resolve) => {
    onMessage = resolve;
  });
  const { code } = await runNode([...settingsFile(), "scripts/migrate.ts"], { env, onMessage });
  if (code !== 0) process.exit(code); // it has printed the reason
  return await message;
}

async function seed() {
  const { code } = await runNode([...settingsFile(), "scripts/demo/seed.ts"], { env });
  if (code !== 0) throw new StepFailed("The demo data could not be written.");
}

/** Resolves to the port, or for 0 to a free one; fails when it cannot be used. */
function freePort(port, host) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error) => {
      if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND") {
        reject(new StepFailed(`HOST ${host} is not an address of this machine.`));
        return;
      }
      const reason = error.code === "EADDRINUSE" ? "is in use" : `cannot be used (${error.code})`;
      reject(new StepFailed(`Port ${port} ${reason}: set PORT to another, for example PORT=3001 npm start.`));
    });
    server.listen({ port, host }, () => {
      const free = server.address().port;
      server.close(() => resolve(free));
    });
  });
}

async function serve(port, host) {
  const server = ["server/index.ts", ...(dev ? ["--dev"] : [])];
  const { code } = await runNode([...settingsFile(), ...server], {
    env: { ...env, PORT: String(port), ...(host && { HOST: host }) },
    // It serves: from now on time does not matter.
    onMessage: () =>
      trimPackages().catch((error) => console.error(`The packages could not be trimmed: ${error.message}`)),
  });
  return code;
}

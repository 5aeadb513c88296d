/**
 * The image's command, health check and stop signal, and operators' commands.
 * The former are run as the Dockerfile writes them, all with the packages of production alone, trimmed.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { freePort } from "../scripts/cluster/free-port.ts";
import { installedFolder } from "./installed-folder.ts";
import { expect, test } from "./test.ts";

const dockerfile = readFileSync("deploy/Dockerfile", "utf8");
const [, image = ""] = dockerfile.split(/^FROM \$\{NODE_IMAGE\}$/m);
const checkCommand = commandAfter(/^HEALTHCHECK .*\\\n\s*CMD (\[.*\])$/m);
const serverCommand = commandAfter(/^CMD (\[.*\])$/m);
const stopSignal = /^STOPSIGNAL (\w+)$/m.exec(image)?.[1];

let installed: string;
test.beforeAll(() => {
  installed = installedFolder();
});
test.afterAll(() => rmSync(installed, { recursive: true, force: true }));

test("the image's command serves a new blog, its health check then succeeds, and its stop signal ends the server", async () => {
  const folder = mkdtempSync(join(tmpdir(), "weir-e2e-image-"));
  const port = await freePort();
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    NODE_ENV: "production",
    // Both programs end with this test, should it end early.
    NODE_OPTIONS: `--import=${import.meta.dirname}/../scripts/stop-with-parent.mjs`,
    PORT: `${port}`,
    DATABASE_URL: `file:${join(folder, "weir.db")}`,
    LOG_LEVEL: "error",
  };
  const run = ([program = "", ...args]: string[]) =>
    spawn(program, args, { cwd: installed, env: environment, stdio: ["ignore", "ignore", "inherit"] });
  const isHealthy = async () => {
    const [code] = await once(run(checkCommand), "exit");
    return code === 0;
  };
  expect(await isHealthy()).toBe(false);
  const server = run(serverCommand);
  const ended = once(server, "exit");
  try {
    await expect.poll(isHealthy).toBe(true);
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
    expect(stopSignal).toBe("SIGTERM");
    server.kill("SIGTERM");
    // As a shell reports a program that this signal has ended.
    expect(await ended).toEqual([143, null]);
    expect(await isHealthy()).toBe(false);
  } finally {
    server.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
});

test("operators' commands need no packages of development", async () => {
  const run = async (...args: string[]) => {
    const environment = { ...process.env, DATABASE_URL: "file:data/weir.db", INIT_CWD: installed };
    const command = spawn(process.execPath, args, { cwd: installed, env: environment });
    const [output, errors] = await Promise.all([
      text(command.stdout),
      text(command.stderr),
      once(command, "close"),
    ]);
    return { code: command.exitCode, output: output + errors };
  };
  expect(await run("scripts/migrate.ts")).toEqual({ code: 0, output: "" });
  for (const command of [
    "user -- list",
    "backup -- saved.db",
    "doctor",
    "limiter -- --help",
    "copy -- --help",
    "restore -- --help",
  ])
    expect(
      await run("scripts/operation.mjs", ...command.replace(" --", "").split(" ")),
      command,
    ).toMatchObject({ code: 0 });
  expect(await run("scripts/demo/seed.ts")).toMatchObject({ code: 0 });
});

function commandAfter(line: RegExp): string[] {
  const [, command = ""] = line.exec(image) ?? [];
  const words: unknown = JSON.parse(command);
  if (!Array.isArray(words)) throw new Error(`This is not a command: ${command}`);
  return words.map(String);
}

/**
 * Starts nginx on this machine, configured by `deploy/nginx.conf`.
 * It listens on a free port of this machine, keeps its files in a folder of its own, and ends with the process that
 * started it, however that ends.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { renderNginxConfig } from "../../deploy/nginx-config.mjs";
import findNginx, { installHint } from "../find-nginx.mjs";
import { freePort } from "./free-port.ts";

export interface NginxServer {
  origin: string;
  /** Its address for TLS, if it has one. */
  tlsOrigin: string | undefined;
  /**
   * Its log of requests so far.
   * A request is logged some moments after its answer.
   */
  accessLog(): string;
  /**
   * The cache's part in each request for a path, in order.
   * Waits until this many have arrived.
   */
  cacheUse(path: string, count: number): Promise<string[]>;
  /** Its error log so far. */
  errorLog(): string;
  /** Ends it, in any state. */
  stop(): Promise<void>;
}

/** As PEM. */
interface Certificate {
  certificate: string;
  key: string;
}

const logLine = z.object({ path: z.string(), cache: z.string() });

// The shell's input ends with this process, if not before; then nginx ends, its workers too, and its folder goes.
const untilInputEnds = `cd "$1"; shift; "$@" 2>error.log & server=$!; cat >/dev/null; kill -TERM $server 2>/dev/null; wait; rm -r "$PWD"`;

/**
 * In front of the nodes at `upstreams`, each as `127.0.0.1:3000`.
 * `avoidedFor`, e.g. "1h", replaces the two seconds for which a node that failed gets no request. `addressHeader` names a
 * request header with the visitor's address: this machine's own is not limited. With `tls`, a certificate and its key, it also
 * listens for TLS, and redirects plain requests to `httpsPort`.
 *
 * @throws Error that names the package to install when there is no nginx, or with its error log when it does not start
 */
export async function startNginx(
  upstreams: string[],
  {
    avoidedFor = "2s",
    addressHeader,
    tls,
    httpsPort = 443,
  }: {
    avoidedFor?: string;
    addressHeader?: string;
    tls?: Certificate;
    httpsPort?: number;
  } = {},
): Promise<NginxServer> {
  const program = findNginx();
  if (program === undefined) throw new Error(installHint);
  const folder = mkdtempSync(join(tmpdir(), "weir-nginx-"));
  const configuration = join(folder, "nginx.conf");
  const port = await freePort();
  const tlsAddress = tls ? `127.0.0.1:${await freePort()}` : undefined;
  if (tls) {
    writeCertificate(tls, folder);
    // As the container's command does: deploy/compose.test.ts runs that.
    writeFileSync(join(folder, "https-port.conf"), `set $https_port ":${httpsPort}";\n`);
  }
  const rendered = renderNginxConfig({
    listen: `127.0.0.1:${port}`,
    upstreams,
    folder,
    ...(tlsAddress && { tls: tlsAddress }),
  });
  const timed = rendered.replaceAll("fail_timeout=2s", `fail_timeout=${avoidedFor}`);
  const realAddress = addressHeader ? `set_real_ip_from 127.0.0.1; real_ip_header ${addressHeader};` : "";
  writeFileSync(configuration, timed.replace(/^http \{$/m, `$&\n${realAddress}`));
  writeFileSync(join(folder, "error.log"), ""); // read below, perhaps before the shell opens it
  const server = [program, "-e", "stderr", "-c", configuration, "-g", "daemon off;"];
  // Detached: a Ctrl-C is for this process, whose end is nginx's.
  const shell = spawn("sh", ["-c", untilInputEnds, "sh", folder, ...server], {
    stdio: ["pipe", "ignore", "inherit"],
    detached: true,
  });
  const stop = async () => {
    if (shell.exitCode !== null) return;
    const exit = once(shell, "exit");
    shell.stdin.end();
    await exit;
  };
  const errorLog = () => readFileSync(join(folder, "error.log"), "utf8");
  const origin = `http://127.0.0.1:${port}`;
  for (;;) {
    // An address that nginx answers itself, so that no node gets a request before the test sends one.
    if (
      await fetch(`${origin}/metrics`).then(
        ({ status }) => status === 404,
        () => false,
      )
    )
      break;
    if (shell.exitCode !== null || /\[emerg\]/.test(errorLog())) {
      const logged = errorLog();
      await stop();
      throw new Error(`nginx did not start on port ${port}:\n${logged}`);
    }
    await sleep(5);
  }
  const accessLog = () => readFileSync(join(folder, "access.log"), "utf8");
  const cacheUse = async (path: string, count: number) => {
    for (;;) {
      const lines = accessLog().split("\n").slice(0, -1);
      const ofPath = lines
        .map((line) => logLine.parse(JSON.parse(line)))
        .filter((line) => line.path === path);
      if (ofPath.length >= count) return ofPath.map(({ cache }) => cache);
      await sleep(5);
    }
  };
  const tlsOrigin = tlsAddress && `https://${tlsAddress}`;
  return { origin, tlsOrigin, accessLog, cacheUse, errorLog, stop };
}

function writeCertificate({ certificate, key }: Certificate, folder: string): void {
  mkdirSync(join(folder, "certificates"));
  writeFileSync(join(folder, "certificates/fullchain.pem"), certificate);
  writeFileSync(join(folder, "certificates/privkey.pem"), key, { mode: 0o600 });
}

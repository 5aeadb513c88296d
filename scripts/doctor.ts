/** `npm run doctor` */
import { dirname } from "node:path";
import { databaseFile } from "../db/index.ts";
import { mediaFolderPath } from "../lib/settings/data-folder.ts";
import { durationMs } from "../lib/settings/durations.ts";
import { type DoctorCheck, fault, ok } from "./doctor/check.ts";
import { databaseChecks } from "./doctor/database.ts";
import { mailCheck } from "./doctor/mail.ts";
import { diskCheck, packageCheck, redisCheck } from "./doctor/surroundings.ts";
import { isNewEnough } from "./node-runtime.mjs";
import { operation, progress, WrongUsage } from "./operation.ts";

const signs = { ok: "ok     ", warning: "warning", fault: "FAULT  " };

await operation({
  usage: `npm run doctor [-- --repair [--today DATE]] [--json]

Checks the settings, the versions, the database (its settings, pending migrations, integrity, all counters against a recount,
texts to render, scores to recalculate, expired rows, scheduled posts, waiting mails, files of images, times in the future), the disk, the mail server, and Redis when it is used. It changes
nothing, and the server may run meanwhile.

With --repair it then lists the changes that a repair of times in the future and of counters would make. With today's date (UTC) as well,
as in --repair --today 2026-03-01, it makes a backup beside the database (of PostgreSQL, in this folder) and repairs both from
the rows: the ratings of each post concerned are counted and replayed. It refuses while the clock is of another day: to a
clock that is behind, all that is newer is in the future.
Exit code 1 when there is a fault; a warning does not change the exit code.
`,
  options: { repair: { type: "boolean" }, today: { type: "string" } },
  async run([first], { repair, today }) {
    if (first !== undefined) throw new WrongUsage(`${first} is too much.`);
    if (today !== undefined && !repair) throw new WrongUsage("--today goes with --repair.");
    const day = today === undefined ? undefined : dayFrom(today);
    let checks = await allChecks();
    const repaired = repair ? await repairAfter(checks, day) : undefined;
    if (repaired?.report) checks = await allChecks();
    const count = (status: DoctorCheck["status"]) => checks.filter((check) => check.status === status).length;
    const [faults, warnings] = [count("fault"), count("warning")];
    const lines = checks.map(({ name, status, finding }) => `${signs[status]}  ${name}: ${finding}`);
    return {
      ok: faults === 0,
      json: { faults, warnings, checks: checks.map(asJson), ...(repaired && { repaired: repaired.report }) },
      lines: [...(repaired?.lines ?? []), ...lines, `Faults: ${faults}. Warnings: ${warnings}.`],
    };
  },
});

/** A check as `--json` prints it, for other programs. */
function asJson({ name, status, finding }: DoctorCheck) {
  return { name, status, says: finding };
}

/** The start of a day in UTC, in milliseconds. */
function dayFrom(date: string): number {
  const start = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(date) : Number.NaN;
  // The parser may take the 30th of February for the 2nd of March.
  if (Number.isNaN(start) || new Date(start).toISOString().slice(0, 10) !== date)
    throw new WrongUsage("--today needs a date such as 2026-03-01, in UTC.");
  return start;
}

async function repairAfter(checks: readonly DoctorCheck[], today: number | undefined) {
  const bar = progress();
  try {
    const { repairDatabase } = await import("./doctor/repair.ts");
    return await repairDatabase(checks, today, bar.show);
  } finally {
    bar.stop();
  }
}

async function allChecks(): Promise<DoctorCheck[]> {
  const { check, env } = await settings();
  const checks = [check, versions(), packageCheck(process.cwd())];
  if (!env) return checks;
  const { mailServerOf } = await import("./doctor/mail-server.ts");
  const { mailsKeptMs } = await import("../lib/mail/outbox.ts");
  const attemptsKeptMs = durationMs(env.ATTEMPTS_KEPT_DAYS, "days");
  const database = await databaseChecks(env.DATABASE_URL, {
    attemptsKeptMs,
    mailsKeptMs,
    canConfirm: (saved) => {
      const server = mailServerOf(env, saved);
      return server !== undefined && server !== "unreadable" && env.SITE_URL !== undefined;
    },
    media: { path: mediaFolderPath(env), nodeCount: env.NODES },
  });
  checks.push(...database.checks);
  if (database.bytes !== undefined && env.DATABASE_URL.startsWith("file:"))
    checks.push(diskCheck(dirname(databaseFile(env.DATABASE_URL)), database.bytes));
  if (env.LIMITER_STORE === "redis") checks.push(await redisCheck(env.REDIS_URL));
  checks.push(await mailCheck(env, mailServerOf(env, database.saved ?? new Map())));
  return checks;
}

/** Both modules throw an error that names each bad setting. */
async function settings() {
  try {
    const { env } = await import("../lib/settings/env.ts");
    await import("../lib/limits/index.ts");
    return { check: ok("settings", "All are good."), env };
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "SettingsError") throw error;
    const rest = "Checks that depend on settings were skipped.";
    return { check: fault("settings", `${error.message.replace(/^Bad setting\. /, "")}. ${rest}`) };
  }
}

function versions(): DoctorCheck {
  const npm = /npm\/(\S+)/.exec(process.env.npm_config_user_agent ?? "")?.[1];
  const finding = `Node.js ${process.versions.node}${npm ? `, npm ${npm}` : ""}.`;
  return isNewEnough(process.versions.node)
    ? ok("node", finding)
    : fault("node", `${finding} Weir needs Node.js 22.12 or newer.`);
}

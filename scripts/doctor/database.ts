/** Checks the database: its settings, its integrity, and the pruning of old rows. */

import { futureTimes } from "../../db/future-times.ts";
import { isUnavailable } from "../../db/index.ts";
import { type Inspection, inspect } from "../../db/inspect.ts";
import { describeNewerVersion } from "../../db/migration-state.ts";
import { countersThatDisagree } from "../../db/recount.ts";
import { errorMessage } from "../../lib/logging/error-message.ts";
import { rendererVersion } from "../../lib/markdown/types.ts";
import { invalidSettings } from "../../lib/site/schema.ts";
import { type DoctorCheck, fault, firstOf, ok, warning } from "./check.ts";
import { mediaCheck } from "./media.ts";
import { type KeptPeriods, leftForMs, oldRowsChecks } from "./old-rows.ts";

/** A running server publishes a scheduled post within seconds. */
const overdueMs = 300_000;

type SavedSettings = ReadonlyMap<string, string>;

/**
 * Checks the database at `url`.
 * Also resolves to its size in bytes and the saved settings, when these are known.
 */
export async function databaseChecks(
  url: string,
  {
    canConfirm,
    media,
    ...kept
  }: KeptPeriods & {
    canConfirm: (saved: SavedSettings) => boolean;
    media?: Parameters<typeof mediaCheck>[1];
  },
): Promise<{ checks: DoctorCheck[]; bytes?: number; saved?: SavedSettings }> {
  let inspection: Inspection;
  try {
    inspection = await inspect(url);
  } catch (error) {
    if (!(error instanceof Error) || !(error.name === "Failure" || isUnavailable(error))) throw error;
    const advice = error.message.startsWith("There is no file") ? " npm start makes it." : "";
    return { checks: [fault("database", `${error.message}${advice}`)] };
  }
  try {
    const { now } = inspection;
    const checks = [ok("database", `${inspection.version}, ${inspection.bytes} bytes.`)];
    checks.push(migrationCheck(inspection), ...settingChecks(inspection));
    const sound = Object.entries(inspection.soundness).map(([name, look]) =>
      soundness(name, faultsSeen(look), "Restore a backup (npm run restore)."),
    );
    checks.push(...sound);
    // The counts of a broken file mean nothing.
    if (sound.some(({ status }) => status === "fault")) return { checks, bytes: inspection.bytes };
    const { applied, pending, isNewer } = inspection.migrations;
    // Another version's database has other tables.
    if (applied === 0 || pending > 0 || isNewer) return { checks, bytes: inspection.bytes };
    const saved = await savedSettings(inspection);
    checks.push(
      soundness(
        "counters",
        await countersThatDisagree(inspection.query),
        "The tables were changed by hand, or Weir has a bug: restore a backup, or run npm run doctor -- --repair, which counts again.",
      ),
      soundness(
        "times",
        await futureTimes(inspection.query, now),
        `It is ${new Date(now).toISOString()} by this clock. If that is right, another clock was ahead: npm run doctor -- --repair corrects the times that it has written.`,
      ),
      await textsCheck(inspection),
      await scoresCheck(inspection),
      ...(await oldRowsChecks(inspection, kept)),
      siteSettingsCheck(saved, canConfirm(saved)),
      await scheduledCheck(inspection),
      await outboxCheck(inspection),
      await subscriptionsCheck(inspection),
      await webhooksCheck(inspection),
    );
    if (media) checks.push(await mediaCheck(inspection, media));
    return { checks, bytes: inspection.bytes, saved };
  } finally {
    await inspection.close();
  }
}

function migrationCheck({ migrations: { applied, pending, isNewer, version } }: Inspection): DoctorCheck {
  const name = "migrations";
  if (isNewer) return fault(name, `${describeNewerVersion("The database", version)} Update Weir.`);
  if (applied === 0) return fault(name, "The database holds no blog of Weir's: npm start makes the tables.");
  if (pending > 0)
    return warning(name, `${pending} to be applied; the next start does that. Make a backup before.`);
  return ok(name, `All ${applied} are applied${version ? `, the newest by Weir ${version}` : ""}.`);
}

function settingChecks({ settings }: Inspection): DoctorCheck[] {
  return settings.map(({ name, value, wanted, advice }) =>
    wanted.includes(value)
      ? ok(name, value)
      : warning(name, `It is ${value} and should be ${wanted.join(" or ")}. ${advice}`),
  );
}

function soundness(name: string, faults: readonly string[], advice: string): DoctorCheck {
  return faults.length === 0 ? ok(name, "Nothing is wrong.") : fault(name, `${firstOf(faults)}. ${advice}`);
}

async function textsCheck({ query }: Inspection): Promise<DoctorCheck> {
  const count = async (rows: string) =>
    Number((await query(`select count(*) from post_contents where ${rows}`))[0]?.[0]);
  const toRender = await count(`renderer < ${rendererVersion}`);
  const plain = await count(`renderer >= ${rendererVersion} and html is null`);
  const finding = `${toRender} to be rendered, which a running server does.`;
  if (plain === 0) return ok("texts", finding);
  return warning(
    "texts",
    `${finding} ${plain} too intricate, shown as written until their authors simplify them.`,
  );
}

/** The posts whose scores are being recalculated. */
async function scoresCheck({ query }: Inspection): Promise<DoctorCheck> {
  const [row] = await query(
    "select count(*), coalesce(sum(rating_count), 0), coalesce(sum(replayed), 0) from posts left join replay_claims on post_id = id where replay_due_at is not null",
  );
  const [posts = 0, ratings = 0, replayed = 0] = row?.map(Number) ?? [];
  return ok(
    "scores",
    posts === 0
      ? "No score waits to be recalculated."
      : `${posts} to be recalculated, which a running server does: ${Math.min(replayed, ratings)} of ${ratings} ratings are done.`,
  );
}

async function savedSettings({ query }: Inspection): Promise<SavedSettings> {
  const rows = await query("select name, value from site_settings");
  return new Map(rows.map(([name, value]) => [String(name), String(value)]));
}

/** The settings that are saved on /admin/settings. */
function siteSettingsCheck(saved: SavedSettings, canConfirm: boolean): DoctorCheck {
  const invalid = invalidSettings(saved);
  const finding = `${saved.size} saved on /admin/settings.`;
  if (saved.has("EMAIL_VERIFICATION") && !canConfirm)
    return warning(
      "site settings",
      `${finding} EMAIL_VERIFICATION is saved and counts as off: without a mail server, a sender and SITE_URL no one can confirm an address.`,
    );
  return invalid.length === 0
    ? ok("site settings", finding)
    : warning(
        "site settings",
        `${finding} Settings that this version cannot read and ignores: ${invalid.join(", ")}. Save those on /admin/settings again; the others are for another version.`,
      );
}

/** The mails that wait, and those that were given up within the last week. */
async function outboxCheck({ query, now }: Inspection): Promise<DoctorCheck> {
  const [row] = await query(
    `select sum(case when due_at is not null then 1 else 0 end),
      sum(case when due_at is not null and created_at < ${now - leftForMs} then 1 else 0 end),
      sum(case when finished_at is not null and fault is not null then 1 else 0 end) from mails`,
  );
  const [waiting = 0, late = 0, givenUp = 0] = row?.map(Number) ?? [];
  const finding = `${waiting} to be sent, ${givenUp} given up in the last seven days.`;
  return late === 0
    ? ok("mails", finding)
    : warning("mails", `${finding} ${late} have waited for more than an hour: see Mail on /admin/system.`);
}

/** The subscriptions to new posts, and to mails about floods and decisions. */
async function subscriptionsCheck({ query }: Inspection): Promise<DoctorCheck> {
  const [row] = await query(
    `select (select count(*) from subscribers), (select count(*) from flood_subscriptions),
      (select count(*) from decision_subscriptions), (select count(*) from decider_subscriptions),
      (select count(*) from decision_subscriptions
        where after_decision > (select coalesce(max(id), 0) from window_decisions))`,
  );
  const [posts = 0, floods = 0, decisions = 0, deciders = 0, ahead = 0] = row?.map(Number) ?? [];
  const finding = `${posts} to new posts; ${floods} users get mails about floods, ${decisions} about decisions, ${deciders} about floods to decide on.`;
  return ahead === 0
    ? ok("subscriptions", finding)
    : warning(
        "subscriptions",
        `${finding} ${ahead} wait for decisions that are not there: set after_decision to 0 in these rows of decision_subscriptions.`,
      );
}

/** The webhooks that are on and fail. */
async function webhooksCheck({ query }: Inspection): Promise<DoctorCheck> {
  const [row] = await query(
    `select count(*), sum(case when failing_since is not null and disabled_at is null then 1 else 0 end),
      sum(case when disabled_why in ('failures', 'gone') then 1 else 0 end) from webhooks`,
  );
  const [all = 0, failing = 0, ended = 0] = row?.map(Number) ?? [];
  const finding = `${all} in all, ${failing} failing, ${ended} turned off after failures.`;
  return failing + ended === 0
    ? ok("webhooks", finding)
    : warning("webhooks", `${finding} /admin/webhooks has the results.`);
}

/** The drafts that are published at their time, and those that were not. */
async function scheduledCheck({ query, now }: Inspection): Promise<DoctorCheck> {
  const [row] = await query(
    `select sum(case when publish_at is not null then 1 else 0 end),
      sum(case when publish_at <= ${now - overdueMs} then 1 else 0 end),
      sum(case when missed_at is not null then 1 else 0 end) from posts where deleted_at is null`,
  );
  const [scheduled = 0, overdue = 0, missed = 0] = row?.map(Number) ?? [];
  const finding = `${scheduled} to be published, ${missed} missed because their authors could not write then.`;
  return overdue === 0
    ? ok("scheduled posts", finding)
    : warning(
        "scheduled posts",
        `${finding} ${overdue} overdue for more than five minutes: start the server, which publishes them with their dates. If one is running, its log has the reason.`,
      );
}

/** Runs a check; its error is a fault, as a file may be too broken to be read. */
function faultsSeen(check: () => string[]): string[] {
  try {
    return check();
  } catch (error) {
    return [errorMessage(error)];
  }
}

/** The app's own start, beside Next.js: its database and background work. */

import { startPeriodicTask } from "../db/periodic-task.ts";
import { startPruning } from "../db/pruning.ts";
import { app } from "../lib/app.ts";
import { database, openAppDatabase } from "../lib/database.ts";
import { log } from "../lib/logging/log.ts";
import { throttledLog } from "../lib/logging/throttled-log.ts";
import { queueFloodMails } from "../lib/mail/flood-mails.ts";
import { mailsKeptMs } from "../lib/mail/outbox.ts";
import { startSending } from "../lib/mail/sender.ts";
import { mailServer } from "../lib/mail/smtp.ts";
import { countMail, setFloodFigures, setMailFigures, setReplayFigures } from "../lib/observe/metrics.ts";
import { startReporting } from "../lib/observe/reporting.ts";
import { renderMissing } from "../lib/posts/text.ts";
import { startReplaying } from "../lib/ratings/tally/background-replay.ts";
import { makeHeldDue } from "../lib/ratings/tally/saved-tally.ts";
import { scoring } from "../lib/ratings/tally/scoring-settings.ts";
import { countWaiting } from "../lib/ratings/waiting-ratings.ts";
import { startRemoving } from "../lib/removals/index.ts";
import { durationMs } from "../lib/settings/durations.ts";
import { env } from "../lib/settings/env.ts";
import { smtpServerFrom } from "../lib/settings/mail-settings.ts";
import { refreshEveryMs, refreshSiteSettings, siteSettings } from "../lib/site/index.ts";
import { checkTime, currentTime, trustedTime } from "../lib/time/current-time.ts";
import { fillSkeletons } from "../lib/users/skeletons.ts";
import { atShutdown, listening } from "./lifecycle.ts";

/** Upper bound of the held windows that are counted. */
const heldWindowsMaximum = 1_000;
/** How often texts that are not rendered yet are looked for. */
const renderEveryMs = 2_000;
/** How often the app looks for floods to mail their authors about. */
const queueFloodMailsEveryMs = 15_000;
const checkTimeEveryMs = 60_000;
/** How often ratings of accounts that are no longer new are counted. */
const countWaitingEveryMs = 30_000;

/**
 * Opens the database and starts the background work.
 * Ends the process when the database cannot be opened.
 */
export async function startApp(): Promise<void> {
  try {
    await openAppDatabase();
  } catch (err) {
    log.fatal({ err }, "the database cannot be opened, so the server ends");
    process.exit(1);
  }
  const readSettings = () => refreshSiteSettings(database());
  await readSettings();
  // Servers of earlier versions do not note who has written.
  if (siteSettings().WHO_MAY_WRITE !== "anyone")
    await database().transaction(() => database().users.makeAuthorsWriters());
  startPeriodicTask(readSettings, throttledLog("the site's settings could not be read"), {
    everyMs: refreshEveryMs,
  });
  const reportClock = throttledLog("the clock could not be compared with the last trusted time", {
    everyMs: checkTimeEveryMs,
  });
  await checkTime().catch(reportClock);
  startPeriodicTask(checkTime, reportClock, { everyMs: checkTimeEveryMs });
  app(); // connects to the limiter store before the first request
  await makeHeldDue(database()); // RATING_HOLD_DAYS may have changed
  setFloodFigures(async () => {
    const held = await database().floodWindows.byStatus("held", heldWindowsMaximum);
    const running = held.filter(({ window }) => window.closedAt === null).length;
    return { running, over: held.length - running };
  });
  setReplayFigures(() => database().replays.progress());
  startPeriodicTask(
    () => renderMissing(database(), app().renderer, currentTime),
    throttledLog("a post's text could not be rendered"),
    { everyMs: renderEveryMs },
  );
  const reportReplay = throttledLog("a post's ratings could not be replayed");
  atShutdown(startReplaying(database(), trustedTime, scoring, reportReplay));
  const reportWaiting = throttledLog("a rating of a new account could not be counted");
  startPeriodicTask(() => countWaiting(app(), currentTime(), trustedTime()), reportWaiting, {
    everyMs: countWaitingEveryMs,
  });
  const kept = {
    attemptsKeptMs: durationMs(env.ATTEMPTS_KEPT_DAYS, "days"),
    sessionsIdleMs: app().sessionLifetimes.idleMs,
    mailsKeptMs,
  };
  startPruning(database(), kept, (err) => log.error({ err }, "old records could not be removed"), {
    clock: trustedTime,
  });
  const stopRemoving = startRemoving(app(), trustedTime, (err) =>
    log.error({ err }, "a deleted post or account could not be removed"),
  );
  atShutdown(stopRemoving);
  startMail();
  void reportNode();
  // Until this succeeds, a blog with many old usernames takes no registrations.
  const stopFilling = startPeriodicTask(
    async () => {
      await fillSkeletons(database());
      void stopFilling();
    },
    throttledLog("lookalikes of old usernames are not all known"),
    { everyMs: 1_000 },
  );
}

/** Sends mails, where mail is set up. */
function startMail(): void {
  setMailFigures(() => database().mails.figures());
  const { mail } = app();
  const smtp = env.MAIL_URL === undefined ? undefined : smtpServerFrom(env.MAIL_URL);
  if (!mail || !smtp) return;
  const context = {
    database: database(),
    mail,
    server: mailServer(smtp),
    clock: currentTime,
    onAttempt: countMail,
  };
  atShutdown(
    startPeriodicTask(
      () => queueFloodMails({ database: database(), mail, holdMs: scoring.holdMs }, currentTime()),
      throttledLog("mails about floods could not be queued"),
      { everyMs: queueFloodMailsEveryMs },
    ),
  );
  atShutdown(startSending(context, throttledLog("the outbox could not be read or written")));
}

/** Writes down regularly how this node is doing, from when it listens. */
async function reportNode(): Promise<void> {
  const PORT = await listening;
  atShutdown(startReporting({ ...env, PORT }, process.env.NEXT_DEPLOYMENT_ID).leave);
}

/** The app's own start, beside Next.js: its database and background work. */

import { startPeriodicTask } from "../db/periodic-task.ts";
import { startPruning } from "../db/pruning.ts";
import { app } from "../lib/app.ts";
import { database, openAppDatabase } from "../lib/database.ts";
import { removeBrokenOff, removeOldArchives } from "../lib/import-uploads/uploads.ts";
import { log } from "../lib/logging/log.ts";
import { throttledLog } from "../lib/logging/throttled-log.ts";
import { decisionMailer } from "../lib/mail/decision-mails.ts";
import { queueFloodMails } from "../lib/mail/flood-mails.ts";
import { queueNewPostMails } from "../lib/mail/new-post-mails.ts";
import { mailsKeptMs } from "../lib/mail/outbox.ts";
import { startSending } from "../lib/mail/sender.ts";
import { siteMail } from "../lib/mail/site-mail.ts";
import { mailServer } from "../lib/mail/smtp.ts";
import { undecidedMailer } from "../lib/mail/undecided-mails.ts";
import { cleanMediaFolder } from "../lib/media/clean.ts";
import { countMail, setFloodFigures, setMailFigures, setReplayFigures } from "../lib/observe/metrics.ts";
import { startReporting } from "../lib/observe/reporting.ts";
import { startDispatching } from "../lib/outbox/dispatch.ts";
import { publishDue } from "../lib/posts/publishing.ts";
import { renderMissing } from "../lib/posts/text.ts";
import { startReplaying } from "../lib/ratings/tally/background-replay.ts";
import { makeHeldDue } from "../lib/ratings/tally/saved-tally.ts";
import { scoring } from "../lib/ratings/tally/scoring-settings.ts";
import { countWaiting } from "../lib/ratings/waiting-ratings.ts";
import { startRemoving } from "../lib/removals/index.ts";
import { durationMs } from "../lib/settings/durations.ts";
import { env } from "../lib/settings/env.ts";
import { refreshEveryMs, refreshSiteSettings, siteSettings } from "../lib/site/index.ts";
import { checkTime, currentTime, trustedTime } from "../lib/time/current-time.ts";
import { fillSkeletons } from "../lib/users/skeletons.ts";
import { deliveriesAtOnce, deliveriesKeptMs, webhookOutbox } from "../lib/webhooks/deliver.ts";
import { atShutdown, listening } from "./lifecycle.ts";
import { prepareMediaFolder } from "./media-folder.ts";

/** Upper bound of the held windows that are counted. */
const heldWindowsMaximum = 1_000;
/** The interval of checks for texts that are not rendered yet. */
const renderEveryMs = 2_000;
/** The interval of checks for floods to mail their authors and deciders about. */
const queueFloodMailsEveryMs = 15_000;
/** The interval of checks for scheduled posts that are due. */
const publishEveryMs = 1_000;
/** The interval of checks for new posts to mail subscribers about. */
const queueNewPostMailsEveryMs = 5_000;
/** The interval of checks for decisions to mail raters about. */
const queueDecisionMailsEveryMs = 10_000;
const checkTimeEveryMs = 60_000;
/** How often files of images without a row are removed. */
const cleanMediaEveryMs = 3_600_000;
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
  await prepareMediaFolder();
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
  startPeriodicTask(
    () => publishDue(app(), currentTime()), // its author chose the time
    throttledLog("a scheduled post could not be published"),
    { everyMs: publishEveryMs },
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
    deliveriesKeptMs,
  };
  startPruning(database(), kept, (err) => log.error({ err }, "old records could not be removed"), {
    clock: trustedTime,
  });
  const stopRemoving = startRemoving(app(), trustedTime, (err) =>
    log.error({ err }, "a deleted post or account could not be removed"),
  );
  atShutdown(stopRemoving);
  const cleanMedia = async () => {
    const { mediaFolder } = app();
    await removeOldArchives(mediaFolder, await mediaFolder.time());
    await removeBrokenOff(mediaFolder, trustedTime());
    await cleanMediaFolder(database(), mediaFolder);
  };
  const reportMedia = throttledLog("files of images without a row could not be removed");
  cleanMedia().catch(reportMedia);
  startPeriodicTask(cleanMedia, reportMedia, { everyMs: cleanMediaEveryMs });
  startMail();
  startWebhooks();
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

/** Sends queued deliveries to webhooks. */
function startWebhooks(): void {
  const { webhookKey, webhooksMayBePrivate: mayBePrivate } = app();
  const outbox = webhookOutbox({ database: database(), webhookKey, mayBePrivate, clock: currentTime });
  const report = throttledLog("the outbox of webhooks could not be read or written");
  atShutdown(startDispatching(() => outbox, report, { atOnce: deliveriesAtOnce }));
}

/** Sends mails, while mail is set up. */
function startMail(): void {
  setMailFigures(() => database().mails.figures());
  const context = {
    database: database(),
    // An administrator may change it.
    get mail() {
      return siteMail();
    },
  };
  const queueDecisionMails = decisionMailer(context);
  const queueUndecidedMails = undecidedMailer({
    database: database(),
    get mail() {
      return siteMail();
    },
    holdMs: scoring.holdMs,
  });
  const queueing = [
    startPeriodicTask(
      () => queueNewPostMails(context, currentTime()),
      throttledLog("mails about new posts could not be queued"),
      { everyMs: queueNewPostMailsEveryMs },
    ),
    startPeriodicTask(
      () => queueFloodMails({ ...context, holdMs: scoring.holdMs }, currentTime()),
      throttledLog("mails about floods could not be queued"),
      { everyMs: queueFloodMailsEveryMs },
    ),
    startPeriodicTask(
      () => queueUndecidedMails(currentTime()),
      throttledLog("mails about floods to decide on could not be queued"),
      { everyMs: queueFloodMailsEveryMs },
    ),
    startPeriodicTask(
      () => queueDecisionMails(currentTime()),
      throttledLog("mails about decisions could not be queued"),
      { everyMs: queueDecisionMailsEveryMs },
    ),
  ];
  for (const stop of queueing) atShutdown(stop);
  const sender = () => {
    const mail = siteMail();
    if (!mail) return null;
    return {
      database: database(),
      mail,
      server: mailServer(mail.smtp),
      clock: currentTime,
      onAttempt: countMail,
    };
  };
  atShutdown(startSending(sender, throttledLog("the outbox could not be read or written")));
}

/** Writes down regularly how this node is doing, from when it listens. */
async function reportNode(): Promise<void> {
  const PORT = await listening;
  atShutdown(startReporting({ ...env, PORT }, process.env.NEXT_DEPLOYMENT_ID).leave);
}

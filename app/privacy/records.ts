import type { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { archivesKeptMs } from "@/lib/import-uploads/uploads";
import { mailLimits, restorableMs } from "@/lib/mail/kinds";
import { mailsKeptMs } from "@/lib/mail/outbox";
import { unsavedTextKeptMs } from "@/lib/posts/lengths";
import type { Settings } from "@/lib/settings/env";
import { dayMs } from "@/lib/time/units";
import type { RegistrationSettings } from "@/lib/users/register";
import { networkKnownDays } from "@/lib/users/registration-limits";
import { deliveriesKeptMs } from "@/lib/webhooks/deliver";

/** One thing that is kept about people with an account, in words. */
interface KeptRecord {
  what: string;
  howLong: string;
  who: string;
}

type Periods = Pick<Settings, "ATTEMPTS_KEPT_DAYS" | "SESSION_IDLE_DAYS" | "SESSION_MAXIMUM_DAYS">;

/** The kinds of records that this site has beside those of every site. */
interface RecordKinds {
  sendsMail: boolean;
  /** Accounts wait for approval, or new ones will. */
  approves: boolean;
  sendsWebhooks: boolean;
}

/**
 * The kinds of records, by the settings and by the database's rows.
 * Rows from before a change of the settings are still kept.
 */
export async function recordKinds(
  {
    users,
    webhooks,
    mails,
    subscribers,
  }: Pick<ReturnType<typeof app>["database"], "users" | "webhooks" | "mails" | "subscribers">,
  { sendsMail, registration }: { sendsMail: boolean; registration: RegistrationSettings["mode"] },
): Promise<RecordKinds> {
  return {
    sendsMail: sendsMail || (await subscribers.count()) > 0 || (await mails.isAnyKept()),
    approves: registration === "approval" || (await users.countPending()) > 0,
    sendsWebhooks: (await webhooks.all()).length > 0,
  };
}

/** The data kept about people with an account, under these settings. */
export function keptRecords(
  settings: Periods,
  { sendsMail, approves, sendsWebhooks }: RecordKinds,
): KeptRecord[] {
  const t = translator("privacy");
  const withAccount = t("withAccount");
  const mails = {
    what: t("record.mails.what"),
    howLong: t("record.mails.howLong", { days: mailsKeptMs / dayMs }),
    who: t("record.mails.who"),
  };
  const former = {
    what: t("record.former.what"),
    howLong: t("record.former.howLong", { days: restorableMs / dayMs }),
    who: t("youAndAdministrators"),
  };
  const unconfirmed = {
    what: t("record.unconfirmed.what"),
    howLong: t("record.unconfirmed.howLong", { days: mailLimits["confirm-registration"].validMs / dayMs }),
    who: t("noOne"),
  };
  const subscribers = {
    what: t("record.subscribers.what"),
    howLong: t("record.subscribers.howLong"),
    who: t("youAndAdministrators"),
  };
  const pending = {
    what: t("record.pending.what"),
    howLong: t("record.pending.howLong"),
    who: t("record.pending.who"),
  };
  const messages = {
    what: t("record.webhooks.what"),
    howLong: t("record.webhooks.howLong", { days: deliveriesKeptMs / dayMs }),
    who: t("record.webhooks.who"),
  };
  return [
    { what: t("record.account.what"), howLong: withAccount, who: t("record.account.who") },
    { what: t("record.email.what"), howLong: withAccount, who: t("youAndAdministrators") },
    { what: t("record.password.what"), howLong: withAccount, who: t("noOne") },
    { what: t("record.posts.what"), howLong: t("untilDeleted"), who: t("record.posts.who") },
    { what: t("record.revisions.what"), howLong: t("untilDeleted"), who: t("youAndAdministrators") },
    { what: t("record.images.what"), howLong: t("untilDeleted"), who: t("record.images.who") },
    { what: t("record.bookmarks.what"), howLong: t("untilDeleted"), who: t("youAndAdministrators") },
    {
      what: t("record.ratings.what"),
      howLong: t("record.ratings.howLong"),
      who: t("record.ratings.who"),
    },
    {
      what: t("record.attempts.what"),
      howLong: t("record.attempts.howLong", { days: settings.ATTEMPTS_KEPT_DAYS }),
      who: t("record.attempts.who"),
    },
    {
      what: t("record.sessions.what"),
      howLong: t("record.sessions.howLong", {
        idle: settings.SESSION_IDLE_DAYS,
        maximum: settings.SESSION_MAXIMUM_DAYS,
      }),
      who: t("youAndAdministrators"),
    },
    { what: t("record.keys.what"), howLong: t("record.keys.howLong"), who: t("record.keys.who") },
    ...(sendsMail ? [mails, unconfirmed, former, subscribers] : []),
    ...(approves ? [pending] : []),
    {
      what: t("record.limits.what"),
      howLong: t("record.limits.howLong", { days: networkKnownDays, postDays: unsavedTextKeptMs / dayMs }),
      who: t("noOne"),
    },
    {
      what: t("record.decisions.what"),
      howLong: t("record.decisions.howLong"),
      who: t("record.decisions.who"),
    },
    {
      what: t("record.archives.what"),
      howLong: t("days", { days: archivesKeptMs / dayMs }),
      who: t("record.archives.who"),
    },
    ...(sendsWebhooks ? [messages] : []),
  ];
}

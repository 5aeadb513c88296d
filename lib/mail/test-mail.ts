/** An email that an administrator requests, to see whether emails arrive. */
import type { Locale } from "../i18n/locale.ts";
import { isActingAdministrator } from "../users/permissions.ts";
import type { User } from "../users/types.ts";
import type { MailContext } from "./confirm-email.ts";
import { queueMail } from "./outbox.ts";

const kind = "test";

/** Queues it to the administrator's own address. */
export function requestTestMail(
  { database, mail }: MailContext,
  { actor, locale, now }: { actor: User; locale: Locale; now: number },
): Promise<{ kind: "queued" } | { kind: "full" } | { kind: "no-mail" } | { kind: "forbidden" }> {
  return database.transaction(async () => {
    if (!(await isActingAdministrator(database, actor))) return { kind: "forbidden" };
    const user = await database.users.lock(actor.id);
    if (!mail || !user) return { kind: "no-mail" };
    const data = { username: user.username };
    const queued = await queueMail(database, { kind, to: user, data, locale, now });
    return { kind: queued === "queued" ? "queued" : "full" };
  });
}

export type TestMailState =
  | { kind: "sent"; at: number }
  | { kind: "waiting"; at: number; fault: string | null }
  | { kind: "given-up"; at: number; fault: string };

/** The state of an administrator's last test email; undefined when none is kept. */
export async function lastTestMail(
  { database }: Pick<MailContext, "database">,
  { id }: Pick<User, "id">,
): Promise<TestMailState | undefined> {
  const mail = await database.mails.lastOf(id, kind);
  if (!mail) return undefined;
  const { createdAt, finishedAt, fault } = mail;
  if (finishedAt === null) return { kind: "waiting", at: createdAt, fault };
  return fault === null ? { kind: "sent", at: finishedAt } : { kind: "given-up", at: finishedAt, fault };
}

/** Checks that old rows are removed, above all those with addresses. */
import type { Inspection } from "../../db/inspect.ts";
import { type DoctorCheck, ok, warning } from "./check.ts";

/** A running server removes old rows once a minute. */
export const leftForMs = 3_600_000;

/** The tables whose rows have an address, and expire with a link in an email. */
const withLinks = ["pending_registrations", "email_changes", "mail_links"];

export interface KeptPeriods {
  attemptsKeptMs: number;
  mailsKeptMs: number;
}

export async function oldRowsChecks(
  inspection: Inspection,
  { attemptsKeptMs, mailsKeptMs }: KeptPeriods,
): Promise<DoctorCheck[]> {
  const links = withLinks.map((table) => `select expires_at from ${table}`).join(" union all ");
  return [
    await leftOver(inspection, "limiter states", (now) => `limiter_states where expires_at <= ${now}`),
    await leftOver(inspection, "attempts", (now) => `attempts where at < ${now - attemptsKeptMs}`),
    await leftOver(inspection, "mails", (now) => {
      const until = now - mailsKeptMs;
      return `mails where finished_at <= ${until} or (due_at is not null and expires_at <= ${until})`;
    }),
    await leftOver(
      inspection,
      "unconfirmed addresses",
      (now) => `(${links}) links where expires_at <= ${now}`,
    ),
  ];
}

/** Checks the rows that are old at a time, as SQL after "from". */
async function leftOver(
  { query, now }: Inspection,
  what: string,
  oldAt: (time: number) => string,
): Promise<DoctorCheck> {
  const count = async (rows: string) => Number((await query(`select count(*) from ${rows}`))[0]?.[0]);
  const total = await count(oldAt(now));
  const name = `old ${what}`;
  return (await count(oldAt(now - leftForMs))) === 0
    ? ok(name, `${total} to be removed.`)
    : warning(
        name,
        `${total} to be removed, some for more than an hour: a running server does that, little by little. If one is running, its log has the reason.`,
      );
}

/**
 * Links by which a recipient turns mails off, without logging in (RFC 8058).
 * The token is signed for one list, row and address. It needs no row of its own, so it works as long as the list has the
 * address.
 */
import type { Database } from "../../db/index.ts";
import { isSameSecret, signatureOf } from "../auth/token.ts";
import { oneClickPath, unsubscribePath } from "../paths.ts";
import { type MailChoice, mailChoices } from "./choices.ts";
import type { MailSettings } from "./settings.ts";

/** The kinds that can be turned off, with the letter that stands for it in a token. */
const letters: Record<MailChoice, string> = { posts: "p", floods: "f", decisions: "d", undecided: "u" };

interface Membership {
  list: MailChoice;
  /** Of the subscriber, or of the user. */
  id: number;
  addressKey: string;
}

/** The page with a button, and the address that mail programs post to. */
export function unsubscribePaths(settings: Pick<MailSettings, "linkKey">, membership: Membership) {
  const { list, id } = membership;
  const token = `${letters[list]}${id.toString(36)}.${signature(settings, membership)}`;
  return { page: `${unsubscribePath}?token=${token}`, oneClick: `${oneClickPath}?token=${token}` };
}

/** No mail need be set up: links in mails that were sent before still work. */
type UnsubscribeContext = { database: Database } & Pick<MailSettings, "linkKey">;

/** The list of a token whose mails its address still gets; undefined otherwise. */
export async function listOf(context: UnsubscribeContext, token: string): Promise<MailChoice | undefined> {
  const found = await membershipOf(context, token);
  return found && (await isMember(context.database, found)) ? found.list : undefined;
}

/**
 * Turns the mails of a token's list off, for its address; idempotent.
 * Checks the signature first: anyone may send tokens, without a limit, and a wrong one takes no lock.
 */
export async function unsubscribe(context: UnsubscribeContext, token: string): Promise<void> {
  const { database } = context;
  if (!(await membershipOf(context, token))) return;
  await database.transaction(async () => {
    const found = await membershipOf(context, token);
    if (!found) return;
    const { list, id } = found;
    if (list === "posts") await database.subscribers.remove({ id });
    else await subscriptionsTo(database, list).remove(id);
  });
}

/** The membership that a token is signed for; undefined when its row is gone. */
async function membershipOf(
  { database, linkKey }: UnsubscribeContext,
  token: string,
): Promise<Membership | undefined> {
  const [, letter, number = "", sent = ""] = /^([a-z])([\da-z]{1,11})\.([\w-]{43})$/.exec(token) ?? [];
  const list = mailChoices.find((each) => letters[each] === letter);
  if (!list) return undefined;
  const id = Number.parseInt(number, 36);
  if (!Number.isSafeInteger(id)) return undefined;
  const row = await (list === "posts" ? database.subscribers.byId(id) : database.users.byId(id));
  if (!row) return undefined;
  const membership = { list, id, addressKey: row.emailKey };
  return isSameSecret(sent, signature({ linkKey }, membership)) ? membership : undefined;
}

async function isMember(database: Database, { list, id }: Membership): Promise<boolean> {
  return list === "posts" || (await subscriptionsTo(database, list).of(id)) !== undefined;
}

/** The users who get the mails of a list. */
export function subscriptionsTo(database: Database, list: Exclude<MailChoice, "posts">) {
  return {
    floods: database.floodSubscriptions,
    decisions: database.decisionSubscriptions,
    undecided: database.deciderSubscriptions,
  }[list];
}

function signature({ linkKey }: Pick<MailSettings, "linkKey">, { list, id, addressKey }: Membership): string {
  return signatureOf(linkKey(), "unsubscribe", list, id, addressKey);
}

/** The schemas of people, as administrators manage them, in the JSON API. */
import { z } from "zod";
import { decisionMaximum, type PendingAccount } from "../users/approvals.ts";
import type { Profile } from "../users/index.ts";
import { type ListedPerson, peopleKinds, personRoles, personStatuses } from "../users/people.ts";
import { cursorMessage, name, pageNumber, rowNumber } from "./queries.ts";

export const peopleListSchema = z.object({
  q: name("Q").describe("The beginning of a username; with an @, that of an email address."),
  kind: z
    .enum(peopleKinds, `Kind must be one of ${peopleKinds.join(", ")}.`)
    .default("all")
    .describe("`staff`: moderators and administrators."),
  cursor: rowNumber(cursorMessage),
});

export const personAnswer = z.object({
  username: z.string(),
  email: z.string(),
  role: z.enum(personRoles).describe("The highest role of the account."),
  status: z.enum(personStatuses).describe("`waiting`: for approval."),
  registeredAt: z.iso.datetime(),
});

export const personListAnswer = z.object({
  items: z
    .array(personAnswer)
    .describe("With a search in the order of the searched names, or the newest first."),
  nextCursor: z.string().nullable().describe("For the next page's cursor; null on the last page."),
});

export function shownPerson({
  username,
  email,
  role,
  status,
  createdAt,
}: ListedPerson): z.infer<typeof personAnswer> {
  return { username, email, role, status, registeredAt: new Date(createdAt).toISOString() };
}

export const profileAnswer = z.object({
  username: z.string(),
  registeredOn: z.iso.date().describe("The day (UTC)."),
  disabled: z.boolean().describe("Whether an administrator has disabled the account."),
});

/** A user's public profile, as its page shows it. */
export function shownProfile({
  username,
  createdAt,
  isDisabled,
}: Omit<Profile, "id">): z.infer<typeof profileAnswer> {
  return { username, registeredOn: new Date(createdAt).toISOString().slice(0, 10), disabled: isDisabled };
}

export const waitingListSchema = z.object({
  q: name("Q").describe("Only accounts whose username or email address contains this."),
  network: name("Network").describe("Only accounts from the network with this code."),
  page: pageNumber,
});

const waitingAccountAnswer = z.object({
  username: z.string(),
  email: z.string(),
  registeredAt: z.iso.datetime(),
  network: z
    .string()
    .nullable()
    .describe("A code of the network that it was registered from, not its address; null where unknown."),
  ofNetwork: z.int().min(0).describe("How many accounts that wait came from this network."),
});

export const waitingListAnswer = z.object({
  items: z.array(waitingAccountAnswer).describe("The longest waiting first."),
  count: z.int().min(0).describe("How many there are, on all pages."),
  page: z.int().min(1),
  pages: z.int().min(1).describe("How many pages there are."),
});

export function shownWaitingAccount({
  username,
  email,
  pendingSince,
  network,
  ofNetwork,
}: PendingAccount): z.infer<typeof waitingAccountAnswer> {
  return { username, email, registeredAt: new Date(pendingSince).toISOString(), network, ofNetwork };
}

export const accountsDecisionSchema = z.object({
  approve: z.boolean("Approve must be true or false."),
  usernames: z
    .array(z.string("Usernames must be a list of names."), "Usernames must be a list of names.")
    .min(1, "Name at least one account.")
    .max(decisionMaximum, `Name at most ${decisionMaximum} accounts.`),
});

export const accountsDecidedAnswer = z.object({
  decided: z.int().min(0).describe("How many accounts were approved or rejected."),
  others: z.int().min(0).describe("How many of the names were of no account that waits."),
});

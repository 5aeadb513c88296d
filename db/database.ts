/**
 * The database's interface: its queries, written once (`queries/`), on a dialect.
 *
 * Times are integer milliseconds since 1970, UTC. Every method rejects when the database cannot be used, with an error
 * that `isUnavailable` recognises. `contract.ts` is the suite that both databases pass.
 */
import { DrizzleQueryError } from "drizzle-orm";
import type { Dialect, PoolFigures, TransactionOptions } from "./dialect.ts";
import { accountChangeQueries } from "./queries/account-changes.ts";
import { apiTokenQueries } from "./queries/api-tokens.ts";
import { archiveQueries } from "./queries/archive.ts";
import { attemptQueries } from "./queries/attempts.ts";
import { bookmarkQueries } from "./queries/bookmarks.ts";
import { deciderSubscriptionQueries } from "./queries/decider-subscriptions.ts";
import { decisionSubscriptionQueries } from "./queries/decision-subscriptions.ts";
import { emailChangeQueries } from "./queries/email-changes.ts";
import { exportQueries } from "./queries/exports.ts";
import { floodSubscriptionQueries } from "./queries/flood-subscriptions.ts";
import { floodWindowQueries } from "./queries/flood-windows.ts";
import { invitationQueries } from "./queries/invitations.ts";
import { mailLinkQueries } from "./queries/mail-links.ts";
import { mailQueries } from "./queries/mails.ts";
import { mediaQueries } from "./queries/media.ts";
import { operationQueries } from "./queries/operations.ts";
import { ownRatingQueries } from "./queries/own-ratings.ts";
import { passkeyQueries } from "./queries/passkeys.ts";
import { pendingRegistrationQueries } from "./queries/pending-registrations.ts";
import { postRevisionQueries } from "./queries/post-revisions.ts";
import { postQueries } from "./queries/posts.ts";
import { ratingQueries } from "./queries/ratings.ts";
import { removalQueries } from "./queries/removals.ts";
import { repairQueries } from "./queries/repairs.ts";
import { replayQueries } from "./queries/replays.ts";
import { reviewRequestQueries } from "./queries/review-requests.ts";
import { secondFactorQueries } from "./queries/second-factors.ts";
import { sessionQueries } from "./queries/sessions.ts";
import { shownFloodQueries } from "./queries/shown-floods.ts";
import { siteSettingQueries } from "./queries/site-settings.ts";
import { subscriberQueries } from "./queries/subscribers.ts";
import { tagListQueries } from "./queries/tag-lists.ts";
import { tagQueries } from "./queries/tags.ts";
import { type TallyRow, tallyQueries } from "./queries/tallies.ts";
import { userQueries } from "./queries/users.ts";
import { waitingRatingQueries } from "./queries/waiting-ratings.ts";
import { webhookQueries } from "./queries/webhooks.ts";
import type { LimiterStateQueries } from "./types.ts";

export interface Database extends ReturnType<typeof queriesOn> {
  limiterStates: LimiterStateQueries;
  /**
   * Runs `work` in a transaction and resolves to its result.
   *
   * Rejects with the error of `work`, and nothing is saved. Every query that `work` makes is part of the transaction. A
   * transaction within another is part of that one, and rolls back alone when it fails; nested ones run one after the
   * other.
   *
   * A query that fails fails the whole transaction, caught or not: only a transaction within it may fail alone.
   * `work` awaits nothing but the database, and may run more than once: one of two conflicting transactions runs again.
   */
  transaction<T>(work: () => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * As `transaction`, without waiting for other writers.
   * Then it rejects with an error that `isUnavailable` recognises.
   */
  transactionNow<T>(work: () => Promise<T>): Promise<T>;
  /** The connection pool's load; only where there is more than one connection. */
  poolFigures?(): PoolFigures;
  /** The time in milliseconds, by the clock that all processes on the database share. */
  time(): number;
  /** Resolves when the database takes writes; saves nothing. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The parts that each dialect implements by itself. */
type OfDialect = Pick<Database, "limiterStates" | "time" | "ping" | "close" | "poolFigures">;

export function createDatabase(dialect: Dialect, ofDialect: OfDialect): Database {
  const { transaction, transactionNow } = dialect.session;
  return {
    ...queriesOn(dialect),
    transaction,
    transactionNow,
    ...ofDialect,
    limiterStates: withPlainErrors(ofDialect.limiterStates),
  };
}

function queriesOn(dialect: Dialect) {
  const lockedTallies = dialect.session.lockedValues<TallyRow>();
  return {
    users: withPlainErrors(userQueries(dialect)),
    posts: withPlainErrors(postQueries(dialect, lockedTallies)),
    tagLists: withPlainErrors(tagListQueries(dialect)),
    postRevisions: withPlainErrors(postRevisionQueries(dialect)),
    tags: withPlainErrors(tagQueries(dialect)),
    ratings: withPlainErrors(ratingQueries(dialect)),
    archive: withPlainErrors(archiveQueries(dialect)),
    ownRatings: withPlainErrors(ownRatingQueries(dialect)),
    bookmarks: withPlainErrors(bookmarkQueries(dialect)),
    waitingRatings: withPlainErrors(waitingRatingQueries(dialect)),
    tallies: withPlainErrors(tallyQueries(dialect, lockedTallies)),
    replays: withPlainErrors(replayQueries(dialect)),
    floodWindows: withPlainErrors(floodWindowQueries(dialect)),
    shownFloods: withPlainErrors(shownFloodQueries(dialect)),
    reviewRequests: withPlainErrors(reviewRequestQueries(dialect)),
    attempts: withPlainErrors(attemptQueries(dialect)),
    apiTokens: withPlainErrors(apiTokenQueries(dialect)),
    sessions: withPlainErrors(sessionQueries(dialect)),
    secondFactors: withPlainErrors(secondFactorQueries(dialect)),
    passkeys: withPlainErrors(passkeyQueries(dialect)),
    invitations: withPlainErrors(invitationQueries(dialect)),
    mails: withPlainErrors(mailQueries(dialect)),
    floodSubscriptions: withPlainErrors(floodSubscriptionQueries(dialect)),
    mailLinks: withPlainErrors(mailLinkQueries(dialect)),
    media: withPlainErrors(mediaQueries(dialect)),
    exports: withPlainErrors(exportQueries(dialect)),
    deciderSubscriptions: withPlainErrors(deciderSubscriptionQueries(dialect)),
    decisionSubscriptions: withPlainErrors(decisionSubscriptionQueries(dialect)),
    subscribers: withPlainErrors(subscriberQueries(dialect)),
    pendingRegistrations: withPlainErrors(pendingRegistrationQueries(dialect)),
    emailChanges: withPlainErrors(emailChangeQueries(dialect)),
    webhooks: withPlainErrors(webhookQueries(dialect)),
    operations: withPlainErrors(operationQueries(dialect)),
    removals: withPlainErrors(removalQueries(dialect)),
    repairs: withPlainErrors(repairQueries(dialect)),
    siteSettings: withPlainErrors(siteSettingQueries(dialect)),
    accountChanges: withPlainErrors(accountChangeQueries(dialect)),
  };
}

/** Queries as promises; Drizzle's return values can be awaited, but are builders. */
type Promised<Queries> = {
  [Name in keyof Queries]: Queries[Name] extends (...values: infer Values) => PromiseLike<infer Found>
    ? (...values: Values) => Promise<Found>
    : never;
};

/**
 * Queries that reject with the database's own error.
 * Drizzle's errors quote the values, and an error may be logged.
 */
function withPlainErrors<Queries extends object>(queries: Queries): Promised<Queries> {
  const plain = Object.entries(queries).map(([name, query]) => [
    name,
    async (...values: unknown[]) => {
      try {
        return await query(...values);
      } catch (error) {
        throw error instanceof DrizzleQueryError && error.cause !== undefined ? error.cause : error;
      }
    },
  ]);
  // Each method keeps its type, which a loop over their names would lose.
  return Object.fromEntries(plain) as Promised<Queries>;
}

/** The result of a query; of a list, one of its items. */
type RowOf<Query extends (...values: never[]) => Promise<unknown>> =
  NonNullable<Awaited<ReturnType<Query>>> extends infer Result
    ? Result extends readonly (infer Item)[]
      ? Item
      : Result
    : never;

/** A post as every page shows it, without its content. */
export type Post = RowOf<Database["posts"]["bySlug"]>;
/** A post in a list, with the viewer's own score; null when they have none. */
export type ListedPost = RowOf<Database["posts"]["list"]>;
/** A post with all that an archive keeps of it. */
export type ExportedPost = RowOf<Database["exports"]["posts"]>;
/** A post as an example of usual ratings. */
export type ExamplePost = RowOf<Database["tallies"]["examples"]>;
export type SavedWindowDecision = RowOf<Database["floodWindows"]["decisionsOf"]>;
/** A person's decision on a flood window, with its post. */
export type LoggedDecision = RowOf<Database["floodWindows"]["latestByPeople"]>;
export type WindowOfPost = RowOf<Database["floodWindows"]["byStatus"]>;
/** A flood for its author, or for a person who decides. */
export type UndecidedFlood = RowOf<Database["shownFloods"]["undecidedFor"]>;
/** A user's rating that does not count because of its flood. */
export type UncountedRating = RowOf<Database["shownFloods"]["uncountedOf"]>;
/** A user's own rating, with its post. */
export type RatedPost = RowOf<Database["ownRatings"]["list"]>;
/** A post that a user has saved for later. */
export type BookmarkedPost = RowOf<Database["bookmarks"]["list"]>;
/** An invitation as administrators see it. */
export type SavedInvitation = RowOf<Database["invitations"]["latest"]>;
/** A token with which a program acts in a user's name. */
export type ApiTokenRow = RowOf<Database["apiTokens"]["ofUser"]>;
/** A passkey of a user. */
export type PasskeyRow = RowOf<Database["passkeys"]["ofUser"]>;
/** The secret of a user's one-time codes. */
export type TotpRow = RowOf<Database["secondFactors"]["totp"]>;
/** An address that gets mails about new posts. */
export type SubscriberRow = RowOf<Database["subscribers"]["list"]>;
/** A mail in the outbox. */
export type MailRow = RowOf<Database["mails"]["claim"]>;
/** An image. */
export type ImageRow = RowOf<Database["media"]["byId"]>;
/** A message to a webhook. */
export type WebhookDelivery = RowOf<Database["webhooks"]["claim"]>;
/** A deleted post or account whose rows are being removed. */
export type Removal = RowOf<Database["removals"]["all"]>;
/** Accounts that were disabled or enabled together. */
export type AccountChange = RowOf<Database["accountChanges"]["latest"]>;

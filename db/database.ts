/** The database's queries on a dialect. */
import { DrizzleQueryError } from "drizzle-orm";
import type { Dialect } from "./dialect.ts";
import { accountChangeQueries } from "./queries/account-changes.ts";
import { apiTokenQueries } from "./queries/api-tokens.ts";
import { attemptQueries } from "./queries/attempts.ts";
import { floodWindowQueries } from "./queries/flood-windows.ts";
import { invitationQueries } from "./queries/invitations.ts";
import { operationQueries } from "./queries/operations.ts";
import { postQueries } from "./queries/posts.ts";
import { ratingQueries } from "./queries/ratings.ts";
import { removalQueries } from "./queries/removals.ts";
import { replayQueries } from "./queries/replays.ts";
import { reviewRequestQueries } from "./queries/review-requests.ts";
import { tallyQueries } from "./queries/tallies.ts";
import { userQueries } from "./queries/users.ts";
import { waitingRatingQueries } from "./queries/waiting-ratings.ts";
import type { Database } from "./types.ts";

/** What each dialect implements by itself. */
type OfDialect = Pick<Database, "limiterStates" | "ping" | "close" | "poolFigures">;

export function createDatabase(dialect: Dialect, ofDialect: OfDialect): Database {
  const { transaction, transactionNow } = dialect.session;
  return {
    users: withPlainErrors(userQueries(dialect)),
    posts: withPlainErrors(postQueries(dialect)),
    ratings: withPlainErrors(ratingQueries(dialect)),
    waitingRatings: withPlainErrors(waitingRatingQueries(dialect)),
    tallies: withPlainErrors(tallyQueries(dialect)),
    replays: withPlainErrors(replayQueries(dialect)),
    floodWindows: withPlainErrors(floodWindowQueries(dialect)),
    reviewRequests: withPlainErrors(reviewRequestQueries(dialect)),
    attempts: withPlainErrors(attemptQueries(dialect)),
    apiTokens: withPlainErrors(apiTokenQueries(dialect)),
    invitations: withPlainErrors(invitationQueries(dialect)),
    operations: withPlainErrors(operationQueries(dialect)),
    removals: withPlainErrors(removalQueries(dialect)),
    accountChanges: withPlainErrors(accountChangeQueries(dialect)),
    transaction,
    transactionNow,
    ...ofDialect,
    limiterStates: withPlainErrors(ofDialect.limiterStates),
  };
}

/** Queries that reject with the database's own error: Drizzle's quote the values, and an error may be logged. */
function withPlainErrors<Queries extends object>(queries: Queries): Queries {
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
  // Each method keeps its type, which a loop over their names cannot say.
  return Object.fromEntries(plain) as Queries;
}

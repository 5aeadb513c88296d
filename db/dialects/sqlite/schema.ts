/** The tables as SQLite's, for Drizzle's tool and the queries. */
import { defineTables } from "../../schema/index.ts";
import { columns } from "./columns.ts";

export const tables = defineTables(columns);

// The tool reads the tables from the exports.
export const {
  users,
  posts,
  postContents,
  ratings,
  waitingRatings,
  formerRaters,
  ratingDays,
  floodWindows,
  windowDecisions,
  reviewRequests,
  attempts,
  shadowDecisions,
  attemptCounts,
  shadowCounts,
  apiTokens,
  sessions,
  totpSecrets,
  recoveryCodes,
  invitations,
  limiterStates,
  nodes,
  passkeys,
  limitCounts,
  mails,
  mailLinks,
  floodSubscriptions,
  mailedFloods,
  replayClaims,
  trustedTime,
  removals,
  siteSettings,
  disabledRatings,
  accountChanges,
  accountChangeUsers,
} = tables;

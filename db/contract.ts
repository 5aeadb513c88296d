/**
 * The contract of every database, as one suite for all of them.
 * `databaseContract("SQLite", open)`, where `open` makes an empty database that ends with the test.
 */
import { describe } from "vitest";
import { apiTokenContract } from "./contract/api-tokens.ts";
import { attemptContract } from "./contract/attempts.ts";
import { floodWindowContract } from "./contract/flood-windows.ts";
import { invitationContract } from "./contract/invitations.ts";
import { limiterStateContract } from "./contract/limiter-states.ts";
import { listContract } from "./contract/lists.ts";
import { operationContract } from "./contract/operations.ts";
import { ownListContract } from "./contract/own-lists.ts";
import { passkeyContract } from "./contract/passkeys.ts";
import { postContract } from "./contract/posts.ts";
import { ratingContract } from "./contract/ratings.ts";
import { replayContract } from "./contract/replays.ts";
import { searchContract } from "./contract/search.ts";
import { secondFactorContract } from "./contract/second-factors.ts";
import { sessionContract } from "./contract/sessions.ts";
import type { Open } from "./contract/setting.ts";
import { siteSettingContract } from "./contract/site-settings.ts";
import { tallyContract } from "./contract/tallies.ts";
import { transactionContract } from "./contract/transactions.ts";
import { userContract } from "./contract/users.ts";

export function databaseContract(name: string, open: Open): void {
  describe(`${name} keeps the database's contract`, () => {
    userContract(open);
    postContract(open);
    listContract(open);
    searchContract(open);
    ratingContract(open);
    ownListContract(open);
    tallyContract(open);
    replayContract(open);
    floodWindowContract(open);
    attemptContract(open);
    limiterStateContract(open);
    apiTokenContract(open);
    invitationContract(open);
    sessionContract(open);
    secondFactorContract(open);
    passkeyContract(open);
    operationContract(open);
    siteSettingContract(open);
    transactionContract(open);
  });
}

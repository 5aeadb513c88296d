/** The operations of a writer, executed through the product's own functions. */
import type { Database } from "../../db/index.ts";
import { prune } from "../../db/pruning.ts";
import { changeAccounts } from "../../lib/account-changes/change-accounts.ts";
import { moveSomeRatings } from "../../lib/account-changes/index.ts";
import { deletePost } from "../../lib/posts/index.ts";
import { decideWindow } from "../../lib/ratings/decisions/flood-window-decisions.ts";
import { createRating, updateRating, withdrawRating } from "../../lib/ratings/index.ts";
import { catchUp } from "../../lib/ratings/tally/saved-tally.ts";
import { removeSome } from "../../lib/removals/index.ts";
import { leave } from "../../lib/users/roles.ts";
import { contextOf } from "../content.ts";
import { attemptsKeptMs, type CastMember, limitsOf, scoring } from "./blog.ts";

export type BlogOperation = { now: number } & (
  | { kind: "create" | "update"; slug: string; user: CastMember; score: number }
  | { kind: "withdraw"; slug: string; userId: number }
  | { kind: "decide"; slug: string; number: number; userId: number; status: string; after: number }
  | { kind: "catch up" | "move" | "remove" | "prune" }
  | { kind: "change accounts"; disabled: boolean; userIds: number[]; byUserId: number; why: string }
  | { kind: "delete post"; slug: string; user: CastMember }
  | { kind: "delete account"; userId: number }
);

/**
 * Rows of one step of a removal.
 * With more, their number would depend on how long the step takes.
 */
const removalBatch = 1;

/** Executes an operation; resolves to its outcome, in a word. */
export async function execute(database: Database, operation: BlogOperation, seed: number): Promise<string> {
  const context = { ...contextOf(database, limitsOf(seed), { report: fail }), scoring };
  const { now } = operation;
  switch (operation.kind) {
    case "create":
    case "update": {
      const { kind, slug, user, score } = operation;
      const rate = kind === "create" ? createRating : updateRating;
      const request = { slug, user, address: "192.0.2.1", input: { score }, now };
      return (await rate(context, request)).kind;
    }
    case "withdraw":
      return (await withdrawRating(context, operation)).kind;
    case "decide": {
      const { slug, number, userId, status, after } = operation;
      const input = { status, why: "A test decides.", after };
      // The rights that count are those in the database.
      const user = { id: userId, username: "decider", isAdministrator: false, isModerator: false };
      return (await decideWindow(context, { slug, number, user, input, now })).kind;
    }
    case "catch up":
      await catchUp(database, now, scoring, fail);
      return "caught up";
    case "move":
      return (await moveSomeRatings(context, now)) ? "moved" : "none to move";
    case "remove":
      return (await removeSome(context, now, { batch: removalBatch })) ? "removed" : "none to remove";
    case "prune":
      await prune(database, now, { attemptsKeptMs });
      return "pruned";
    case "change accounts": {
      const rows = [];
      for (const id of operation.userIds) rows.push(await database.users.byId(id));
      // As if each were to change: their values are read again, under locks.
      const disabledAt = operation.disabled ? null : now;
      const accounts = rows.flatMap((row) => (row ? [{ ...row, disabledAt }] : []));
      const changed = await changeAccounts(database, accounts, { ...operation, dryRun: false });
      return changed && changed.usernames.length > 0 ? "changed" : "unchanged";
    }
    case "delete post": {
      const user = { ...operation.user, isAdministrator: false, isModerator: false };
      return (await deletePost(context, { ...operation, user })).kind;
    }
    case "delete account":
      return database.transaction(async () => {
        const leaving = await database.users.lock(operation.userId);
        if (leaving) await leave(database, leaving, now);
        return leaving ? "deleted" : "no such user";
      });
  }
}

function fail(error: unknown): never {
  throw error;
}

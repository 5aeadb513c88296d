/** A database that tapes its transactions' reads without a lock, and their writes. */
import type { Database } from "../../db/index.ts";

export interface Tape {
  /**
   * The result of a read without a lock.
   * It is `found` itself, or in a replay the journal's value.
   */
  input<Found>(name: string, found: Found): Found;
  /** Records a value that must be the same in a replay, if it is compared. */
  check(name: string, value: unknown, isCompared?: boolean): void;
}

export interface Taping {
  /** For queries outside transactions. */
  idle: Tape;
  /** Runs the work of an outermost transaction, with the tape of that. */
  run<Result>(work: (tape: Tape) => Promise<Result>): Promise<Result>;
}

export function taped(database: Database, { idle, run }: Taping): Database {
  const { tallies, ratings, posts, removals, accountChanges, attempts, limiterStates, webhooks } = database;
  let tape = idle;
  /** The numbers of account changes in the journal, and here. */
  const changeIds = new Map<number, number>();
  const replayedChangeId = (id: number) => changeIds.get(id) ?? id;

  /**
   * Checks the result of a round of pruning.
   * Not compared during a removal, whose rows go in any order: some may be pruned here that were gone then.
   */
  async function checkPruned(name: string, value: unknown): Promise<void> {
    tape.check(name, value, (await removals.all()).length === 0);
  }

  type Transaction = <Result>(work: () => Promise<Result>, options?: object) => Promise<Result>;
  const around =
    (transaction: Transaction): Transaction =>
    (work, options) => {
      if (tape !== idle) return transaction(work, options);
      const outermost = () =>
        run(async (ofTransaction) => {
          tape = ofTransaction;
          return work();
        }).finally(() => {
          tape = idle;
        });
      return transaction(outermost, options);
    };

  return {
    ...database,
    transaction: around(database.transaction),
    transactionNow: around(database.transactionNow),
    tallies: {
      ...tallies,
      examples: async (wanted) => tape.input("examples", await tallies.examples(wanted)),
      due: async (now, limit) => tape.input("due posts", await tallies.due(now, limit)),
      async save(postId, tally) {
        // Of a deleted post, the ratings are being removed, in any order.
        const isDeleted = (await removals.all()).some(
          ({ kind, subjectId }) => kind === "post" && subjectId === postId,
        );
        if (!isDeleted) tape.check("tally", { postId, ...tally });
        await tallies.save(postId, tally);
      },
    },
    webhooks: {
      ...webhooks,
      ofEvent: async (event) => tape.input("webhooks of an event", await webhooks.ofEvent(event)),
    },
    ratings: {
      ...ratings,
      async findRater(slug, userId, stateKey, now) {
        const rater = await ratings.findRater(slug, userId, stateKey, now);
        const isFound = tape.input("rater", rater !== undefined);
        return isFound ? rater && { ...rater, state: tape.input("backoff", rater.state) } : undefined;
      },
      anyRatedBy: async (userId) => tape.input("post rated by", await ratings.anyRatedBy(userId)),
    },
    posts: { ...posts, anyOf: async (userId) => tape.input("any post of", await posts.anyOf(userId)) },
    removals: {
      ...removals,
      async claim(besides) {
        const row = await removals.claim(besides);
        const found = row && { kind: row.kind, subjectId: row.subjectId };
        const noted = tape.input("removal", found);
        if (noted === found) return row;
        const all = await removals.all();
        return all.find(({ kind, subjectId }) => kind === noted?.kind && subjectId === noted.subjectId);
      },
      async removeOfUser(userId, limit) {
        // Rows that are also of a removed post go with either removal: here one may be left, or gone.
        const noted = tape.input("rows of an account", await removals.removeOfUser(userId, limit));
        while (noted === 0 && (await removals.removeOfUser(userId, limit)) > 0);
        return noted;
      },
    },
    accountChanges: {
      ...accountChanges,
      async insert(change) {
        const id = await accountChanges.insert(change);
        changeIds.set(tape.input("change", id), id);
        return id;
      },
      async claim() {
        const noted = tape.input("account", await accountChanges.claim());
        return noted && { ...noted, changeId: replayedChangeId(noted.changeId) };
      },
      postToChange: async (userId, isDisabled) =>
        tape.input("post to change", await accountChanges.postToChange(userId, isDisabled)),
      async ratingsToMove(postId, isDisabled) {
        // Accounts that another transaction is changing meanwhile are left to the next step.
        const found = await accountChanges.ratingsToMove(postId, isDisabled);
        const noted = tape.input("ratings to move", found);
        if (noted === found) return found;
        // Those of a post that is being removed may be gone, and count nowhere.
        const gone = noted
          .filter((then) => !found.some(({ userId }) => userId === then.userId))
          .map((rating) => ({ ...rating, changeId: replayedChangeId(rating.changeId) }));
        return [...found.filter(({ userId }) => noted.some((then) => then.userId === userId)), ...gone];
      },
    },
    attempts: {
      ...attempts,
      async removeBefore(...values) {
        const removed = await attempts.removeBefore(...values);
        await checkPruned("removeBefore", [values, removed]);
        return removed;
      },
      async removeCountsBefore(...values) {
        const removed = await attempts.removeCountsBefore(...values);
        await checkPruned("removeCountsBefore", [values, removed]);
        return removed;
      },
    },
    limiterStates: {
      ...limiterStates,
      async loadToUpdate(keys) {
        const { saved, aheadMs } = await limiterStates.loadToUpdate(keys);
        tape.check("limiter states", saved);
        return { saved, aheadMs: tape.input("ahead", aheadMs) };
      },
      async removeExpired(...values) {
        const removed = await limiterStates.removeExpired(...values);
        tape.check("removeExpired", [values, removed]);
        return removed;
      },
    },
  };
}

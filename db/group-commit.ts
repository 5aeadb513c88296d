/**
 * Group commit: transactions that wait together share one.
 *
 * The first begins it, and the others run in it one after the other, each in a savepoint of its own, so that each sees
 * the changes of those before it and may fail alone. None is answered before the commit, whether its work succeeded or
 * failed: either may follow from changes that are not saved yet. When the shared transaction fails, its members run
 * again, each in a transaction of its own.
 */

/** A caller's transaction. */
export interface Member {
  /**
   * Runs its work in the current transaction.
   * Resolves to a function that answers the caller.
   */
  run(): Promise<() => void>;
  reject(error: unknown): void;
  /** Whether it shares no commit: one that it shared has failed. */
  isAlone?: boolean | undefined;
}

/** The parts of a database. */
export interface GroupCommitParts<M extends Member> {
  /** The maximum number of members. */
  membersMaximum: number;
  /** How long after the first member's work others join, in milliseconds. */
  joinWindowMs: number;
  /**
   * Runs `work` in a transaction, and commits.
   * When `first` is alone, perhaps more than once.
   */
  transaction(first: M, work: () => Promise<void>): Promise<void>;
  beginSavepoint(): void;
  releaseSavepoint(): void;
  /** Rolls back to a member's savepoint; throws when the whole transaction has ended. */
  rollBackToSavepoint(error: unknown): Promise<void> | void;
  /**
   * Whether a failed member is run again, after the commit.
   * `isFirst` for the one that began the transaction.
   */
  isRetried(error: unknown, isFirst: boolean): boolean;
  /** Called when members run again because of an error. */
  onRetry?(error: unknown): void;
  /**
   * Whether nothing of a failed transaction was saved.
   * Then its members are run again.
   */
  isUnsaved(error: unknown): boolean;
}

/**
 * Runs members in one transaction: `first`, and those that `next` returns.
 * Resolves to the members that have to run again, each alone. All others are answered by then.
 */
export async function commitTogether<M extends Member>(
  first: M,
  next: () => M | undefined,
  parts: GroupCommitParts<M>,
): Promise<M[]> {
  const members = [first];
  const again: M[] = [];
  let answers: (() => void)[] = [];
  try {
    await parts.transaction(first, async () => {
      answers = [await first.run()];
      if (first.isAlone) return;
      // Only now: the first one may have waited for locks.
      const endsAt = performance.now() + parts.joinWindowMs;
      while (again.length === 0 && members.length < parts.membersMaximum && performance.now() < endsAt) {
        const member = next();
        if (!member) break;
        members.push(member);
        const answer = await runInSavepoint(member, parts);
        if (answer) answers.push(answer);
        else again.push(member);
      }
    });
  } catch (error) {
    const mayRunAgain = members.length > 1 ? parts.isUnsaved(error) : parts.isRetried(error, true);
    if (mayRunAgain && !first.isAlone) {
      parts.onRetry?.(error);
      return members.map(alone);
    }
    for (const { reject } of members) reject(error);
    return [];
  }
  for (const answer of answers) answer();
  return again.map(alone);
}

function alone<M extends Member>(member: M): M {
  return { ...member, isAlone: true };
}

/**
 * Resolves to a function that answers the member's caller.
 * Undefined when the member has to run again. Rejects when the whole transaction has failed.
 */
async function runInSavepoint<M extends Member>(
  member: M,
  parts: GroupCommitParts<M>,
): Promise<(() => void) | undefined> {
  parts.beginSavepoint();
  try {
    const answer = await member.run();
    parts.releaseSavepoint();
    return answer;
  } catch (error) {
    await parts.rollBackToSavepoint(error);
    if (!parts.isRetried(error, false)) return () => member.reject(error);
    parts.onRetry?.(error);
    return undefined;
  }
}

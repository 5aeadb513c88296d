/**
 * The transactions of callers, found by their asynchronous context.
 *
 * A statement is part of the innermost transaction whose work calls it. One transaction at a time is nested in another:
 * until it has ended, the outer one's statements are refused, which would otherwise be rolled back with it.
 */
import { AsyncLocalStorage } from "node:async_hooks";

export interface TransactionContext {
  /**
   * Whether its work has settled.
   * Statements that the work has left behind run outside of it.
   */
  isOver: boolean;
  /** The error with which its further statements are refused. */
  refusal?: { error: unknown } | undefined;
  /** The open nested transaction. */
  nested?: TransactionContext | undefined;
}

/** How long the work of a transaction may take, and the error after that. */
interface WorkLimit {
  maximumMs: number;
  error(): Error;
}

const nestedMessage = "A nested transaction is under way: await it before anything else in the outer one";

export function createTransactionContexts<Context extends TransactionContext>() {
  const storage = new AsyncLocalStorage<Context>();

  /**
   * The caller's transaction; undefined outside of one.
   * Throws when its statements are refused.
   */
  function current(): Context | undefined {
    const context = storage.getStore();
    if (!context) return undefined;
    if (context.refusal) throw context.refusal.error;
    if (context.isOver) return undefined;
    if (context.nested) throw new Error(nestedMessage);
    return context;
  }

  /**
   * Runs the work of a transaction, which is over then.
   * Work that has not settled in time fails, and its further statements are refused.
   */
  async function run<T>(context: Context, work: () => Promise<T>, limit?: WorkLimit): Promise<T> {
    const running = storage.run(context, work);
    try {
      const result = await (limit ? inTime(context, running, limit) : running);
      if (context.refusal) throw context.refusal.error;
      if (context.nested) throw new Error(nestedMessage);
      return result;
    } catch (error) {
      throw context.refusal ? context.refusal.error : error;
    } finally {
      context.isOver = true;
      for (let { nested } = context; nested; { nested } = nested)
        nested.refusal ??= { error: new Error("The transaction around this nested one has ended") };
    }
  }

  /**
   * Resolves as `work`, which runs a transaction nested in `outer`.
   * It begins and ends that, too.
   */
  async function nest<T>(outer: Context, inner: Context, work: () => Promise<T>): Promise<T> {
    outer.nested = inner;
    try {
      return await work();
    } finally {
      outer.nested = undefined;
    }
  }

  return { current, run, nest };
}

async function inTime<T>(context: TransactionContext, running: Promise<T>, limit: WorkLimit): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    context.refusal = { error: limit.error() };
    reject(context.refusal.error);
  }, limit.maximumMs);
  try {
    return await Promise.race([running, late]);
  } finally {
    clearTimeout(timer);
  }
}

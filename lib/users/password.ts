/**
 * Password hashes, made and checked in threads of their own.
 * The library would use the four threads that Node.js reads files and resolves names with, and many log-ins at once
 * would stop every request.
 */
import { join } from "node:path";
import { createThreadPool } from "../threads/pool.ts";
import { startWorkerThread } from "../threads/worker-thread.ts";

/** Too many passwords wait already. */
export type PasswordsBusy = { kind: "passwords-busy" };

export const passwordsBusyMessage =
  "Very many people are logging in or registering just now, so your password was not looked at, and nothing was saved. Try again in a few seconds.";

export interface PasswordHasher {
  /**
   * Whether there is no room for another password.
   * Some room is kept for known users, by their ids, and little of it for each.
   */
  isBusy(knownUser?: number): boolean;
  hash(password: string, knownUser?: number): Promise<{ kind: "hashed"; hash: string } | PasswordsBusy>;
  /**
   * Whether the password matches the hash.
   * Without a hash (no such account) it does the same work, and the password is wrong, so that timing does not reveal
   * which names exist.
   */
  check(
    passwordHash: string | undefined,
    password: string,
    knownUser?: number,
  ): Promise<{ kind: "right" | "wrong" } | PasswordsBusy>;
  /** Ends the threads; passwords that are being hashed or wait fail. */
  close(): Promise<void>;
}

/** A password to hash, or with a hash (null where there is none) to check. */
export interface PasswordRequest {
  password: string;
  hash?: string | null;
}

const program = join(/* turbopackIgnore: true */ process.cwd(), "lib/users/password-worker.ts");
const busy: PasswordsBusy = { kind: "passwords-busy" };

/** Starts no thread before the first password. */
export function createPasswordHasher({
  threads: threadsMaximum = 2,
  waitingMaximum = 20,
  keptForKnown = 20,
  keptForOneUser = 4,
} = {}): PasswordHasher {
  const threads = createThreadPool(threadsMaximum, () =>
    startWorkerThread<PasswordRequest, string | boolean>(program),
  );
  let passwords = 0;
  /** The passwords of known users, by user. */
  const ofUser = new Map<number, number>();

  function isBusy(knownUser?: number): boolean {
    const isKept = knownUser !== undefined && (ofUser.get(knownUser) ?? 0) < keptForOneUser;
    return passwords >= threadsMaximum + waitingMaximum + (isKept ? keptForKnown : 0);
  }

  function count(change: 1 | -1, knownUser: number | undefined): void {
    passwords += change;
    if (knownUser === undefined) return;
    const own = (ofUser.get(knownUser) ?? 0) + change;
    if (own === 0) ofUser.delete(knownUser);
    else ofUser.set(knownUser, own);
  }

  async function answerTo(request: PasswordRequest, knownUser?: number): Promise<string | boolean> {
    count(1, knownUser);
    try {
      return await threads.run((thread) => thread.request(request));
    } finally {
      count(-1, knownUser);
    }
  }

  return {
    isBusy,
    async hash(password, knownUser) {
      if (isBusy(knownUser)) return busy;
      const hash = await answerTo({ password: password.normalize("NFKC") }, knownUser);
      if (typeof hash !== "string") throw new TypeError("The thread has answered another request");
      return { kind: "hashed", hash };
    },
    async check(passwordHash, password, knownUser) {
      if (isBusy(knownUser)) return busy;
      const request = { password: password.normalize("NFKC"), hash: passwordHash ?? null };
      const matches = await answerTo(request, knownUser);
      return { kind: matches === true ? "right" : "wrong" };
    },
    close: threads.close,
  };
}

// On the global object, because Next.js may load this module more than once per process.
const shared: { weirPasswordHasher?: PasswordHasher } & typeof globalThis = globalThis;

/** This process's hasher. */
export function passwordHasher(): PasswordHasher {
  shared.weirPasswordHasher ??= createPasswordHasher();
  return shared.weirPasswordHasher;
}

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

interface PasswordHasher {
  /**
   * Whether there is no room for another password.
   * Known users, by their ids, fill half of the general places at most. Beyond these, places are kept for them, each for
   * a user's only password.
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

/** General places are for all callers, kept ones for known users only. */
type PlaceKind = "stranger" | "known" | "kept";

/** Starts no thread before the first password. */
export function createPasswordHasher({
  threads: threadsMaximum = 2,
  waitingMaximum = 20,
  keptForKnown = 20,
} = {}): PasswordHasher {
  const threads = createThreadPool(threadsMaximum, () =>
    startWorkerThread<PasswordRequest, string | boolean>(program),
  );
  const generalPlaces = threadsMaximum + waitingMaximum;
  const taken: Record<PlaceKind, number> = { stranger: 0, known: 0, kept: 0 };
  /** How many passwords of known users there are, by user. */
  const ofUser = new Map<number, number>();

  /** The place for another password; undefined when there is none. */
  function freePlace(knownUser?: number): PlaceKind | undefined {
    const isGeneralFree = taken.stranger + taken.known < generalPlaces;
    if (knownUser === undefined) return isGeneralFree ? "stranger" : undefined;
    if (isGeneralFree && taken.known < generalPlaces / 2) return "known";
    return taken.kept < keptForKnown && !ofUser.has(knownUser) ? "kept" : undefined;
  }

  function count(change: 1 | -1, place: PlaceKind, knownUser: number | undefined): void {
    taken[place] += change;
    if (knownUser === undefined) return;
    const own = (ofUser.get(knownUser) ?? 0) + change;
    if (own === 0) ofUser.delete(knownUser);
    else ofUser.set(knownUser, own);
  }

  /** The thread's answer; undefined when there is no room. */
  async function answerTo(
    request: PasswordRequest,
    knownUser?: number,
  ): Promise<string | boolean | undefined> {
    const place = freePlace(knownUser);
    if (place === undefined) return undefined;
    count(1, place, knownUser);
    try {
      return await threads.run((thread) => thread.request(request));
    } finally {
      count(-1, place, knownUser);
    }
  }

  return {
    isBusy: (knownUser) => freePlace(knownUser) === undefined,
    async hash(password, knownUser) {
      const hash = await answerTo({ password: password.normalize("NFKC") }, knownUser);
      if (hash === undefined) return busy;
      if (typeof hash !== "string") throw new TypeError("The thread has answered another request");
      return { kind: "hashed", hash };
    },
    async check(passwordHash, password, knownUser) {
      const request = { password: password.normalize("NFKC"), hash: passwordHash ?? null };
      const matches = await answerTo(request, knownUser);
      if (matches === undefined) return busy;
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

/** Types of accounts; a file of its own, so that ratings can use them without an import cycle. */
import type { Database } from "../../db/index.ts";
import type { Limits } from "../limits/index.ts";
import type { Guard } from "../limits/types.ts";
import type { TallySettings } from "../ratings/tally/tally.ts";
import type { FieldErrors } from "../validation.ts";

/** A logged-in user. */
export interface User {
  id: number;
  username: string;
  isAdministrator: boolean;
  isModerator: boolean;
  /** Whether the account waits for an administrator's approval; absent when it does not. */
  isPending?: true;
  /**
   * Whether this is an administrator whose session has passed no second factor where one is required.
   * They have no role then; absent otherwise.
   */
  lacksSecondFactor?: true;
}

export interface DatabaseContext {
  database: Database;
}

export interface AccountContext extends DatabaseContext {
  limits: Limits;
  guard: Guard;
  scoring?: TallySettings;
  /** The key by which browsers are recognised (`known-browsers.ts`). */
  browserSecret: () => string;
  /** The key that encrypts the secrets of one-time codes. */
  secondFactorKey: () => Buffer;
  /** Waits so many milliseconds; a real wait unless set. */
  sleep?: (ms: number) => Promise<void>;
}

export type Invalid = { kind: "invalid"; errors: FieldErrors };

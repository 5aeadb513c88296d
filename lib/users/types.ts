/**
 * Types of accounts.
 * A file of its own, so that ratings can use them without an import cycle.
 */
import type { Database } from "../../db/index.ts";
import type { Limits } from "../limits/index.ts";
import type { Guard } from "../limits/types.ts";
import type { MailSettings } from "../mail/settings.ts";

/** A logged-in user. */
export interface User {
  id: number;
  username: string;
  isAdministrator: boolean;
  isModerator: boolean;
  /**
   * Whether they may write where not everyone may; absent when not.
   * Administrators and moderators may.
   */
  isWriter?: boolean;
  /** Whether the account waits for approval; absent when it does not. */
  isPending?: true;
  /** Whether they must confirm their address, where that is required. */
  mustConfirmEmail?: boolean;
  /**
   * Whether an administrator's session lacks a required second factor.
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
  /** Null or absent when mail is not set up: then none is queued. */
  mail?: MailSettings | null;
  /** The key by which browsers are recognised (`known-browsers.ts`). */
  browserSecret: () => string;
  /** The key that encrypts the secrets of one-time codes. */
  secondFactorKey: () => Buffer;
  /** Waits this many milliseconds; a real wait unless set. */
  sleep?: (ms: number) => Promise<void>;
}

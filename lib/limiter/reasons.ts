/**
 * Why a limit decided as it did, as plain JSON data.
 * Each algorithm's file has the fields of its own reason; the registry makes a sentence, a level and a quota of it.
 */
export type LimitReason = { algorithm: string; neverFits: false; [field: string]: unknown };

/** A cost above the most that the limit can hold: waiting does not help. */
export type NeverFitsReason = {
  algorithm: string;
  neverFits: true;
  cost: number;
  limit: number;
  /** The time that the limit is given for: from used up to unused. */
  windowMs: number;
};

/** Check `neverFits` first. */
export type Reason<R extends LimitReason = LimitReason> = R | NeverFitsReason;

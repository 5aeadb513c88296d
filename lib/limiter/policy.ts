import type { Algorithm } from "./types.ts";

/** A named limit: which algorithm decides, and what follows from its decision. */
export interface Policy {
  name: string;
  /**
   * `enforce` refuses what is over the limit, `hold` allows it and reports it as held. `shadow` decides and counts, and
   * refuses nothing. `off` is not checked.
   */
  mode: "enforce" | "hold" | "shadow" | "off";
  algorithm: Algorithm<unknown>;
  outage: Outage;
}

/**
 * What happens when the states cannot be read.
 * `closed` refuses (fail closed), `open` allows (fail open), `local` decides by an algorithm at a share of the limit, with its states in this
 * process's memory.
 */
export type Outage = "closed" | "open" | { local: Algorithm<unknown>; share: number };

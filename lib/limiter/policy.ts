import type { Algorithm } from "./types.ts";

/** A named limit: its algorithm, and the consequences of its decision. */
export interface Policy {
  name: string;
  /**
   * The effect of a policy's refusal.
   * `enforce` refuses requests over the limit, `hold` allows them and reports them as held. `shadow` decides and
   * counts, and refuses nothing. `off` is not checked.
   */
  mode: "enforce" | "hold" | "shadow" | "off";
  algorithm: Algorithm<unknown>;
  outage: Outage;
}

/**
 * The behaviour when the states cannot be read.
 * `closed` refuses (fail closed), `open` allows (fail open), `local` decides by an algorithm at a share of the limit,
 * with its states in this process's memory.
 */
export type Outage = "closed" | "open" | { local: Algorithm<unknown>; share: number };

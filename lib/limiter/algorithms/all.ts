/**
 * The file of every algorithm.
 * A further algorithm is a line here; the registry finds its definition.
 */
export * from "./ema.ts";
export * from "./fixed-window.ts";
export * from "./gcra.ts";
export * from "./leaky-bucket.ts";
export * from "./sliding-log.ts";
export * from "./sliding-window-counter.ts";
export * from "./tiered.ts";
export * from "./token-bucket.ts";

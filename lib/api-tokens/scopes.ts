/** A token's possible scopes, in display order. */
export const apiScopes = ["read", "rate", "write"] as const;
export type ApiScope = (typeof apiScopes)[number];

/** A token's possible lifetimes in days. */
export const lifetimes = ["7", "30", "90", "365", "never"] as const;

/** A token's possible scopes, in display order. `admin` is for administrators. */
export const apiScopes = ["read", "rate", "write", "admin"] as const;
export type ApiScope = (typeof apiScopes)[number];

/** A token's possible lifetimes in days. */
export const lifetimes = ["7", "30", "90", "365", "never"] as const;

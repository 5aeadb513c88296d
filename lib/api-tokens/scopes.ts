/** What a token may be allowed to do, in the order in which it is shown. */
export const apiScopes = ["read", "rate", "write"] as const;
export type ApiScope = (typeof apiScopes)[number];

/** For how many days a token is good. */
export const lifetimes = ["7", "30", "90", "365", "never"] as const;

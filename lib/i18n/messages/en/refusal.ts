/** Why a request was refused. */
export const refusal = {} as const;

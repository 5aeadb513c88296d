/**
 * Why a message was not delivered, as it is saved and as the API reports it.
 * Others are codes, such as ECONNREFUSED and HTTP 500. The page has them in the reader's language.
 */
export const deliveryFaults = {
  timeout: "no answer within 10 seconds",
  privateAddress: "the address is in a private network (WEBHOOK_PRIVATE_ADDRESSES)",
  secret: "its secret cannot be read",
} as const;

/** The name of a saved fault; undefined for a code. */
export function faultNamed(saved: string | null): keyof typeof deliveryFaults | undefined {
  const names = ["timeout", "privateAddress", "secret"] as const;
  return names.find((name) => deliveryFaults[name] === saved);
}

/**
 * Why a message was not delivered, as it is saved and as the API reports it.
 * Others are codes, such as ECONNREFUSED and HTTP 500. The pages have them in the reader's language.
 */
export const deliveryFaults = {
  timeout: "no answer within 10 seconds",
  privateAddress: "the address is in a private network (WEBHOOK_PRIVATE_ADDRESSES)",
  secret: "its secret cannot be read",
  closed: "the connection was closed without a response",
  turnedOff: "turned off",
} as const;

const codes = {
  refused: ["ECONNREFUSED"],
  unknownHost: ["ENOTFOUND", "EAI_AGAIN"],
  unreachable: ["ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"],
  closed: ["ECONNRESET", "EPIPE"],
  certificate: [
    "CERT_HAS_EXPIRED",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    "ERR_TLS_CERT_ALTNAME_INVALID",
  ],
} as const;

/** A fault that the pages have words for; `status` is any of HTTP but success. */
export type FaultName = keyof typeof deliveryFaults | keyof typeof codes | "status";

/** The name of a saved fault; undefined for an unknown one and for a success. */
export function faultNamed(saved: string | null): FaultName | undefined {
  if (saved === null || /^HTTP 2\d\d$/.test(saved)) return undefined;
  if (saved.startsWith("HTTP ")) return "status";
  const names = ["timeout", "privateAddress", "secret", "closed", "turnedOff"] as const;
  const ofCodes = ["refused", "unknownHost", "unreachable", "closed", "certificate"] as const;
  return (
    names.find((name) => deliveryFaults[name] === saved) ??
    ofCodes.find((name) => codes[name].some((code) => code === saved))
  );
}

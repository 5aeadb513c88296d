/**
 * The log: one JSON object a line on standard output, from `LOG_LEVEL` on, each with the id of the request that it is
 * about. What is logged says what happened and where in the code; never a body, a header, a password or an address.
 */
import pino, { type DestinationStream } from "pino";
import { env } from "./env.ts";
import { requestId } from "./http/current-response.ts";
import { errorSerializer } from "./logged-error.ts";

const passwordIn = (url: string) => (URL.canParse(url) ? new URL(url).password : "");
const secrets = [
  env.AUTH_SECRET ?? "",
  env.METRICS_TOKEN ?? "",
  passwordIn(env.REDIS_URL),
  passwordIn(env.DATABASE_URL),
];

/** Nobody should log these; who does by mistake logs that they were there. */
const neverShown = ["password", "email", "address", "token", "cookie", "authorization", "headers", "body"];

/** A log on a stream of its own; on standard output unless told. */
export function logOn(stream?: DestinationStream) {
  const options = {
    level: env.LOG_LEVEL,
    base: null,
    mixin: () => ({ requestId: requestId() }),
    serializers: { err: errorSerializer(secrets) },
    redact: neverShown.flatMap((name) => [name, `*.${name}`]),
  };
  return stream ? pino(options, stream) : pino(options);
}

export const log = logOn();

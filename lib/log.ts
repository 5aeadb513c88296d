/**
 * The log: one JSON object a line on standard output, from `LOG_LEVEL` on. What is logged says what happened and
 * where in the code; never a body, a header, a password or an address.
 */
import pino from "pino";
import { env } from "./env.ts";

export const log = pino({ level: env.LOG_LEVEL, base: null });

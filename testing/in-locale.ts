import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Locale } from "../lib/i18n/locale.ts";
import { runWithRequest } from "../lib/request/current-request.ts";

/** Runs `work` in a request whose answer is in this language. */
export function inLocale<T>(locale: Locale, work: () => T): T {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  return runWithRequest({ id: "1", clientAddress: "192.0.2.1", locale, response }, work);
}

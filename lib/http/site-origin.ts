import { headers } from "next/headers";
import { env } from "../settings/env.ts";
import { requestOrigin } from "./origin.ts";

/**
 * Where this site is, as scheme and host without a slash at the end: the setting SITE_URL, or else as the visitor's
 * request names it.
 */
export async function siteOrigin(): Promise<string> {
  return env.SITE_URL ?? requestOrigin(await headers()) ?? `http://localhost:${env.PORT}`;
}

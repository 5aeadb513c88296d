import { headers } from "next/headers";
import { env } from "../settings/env.ts";
import { requestOrigin } from "./origin.ts";

/** The site's own origin: the setting SITE_URL, or else the origin that the request was sent to. */
export async function siteOrigin(): Promise<string> {
  return env.SITE_URL ?? requestOrigin(await headers()) ?? `http://localhost:${env.PORT}`;
}

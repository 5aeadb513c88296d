import { database } from "@/lib/database";
import { siteMap } from "@/lib/posts/site-map";
import { pageChanges } from "@/lib/request/page-changes";
import { trustedOrigin } from "@/lib/request/site-origin";
import { currentTime } from "@/lib/time/current-time";

export async function GET(): Promise<Response> {
  const origin = await trustedOrigin();
  const now = currentTime();
  const text = await siteMap(database(), { origin, changes: pageChanges(), now });
  return new Response(text, { headers: { "Content-Type": "application/xml; charset=utf-8" } });
}

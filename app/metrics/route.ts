import { createHash, timingSafeEqual } from "node:crypto";
import type { Problem } from "@/lib/http/problem";
import { bareReply } from "@/lib/http/reply";
import { scrape } from "@/lib/observe/metrics";
import { env } from "@/lib/settings/env";

export const dynamic = "force-dynamic";

/** Prometheus metrics, for clients with METRICS_TOKEN; 404 without that setting. */
export async function GET(request: Request): Promise<Response> {
  const token = env.METRICS_TOKEN;
  if (token === undefined) return refusal({ status: 404, detail: "There is nothing here." });
  if (!isSame(request.headers.get("authorization") ?? "", `Bearer ${token}`))
    return refusal({
      status: 401,
      detail: "The metrics need the token: Authorization: Bearer …",
      headers: { "WWW-Authenticate": 'Bearer realm="metrics"' },
    });
  const { contentType, text } = await scrape();
  return new Response(text, { headers: { "Content-Type": contentType, "Cache-Control": "no-store" } });
}

/** Compares in constant time. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function refusal(problem: Problem): Response {
  const { body, ...head } = bareReply(problem);
  return new Response(body, head);
}

import { bearerToken, tokenCheck } from "@/lib/http/bearer-token";
import type { Problem } from "@/lib/http/problem";
import { bareReply } from "@/lib/http/reply";
import { scrape } from "@/lib/observe/metrics";
import { nothingHere } from "@/lib/request/nothing-here";
import { env } from "@/lib/settings/env";

export const dynamic = "force-dynamic";

/** Prometheus metrics, for clients with METRICS_TOKEN; 404 without that setting. */
export async function GET(request: Request): Promise<Response> {
  const token = env.METRICS_TOKEN;
  if (token === undefined) return refusal(nothingHere);
  if (!tokenCheck(token)(bearerToken(request.headers.get("authorization")) ?? ""))
    return refusal({
      status: 401,
      detail: "The metrics need the token: Authorization: Bearer …",
      headers: { "WWW-Authenticate": 'Bearer realm="metrics"' },
    });
  const { contentType, text } = await scrape();
  return new Response(text, { headers: { "Content-Type": contentType, "Cache-Control": "no-store" } });
}

function refusal(problem: Problem): Response {
  const { body, ...head } = bareReply(problem);
  return new Response(body, head);
}

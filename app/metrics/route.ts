import { createHash, timingSafeEqual } from "node:crypto";
import { bareProblem, type Problem } from "@/lib/http/problem";
import { scrape } from "@/lib/observe/metrics";
import { env } from "@/lib/settings/env";

export const dynamic = "force-dynamic";

/** The figures, for who has the token of METRICS_TOKEN. Without that setting there is nothing here. */
export async function GET(request: Request): Promise<Response> {
  const token = env.METRICS_TOKEN;
  if (token === undefined) return refusal({ status: 404, detail: "There is nothing here." });
  if (!isSame(request.headers.get("authorization") ?? "", `Bearer ${token}`))
    return refusal({
      status: 401,
      detail: "The figures are for who sends the token: Authorization: Bearer …",
      headers: { "WWW-Authenticate": 'Bearer realm="metrics"' },
    });
  const { contentType, text } = await scrape();
  return new Response(text, { headers: { "Content-Type": contentType, "Cache-Control": "no-store" } });
}

/** Takes as long for a near miss as for any other. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function refusal(problem: Problem): Response {
  const { headers, body } = bareProblem("/metrics", problem);
  return new Response(body, { status: problem.status, headers });
}

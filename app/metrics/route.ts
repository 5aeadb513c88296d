import { bearerToken, tokenCheck } from "@/lib/http/bearer-token";
import { plainText } from "@/lib/http/plain-text";
import { translator } from "@/lib/i18n";
import { scrape } from "@/lib/observe/metrics";
import { env } from "@/lib/settings/env";

export const dynamic = "force-dynamic";

/** Prometheus metrics, for clients with METRICS_TOKEN; 404 without that setting. */
export async function GET(request: Request): Promise<Response> {
  const token = env.METRICS_TOKEN;
  if (token === undefined) return plainText(404, translator("problems")("nothingHere"));
  if (!tokenCheck(token)(bearerToken(request.headers.get("authorization")) ?? ""))
    return plainText(401, "The metrics need the token: Authorization: Bearer …", {
      "WWW-Authenticate": 'Bearer realm="metrics"',
    });
  const { contentType, text } = await scrape();
  return new Response(text, { headers: { "Content-Type": contentType, "Cache-Control": "no-store" } });
}

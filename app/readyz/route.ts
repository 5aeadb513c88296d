import { neededParts } from "@/lib/app";
import { ready } from "@/lib/observe/health";

export const dynamic = "force-dynamic";

/** Less than the few seconds after which a supervisor or proxy gives up. */
const timeoutMs = 1_500;

/**
 * Whether requests can be served: 200, or 503 with the parts that cannot be used.
 * A stopping server answers itself.
 */
export async function GET(): Promise<Response> {
  const parts = await ready(neededParts(), timeoutMs);
  return parts.length === 0 ? answer(200, { status: "ready" }) : answer(503, { status: "not ready", parts });
}

function answer(status: number, data: object): Response {
  return Response.json(data, { status, headers: { "Cache-Control": "no-store" } });
}

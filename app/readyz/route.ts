import { neededParts } from "@/lib/app";
import { ready } from "@/lib/observe/health";
import { isStopping } from "@/lib/observe/stopping";

export const dynamic = "force-dynamic";

/** Who asks gives up after a few seconds, and is to be told the part before. */
const timeoutMs = 1_500;

/** Whether requests can be served: 200, or 503 with the parts that are out of reach. */
export async function GET(): Promise<Response> {
  if (isStopping()) return answer(503, { status: "stopping" });
  const parts = await ready(neededParts(), timeoutMs);
  return parts.length === 0 ? answer(200, { status: "ready" }) : answer(503, { status: "not ready", parts });
}

function answer(status: number, data: object): Response {
  return Response.json(data, { status, headers: { "Cache-Control": "no-store" } });
}

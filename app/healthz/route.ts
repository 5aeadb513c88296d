/** Liveness: the process responds. Checks nothing else. */
export const dynamic = "force-dynamic";

export function GET(): Response {
  return new Response("ok\n", { headers: { "Cache-Control": "no-store" } });
}

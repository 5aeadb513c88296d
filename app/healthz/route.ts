/** The process runs and answers. It asks nobody. */
export const dynamic = "force-dynamic";

export function GET(): Response {
  return new Response("ok\n", { headers: { "Cache-Control": "no-store" } });
}

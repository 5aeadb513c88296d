/** Nothing, as JSON, at each request: what the framework costs by itself. */
export function GET(): Response {
  return Response.json({});
}

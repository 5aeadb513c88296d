/** Empty JSON at each request: the cost of the framework by itself. */
export function GET(): Response {
  return Response.json({});
}

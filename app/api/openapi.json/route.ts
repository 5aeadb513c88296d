import { openApiDocument } from "@/lib/api/openapi";
import { json, route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** The API's OpenAPI document. */
  GET: () => json(openApiDocument),
});

import { json, route } from "@/lib/api/route";
import { openApiDocument } from "@/lib/api/openapi";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** The API's OpenAPI document. */
  GET: () => json(openApiDocument),
});

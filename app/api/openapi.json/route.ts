import { json, route } from "@/lib/http/route";
import { openApiDocument } from "@/lib/openapi";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** The API's OpenAPI document. */
  GET: () => json(openApiDocument),
});

import { problemResponse } from "@/lib/http/problem";

/** An address under /api that is none, whatever the method. */
function notFound(): Response {
  return problemResponse({ status: 404, detail: "There is no such call in the API." });
}

export {
  notFound as DELETE,
  notFound as GET,
  notFound as HEAD,
  notFound as OPTIONS,
  notFound as PATCH,
  notFound as POST,
  notFound as PUT,
};

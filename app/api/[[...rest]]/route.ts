import { problemResponse } from "@/lib/http/problem";

/** 404 for unknown paths under /api, for any method. */
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

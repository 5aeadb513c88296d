/** What was sent is no request, or did not come in time: what its sender is told. */
import type { Problem } from "../../lib/http/problem.ts";

export function problemOfRequest(error: Error): Problem {
  switch ("code" in error ? error.code : undefined) {
    case "HPE_HEADER_OVERFLOW":
      return { status: 431, detail: "The request's headers are too large." };
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return { status: 413, detail: "The body's chunk extensions are too large." };
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return { status: 408, detail: "The request took too long to arrive." };
    default:
      return { status: 400, detail: "This is no HTTP request." };
  }
}

/**
 * The meaning of a method and URL: a verb, a page or a problem.
 * Pages are for people and tools.
 */
import type { Problem } from "../../lib/http/problem.ts";
import { type Verb, verbs } from "../messages.ts";

export const pages = ["/", "/v1/alive", "/v1/rules", "/v1/openapi.json", "/metrics"] as const;
export type Page = (typeof pages)[number];

export interface VerbRoute {
  verb: Verb;
  /** Whether a refusal has a status of its own. */
  decidesStatus: boolean;
}
export type ServiceRoute = VerbRoute | { page: Page } | Problem;

/** Of POST: parsing a URL costs more than many a decision. */
const exactRoutes = new Map(verbs.map((verb) => [`/v1/${verb}`, { verb, decidesStatus: false }]));

export function routeOf(method = "", url = ""): ServiceRoute {
  const exact = method === "POST" && exactRoutes.get(url);
  if (exact) return exact;
  const { pathname = "", searchParams } = URL.parse(url, "http://service") ?? {};
  const verb = exactRoutes.get(pathname)?.verb;
  const page = pages.find((path) => path === pathname);
  if (page && (method === "GET" || method === "HEAD")) return { page };
  if (verb && method === "POST") return verbRoute(verb, [...(searchParams ?? [])]);
  if (page || verb) {
    const allow = [page && "GET, HEAD", verb && "POST"].filter(Boolean).join(", ");
    return { status: 405, detail: `Possible here: ${allow}.`, headers: { Allow: allow } };
  }
  const detail = `There is nothing here. There are ${pages.join(", ")}, and POST /v1/ with ${verbs.join(", ")}.`;
  return { status: 404, detail };
}

function verbRoute(verb: Verb, query: [string, string][]): ServiceRoute {
  const faults = query.flatMap(([name, value]) => {
    if (name !== "status") return [[name, ["is not a parameter here; there is status."]]];
    return value === "0" || value === "1" ? [] : [[name, ["must be 0 or 1."]]];
  });
  if (faults.length === 0) return { verb, decidesStatus: query.some(([, value]) => value === "1") };
  return { status: 422, detail: "The query of the address is wrong.", errors: Object.fromEntries(faults) };
}

/** What a request's target means: a verb, and whether its decision is to be the status, or a page for people and tools. */
import type { Problem } from "../../lib/http/problem.ts";
import { type Verb, verbs } from "../messages.ts";

export const pages = ["/", "/v1/alive", "/v1/rules", "/v1/openapi.json", "/metrics"] as const;
export type Page = (typeof pages)[number];

export interface Asked {
  verb: Verb;
  /** Whether a refusal is to be seen by the status. */
  decidesStatus: boolean;
}

export type Target =
  | ({ kind: "verb" } & Asked)
  | { kind: "page"; page: Page }
  | { kind: "problem"; problem: Problem };

// Of POST. Looked up as they are sent: taking targets apart would cost more than many a decision.
const usual = new Map<string, Target>();
for (const verb of verbs) {
  usual.set(`/v1/${verb}`, { kind: "verb", verb, decidesStatus: false });
  usual.set(`/v1/${verb}?status=1`, { kind: "verb", verb, decidesStatus: true });
}

export function targetOf(method: string, url: string): Target {
  return (method === "POST" ? usual.get(url) : undefined) ?? unusual(method, url);
}

function unusual(method: string, url: string): Target {
  const base = "http://service";
  if (!URL.canParse(url, base)) return nowhere;
  const { pathname, searchParams } = new URL(url, base);
  const verb = verbs.find((name) => pathname === `/v1/${name}`);
  const page = pages.find((path) => pathname === path);
  if (page && (method === "GET" || method === "HEAD")) return { kind: "page", page };
  if (verb && method === "POST") return asked(verb, searchParams);
  if (page || verb) return wrongMethod([...(page ? ["GET", "HEAD"] : []), ...(verb ? ["POST"] : [])]);
  return method === "POST" && pathname.startsWith("/v1/") ? unknownVerb : nowhere;
}

function asked(verb: Verb, parameters: URLSearchParams): Target {
  const wrong = [...parameters].flatMap(([name, value]) => {
    if (name !== "status") return [[name, ["is no parameter here; there is status."]]];
    return value === "0" || value === "1" ? [] : [[name, ["must be 0 or 1."]]];
  });
  if (wrong.length === 0) return { kind: "verb", verb, decidesStatus: parameters.get("status") === "1" };
  const errors = Object.fromEntries(wrong);
  return problem({ status: 422, detail: "The query of the address is wrong.", errors });
}

const nowhere = problem({ status: 404, detail: `There is nothing here. There are ${pages.join(", ")}.` });
const unknownVerb = problem({ status: 404, detail: `There is no such verb. There are ${verbs.join(", ")}.` });

function wrongMethod(allowed: string[]): Target {
  const allow = allowed.join(", ");
  return problem({ status: 405, detail: `Possible here: ${allow}.`, headers: { Allow: allow } });
}

function problem(value: Problem): Target {
  return { kind: "problem", problem: value };
}

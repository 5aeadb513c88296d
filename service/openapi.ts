// Over 200 lines: a list, of the descriptions of all calls.

/** The service's HTTP API as an OpenAPI 3.1 document, made from its schemas. */
import { z } from "zod";
import {
  errorName,
  errorResponse,
  header,
  headersOf,
  type Json,
  jsonContent,
  parametersOf,
  schemasOf,
} from "../lib/api/openapi/parts.ts";
import { problemAnswer } from "../lib/http/problem.ts";
import {
  decisionAnswerSchema,
  faultAnswerSchema,
  limitDecisionSchema,
  limitReasonSchema,
  refundAnswerSchema,
  resetAnswerSchema,
  rulesAnswerSchema,
} from "./answers.ts";
import { type Page, pages } from "./http/routes.ts";
import { mostInList, requestSchema, type Verb, verbs } from "./messages.ts";

const list = <T extends z.ZodType>(schema: T) => z.array(schema).min(1).max(mostInList);

const inputs = {
  Request: requestSchema,
  Requests: z.union([requestSchema, list(requestSchema)]),
};

/**
 * One answer, or a list of them for a list of requests.
 * Each of these may be a fault instead.
 */
const answersTo = (schema: z.ZodType) => z.union([schema, list(z.union([schema, faultAnswerSchema]))]);

const answers = {
  LimitReason: limitReasonSchema,
  LimitDecision: limitDecisionSchema,
  Decision: decisionAnswerSchema,
  Refund: refundAnswerSchema,
  Reset: resetAnswerSchema,
  Matching: rulesAnswerSchema,
  Fault: faultAnswerSchema,
  Decisions: answersTo(decisionAnswerSchema),
  Refunds: answersTo(refundAnswerSchema),
  Resets: answersTo(resetAnswerSchema),
  Matches: answersTo(rulesAnswerSchema),
  Problem: problemAnswer,
  Alive: z.object({ alive: z.literal(true) }),
  Guide: z.record(z.string(), z.string()).describe("The contents of each address."),
  Configured: z
    .looseObject({ policies: z.record(z.string(), z.unknown()), default: z.string() })
    .describe("The policies and rules that are in force."),
  Description: z.looseObject({ openapi: z.string() }).describe("An OpenAPI 3.1 document."),
};

const verbTexts: Record<Verb, { summary: string; answer: keyof typeof answers; single?: "Decision" }> = {
  consume: { summary: "Decide, and count it when it is allowed", answer: "Decisions", single: "Decision" },
  peek: {
    summary: "The decision that consume would make; counts nothing",
    answer: "Decisions",
    single: "Decision",
  },
  refund: { summary: "Refund the latest counted cost", answer: "Refunds" },
  wait: {
    summary: "Decide, and delay the answer until the request is allowed",
    answer: "Decisions",
    single: "Decision",
  },
  reset: { summary: "Delete the count of a key", answer: "Resets" },
  rules: { summary: "The decision of each matching rule; counts nothing", answer: "Matches" },
};

const pageTexts: Record<Page, { id: string; summary: string; answer?: keyof typeof answers }> = {
  "/": { id: "guide", summary: "The contents of each address", answer: "Guide" },
  "/v1/alive": { id: "alive", summary: "Whether the service answers; takes no token", answer: "Alive" },
  "/v1/rules": { id: "configured", summary: "The policies and rules in force", answer: "Configured" },
  "/v1/openapi.json": { id: "describe", summary: "This description", answer: "Description" },
  "/metrics": { id: "metrics", summary: "Figures for Prometheus" },
};

/** The description of each problem, for all calls. */
const errorTexts = {
  400: "The body is not JSON in UTF-8, or the request is broken.",
  401: "The token is missing or wrong.",
  403: "The request comes from a browser's page.",
  413: "The body is too large.",
  415: "The body is not sent as application/json, or it is encoded.",
  422: "The request is invalid; `errors` lists the faults by field.",
  500: "The service's own fault.",
  503: "Too many requests are in flight.",
} as const;
type ServiceErrorStatus = keyof typeof errorTexts;

const pageErrors: ServiceErrorStatus[] = [401, 403];
const verbErrors: ServiceErrorStatus[] = [400, 401, 403, 413, 415, 422, 500, 503];

const query = z.object({
  status: z
    .enum(["0", "1"])
    .describe("1: a refusal is a 429, and a decision without its counts a 503. Not for a list.")
    .exactOptional(),
});

const limitHeaders = headersOf({
  "Retry-After": "RetryAfter",
  "RateLimit-Policy": "RateLimitPolicy",
  RateLimit: "RateLimit",
});

/** The document, as `GET /v1/openapi.json` answers it. */
export const openApiDocument = {
  openapi: "3.1.1",
  info: {
    title: "Weir's rate limiter",
    version: "1.0.0",
    description:
      "Decides on requests by limits, for any program. A decision is a 200, allowed or not. The token is needed where the " +
      "service has one. An unknown address is a 404, a wrong method a 405, malformed HTTP a 400, 408, 417 or 431.",
    license: { name: "MIT", identifier: "MIT" },
  },
  servers: [{ url: "/" }],
  paths: pathItems(),
  components: {
    schemas: { ...schemasOf(inputs, "input"), ...schemasOf(answers, "output") },
    responses: Object.fromEntries(
      verbErrors.map((status) => [
        errorName(status),
        errorResponse(errorTexts[status], status === 401 ? { "WWW-Authenticate": "WwwAuthenticate" } : {}),
      ]),
    ),
    headers: {
      RetryAfter: optional(
        "The number of whole seconds after which to retry; only where waiting helps.",
        "integer",
      ),
      RateLimitPolicy: optional("The rule or policy: its name, how many (q) in how many seconds (w)."),
      RateLimit: optional("The remaining quota (r), and the number of seconds until there is more (t)."),
      WwwAuthenticate: header("The authentication scheme, and the fault of a token."),
    },
    parameters: {},
    securitySchemes: {
      token: { type: "http", scheme: "bearer", description: "The token that the service was started with." },
    },
  },
};

function pathItems(): Json {
  const items: Record<string, Json> = {};
  for (const page of pages) items[page] = { get: pageOperation(page) };
  for (const verb of verbs) items[`/v1/${verb}`] = { ...items[`/v1/${verb}`], post: verbOperation(verb) };
  return items;
}

function pageOperation(page: Page): Json {
  const { id, summary, answer } = pageTexts[page];
  const isOpen = page === "/v1/alive";
  const text = { content: { "text/plain": { schema: { type: "string" } } } };
  return {
    operationId: id,
    summary,
    security: isOpen ? [{}] : [{}, { token: [] }],
    responses: {
      200: { description: `${summary}.`, ...(answer ? jsonContent(answer) : text) },
      ...errorsOf(isOpen ? [403] : pageErrors),
    },
  };
}

function verbOperation(verb: Verb): Json {
  const { summary, answer, single } = verbTexts[verb];
  return {
    operationId: verb,
    summary,
    security: [{}, { token: [] }],
    parameters: parametersOf(query),
    requestBody: { required: true, ...jsonContent("Requests") },
    responses: {
      200: {
        description: "The answer; for a list of requests, a list of answers in their order, without headers.",
        ...(single && { headers: limitHeaders }),
        ...jsonContent(answer),
      },
      ...errorsOf(verbErrors),
      ...(single && {
        429: { description: "Refused; with status=1.", headers: limitHeaders, ...jsonContent(single) },
        503: unavailable(single),
      }),
    },
  };
}

/**
 * The two cases of this status.
 * The decision could not be made, or the service is overloaded.
 */
function unavailable(single: string): Json {
  const { content: decision } = jsonContent(single);
  const { content: problem } = jsonContent("Problem", "application/problem+json");
  return {
    description: "The counts are unavailable; with status=1. Or too many requests are in flight.",
    content: Object.assign({}, decision, problem),
  };
}

function errorsOf(statuses: ServiceErrorStatus[]): Json {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${errorName(status)}` }]),
  );
}

function optional(description: string, type?: string): Json {
  return { ...header(description, type), required: false };
}

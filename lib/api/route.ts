/**
 * The common part of all API routes.
 *
 * Methods that a route does not have are a 405. A token is checked and counted before anything else. Answers are never
 * cached. A database out of reach is a 503; an unexpected error is logged, and its client learns nothing about it.
 */
import { unstable_rethrow } from "next/navigation";
import type { z } from "zod";
import { isUnavailable } from "../../db/index.ts";
import { acceptApiToken, type TokenOutcome } from "../api-tokens/index.ts";
import type { ApiScope } from "../api-tokens/scopes.ts";
import { app } from "../app.ts";
import { getSession, getUser } from "../auth/index.ts";
import { bearerToken } from "../http/bearer-token.ts";
import { readJson } from "../http/json-body.ts";
import { problemResponse } from "../http/problem.ts";
import { log } from "../logging/log.ts";
import { textFromPath } from "../paths.ts";
import { clientAddress } from "../request/current-request.ts";
import { databaseOutage } from "../request/database-outage.ts";
import type { Session } from "../sessions/index.ts";
import { idFromText } from "../text/id-from-text.ts";
import { currentTime } from "../time/current-time.ts";
import type { User } from "../users/index.ts";
import { validate } from "../validation.ts";
import { type FailedOutcome, problemOf } from "./outcomes.ts";
import { cursorMessage } from "./queries.ts";

/** A request, as handlers get it. */
export interface ApiCall {
  request: Request;
  params: Record<string, string | string[]>;
  /** The client's address, as limits count it. */
  address: string;
  /**
   * When the whole request had arrived, in milliseconds.
   * A slow body must not bring limits an old time.
   */
  now: number;
  /** The API token of the request, if any; the session does not count then. */
  token?: Extract<TokenOutcome, { kind: "accepted" }>;
}
export type Handler<C = ApiCall> = (call: C) => Response | Promise<Response>;

type NextHandler = (request: Request, context: { params: Promise<ApiCall["params"]> }) => Promise<Response>;
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
type Method = (typeof methods)[number];
type Handlers = Partial<Record<Exclude<Method, "HEAD" | "OPTIONS">, Handler>>;

/** A route's exports from its handlers, with HEAD, OPTIONS and a 405 for others. */
export function route(handlers: Handlers): Record<Method, NextHandler> {
  const all: Partial<Record<Method, Handler>> = { ...handlers };
  if (handlers.GET) all.HEAD = handlers.GET;
  const allow = methods.filter((method) => all[method] || method === "OPTIONS").join(", ");
  const otherwise: Handler = ({ request }) =>
    problemResponse({
      status: 405,
      detail: `${request.method} is not supported here. Use one of: ${allow}.`,
      headers: { Allow: allow },
    });
  all.OPTIONS = () => new Response(null, { status: 204, headers: { Allow: allow } });
  const next = (method: Method) => answering(all[method] ?? otherwise);
  return {
    GET: next("GET"),
    HEAD: next("HEAD"),
    POST: next("POST"),
    PUT: next("PUT"),
    PATCH: next("PATCH"),
    DELETE: next("DELETE"),
    OPTIONS: next("OPTIONS"),
  };
}

/** Middleware: only for users, and tokens with this scope; a 401 for others. */
export function asUser<C extends ApiCall>(scope: ApiScope, handler: Handler<C & { user: User }>): Handler<C> {
  return asViewer<C>(scope, (call) =>
    call.viewer ? handler({ ...call, user: call.viewer }) : failed({ kind: "not-logged-in" }),
  );
}

/** Middleware: only for administrators; a token needs the scope `admin`. */
export function asAdministrator<C extends ApiCall>(handler: Handler<C & { user: User }>): Handler<C> {
  return asUser<C>("admin", (call) => {
    const user = call.token?.administrator ?? call.user;
    return user.isAdministrator ? handler({ ...call, user }) : failedFor(user, { kind: "forbidden" });
  });
}

/**
 * Middleware: adds the user, null without a session or token.
 * A token must have this scope.
 */
export function asViewer<C extends ApiCall>(
  scope: ApiScope,
  handler: Handler<C & { viewer: User | null }>,
): Handler<C> {
  return async (call) => {
    if (call.token && !call.token.scopes.includes(scope)) return failed({ kind: "missing-scope", scope });
    return handler({ ...call, viewer: call.token ? call.token.user : await getUser() });
  };
}

/** Middleware: refuses tokens. */
export function withoutToken<C extends ApiCall>(handler: Handler<C>): Handler<C> {
  return (call) => (call.token ? failed({ kind: "not-by-token" }) : handler(call));
}

/** Middleware: only for users in a session; refuses tokens. */
export function inSession<C extends ApiCall>(handler: Handler<C & { session: Session }>): Handler<C> {
  return withoutToken(async (call) => {
    const session = await getSession();
    return session ? handler({ ...call, session }) : failed({ kind: "not-logged-in" });
  });
}

/**
 * Middleware: adds the JSON body, not yet validated.
 * Refuses other bodies, and more than `maximumBytes`.
 */
export function withInput<C extends ApiCall>(
  maximumBytes: number,
  handler: Handler<C & { input: unknown }>,
): Handler<C> {
  return async (call) => {
    const body = await readJson(call.request, maximumBytes);
    if ("status" in body) return problemResponse(body);
    return handler({ ...call, input: body.value, now: currentTime() });
  };
}

/** Middleware: adds the validated query; a 422 for a bad one. */
export function withQuery<Query, C extends ApiCall>(
  schema: z.ZodType<Query>,
  handler: Handler<C & { query: Query }>,
): Handler<C> {
  return (call) => {
    const checked = validate(schema, Object.fromEntries(new URL(call.request.url).searchParams));
    return checked.ok
      ? handler({ ...call, query: checked.value })
      : failed({ kind: "invalid", errors: checked.errors });
  };
}

/** Middleware: adds the slug from the path; a 404 for a malformed one. */
export function withSlug<C extends ApiCall>(handler: Handler<C & { slug: string }>): Handler<C> {
  return (call) => {
    const slug = textFromPath(String(call.params.slug));
    return slug === null ? failed({ kind: "no-such-post" }) : handler({ ...call, slug });
  };
}

/** Middleware: adds the username from the path; a 404 for a malformed one. */
export function withUsername<C extends ApiCall>(handler: Handler<C & { username: string }>): Handler<C> {
  return (call) => {
    const username = textFromPath(String(call.params.username));
    return username === null ? failed({ kind: "no-such-user" }) : handler({ ...call, username });
  };
}

/** Middleware: adds the number from the path; a 404 for anything else. */
export function withId<C extends ApiCall>(handler: Handler<C & { id: number }>): Handler<C> {
  return (call) => {
    const id = idFromText(call.params.id);
    return id === undefined ? failed({ kind: "nothing-there" }) : handler({ ...call, id });
  };
}

/** A JSON response that is not cached. */
export function json(data: unknown, { status = 200, headers = {} }: ResponseInit = {}): Response {
  return Response.json(data, { status, headers: { "Cache-Control": "no-store", ...headers } });
}

/** An empty response. */
export function noContent(): Response {
  return new Response(null, { status: 204, headers: { "Cache-Control": "no-store" } });
}

/** A failure as a response. */
export function failed(failure: FailedOutcome): Response {
  return problemResponse(problemOf(failure));
}

/** The failure of a cursor that leads nowhere. */
export function badCursor(): Response {
  return failed({ kind: "invalid", errors: { cursor: [cursorMessage] } });
}

/** The failure of a request for administrators; it names a missing second factor. */
export function failedFor(
  { lacksSecondFactor }: Pick<User, "lacksSecondFactor">,
  failure: FailedOutcome,
): Response {
  return failed(
    failure.kind === "forbidden" && lacksSecondFactor ? { kind: "second-factor-missing" } : failure,
  );
}

function answering(handler: Handler): NextHandler {
  return async (request, context) => {
    try {
      const params = await context.params;
      const call = { request, params, address: clientAddress(), now: currentTime() };
      const token = bearerToken(request.headers.get("authorization"));
      if (token === undefined) return await handler(call);
      const outcome = await acceptApiToken(app(), { ...call, token });
      return outcome.kind === "accepted" ? await handler({ ...call, token: outcome }) : failed(outcome);
    } catch (error) {
      unstable_rethrow(error);
      if (isUnavailable(error)) return problemResponse(databaseOutage(error));
      log.error({ err: error, method: request.method, path: new URL(request.url).pathname });
      return problemResponse({
        status: 500,
        detail: "The server could not do this. Its log has the error.",
      });
    }
  };
}

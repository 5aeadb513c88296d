/**
 * The API's description as an OpenAPI 3.1 document.
 * It is made from the schemas of requests and answers.
 */

import { apiScopes } from "../../api-tokens/scopes.ts";
import { siteImageNames } from "../../site/schema.ts";
import { answers, type ErrorStatus, errorsOf, inputs, type Operation, operations } from "./operations.ts";
import {
  errorName,
  errorResponse,
  header,
  headersOf,
  type Json,
  jsonContent,
  parametersOf,
  schemasOf,
} from "./parts.ts";
import { webhookItems, webhookParameters, webhookSchemas } from "./webhooks.ts";

/** The description of each error, for all calls. */
const errorTexts: Record<ErrorStatus, string> = {
  400: "The body is not JSON in UTF-8, or is incomplete or empty.",
  401: "No user is logged in, the password is wrong, or the token is not valid.",
  403: "Not allowed: to this user, to this token's scopes, to any token, to a page of another site, or by an access rule; or the account is disabled or waits for approval; or an administrator's session has passed no second factor where one is required; or registering is not open to everyone; or this account may not write (`WHO_MAY_WRITE`).",
  404: "There is no such post, user or other thing, or you have not rated the post.",
  409: "There is one already, or as many as there may be; or another import is running; or the role is your own, or that of the last administrator; or the account to disable or enable is an administrator's; or the site sends no such emails, the address got as many as it may, or it is not confirmed.",
  412: "The post was changed since the version that If-Match names; nothing was changed.",
  413: "The body is too large.",
  415: "The body is not sent as application/json, or an image not as multipart/form-data, or an archive not as application/octet-stream.",
  422: "The input is invalid; `errors` lists the faults by field.",
  429: "Too many requests, or too many tries: nothing was done.",
  500: "The server's own fault.",
  503: "The database, or a limit's store, is unavailable just now; or too many texts, passwords or images wait already; or there is no room for images.",
};

const headers = {
  RetryAfter: header(
    "In how many whole seconds to try again; absent when waiting does not help. From the third refused rating in a row on it doubles each time.",
    "integer",
  ),
  RateLimitPolicy: header("The limit that refused: its name, how many (q) in how many seconds (w)."),
  RateLimit: header("What is left of it (r), and in how many seconds there will be more (t)."),
  WwwAuthenticate: header("The authentication scheme, and the fault of a token."),
  Location: header("Where the post is in the API."),
  ETag: header(
    "Identifies the version of everything that the author can change; send it as If-Match. Ratings do not change it.",
  ),
};

const errorHeaders: Partial<Record<ErrorStatus, Record<string, keyof typeof headers>>> = {
  401: { "WWW-Authenticate": "WwwAuthenticate" },
  429: { "Retry-After": "RetryAfter", "RateLimit-Policy": "RateLimitPolicy", RateLimit: "RateLimit" },
  503: { "Retry-After": "RetryAfter" },
};

/** The document, as `/api/openapi.json` answers it. */
export const openApiDocument = {
  openapi: "3.1.1",
  info: {
    title: "Weir",
    version: "1.0.0",
    description:
      "Posts, ratings and scores of this site. Log in for a session cookie, or send an API token, which you make on " +
      "the page of your account. When both come together, the token counts. Each token has its own limit of requests.",
    license: { name: "MIT", identifier: "MIT" },
  },
  servers: [{ url: "/" }],
  paths: pathItems(),
  webhooks: webhookItems(),
  components: {
    schemas: {
      ...schemasOf(inputs, "input"),
      ...schemasOf(answers, "output"),
      ...schemasOf(webhookSchemas, "output"),
    },
    responses: Object.fromEntries(
      [...new Set(operations.flatMap(errorsOf))].map((status) => [
        errorName(status),
        errorResponse(errorTexts[status], errorHeaders[status]),
      ]),
    ),
    headers,
    parameters: {
      slug: { name: "slug", in: "path", required: true, schema: { type: "string" } },
      username: { name: "username", in: "path", required: true, schema: { type: "string" } },
      id: { name: "id", in: "path", required: true, schema: { type: "integer" } },
      name: { name: "name", in: "path", required: true, schema: { enum: siteImageNames } },
      year: {
        name: "year",
        in: "path",
        required: true,
        schema: { type: "integer", minimum: 1000, maximum: 9999 },
      },
      archive: { name: "archive", in: "path", required: true, schema: { type: "string" } },
      IfMatch: {
        name: "If-Match",
        in: "header",
        required: false,
        description: "The ETag of the version that the change is based on.",
        schema: { type: "string" },
      },
      ...webhookParameters,
    },
    securitySchemes: {
      session: {
        type: "apiKey",
        in: "cookie",
        name: "authjs.session-token",
        description:
          "Set by logging in and by registering. On https its name begins with __Secure-, and a long one comes in parts.",
      },
      token: {
        type: "http",
        scheme: "bearer",
        description: `An API token. Its scopes: ${apiScopes.join(", ")}.`,
      },
    },
  },
};

function pathItems(): Json {
  const items: Record<string, Json> = {};
  for (const operation of operations) {
    const item = items[operation.path] ?? {};
    const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    if (names.length > 0)
      item.parameters = names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
    item[operation.method] = operationObject(operation);
    items[operation.path] = item;
  }
  return items;
}

function operationObject(operation: Operation): Json {
  const { id, summary, query, input, inputType, ifMatch, success, accepted, followsSlugs } = operation;
  const { status, description, answer, answerType, location, etag } = success;
  const parameters = [
    ...(query ? parametersOf(query) : []),
    ...(ifMatch ? [{ $ref: "#/components/parameters/IfMatch" }] : []),
  ];
  const sentHeaders = { ...(location && { Location: "Location" }), ...(etag && { ETag: "ETag" }) };
  return {
    operationId: id,
    summary,
    security: securityOf(operation),
    ...(parameters.length > 0 && { parameters }),
    ...(input && {
      requestBody: {
        required: true,
        ...jsonContent(input, inputType),
      },
    }),
    responses: {
      [status]: {
        description,
        ...((location || etag) && { headers: headersOf(sentHeaders) }),
        ...(answer && jsonContent(answer, answerType)),
      },
      ...(followsSlugs && {
        308: {
          description: "The post's slug was changed.",
          headers: { Location: { $ref: "#/components/headers/Location" } },
        },
      }),
      ...(accepted && { 202: { description: accepted.description, ...jsonContent(accepted.answer) } }),
      ...Object.fromEntries(
        errorsOf(operation).map((error) => [error, { $ref: `#/components/responses/${errorName(error)}` }]),
      ),
    },
  };
}

/** Any one of these is enough; an empty one means that no login is needed. */
function securityOf({ who, scope }: Operation): Json[] {
  const token = { token: scope ? [scope] : [] };
  if (who === "person") return [{}];
  if (who === "anyone") return [{}, { session: [] }, token];
  return scope || who === "user" ? [{ session: [] }, token] : [{ session: [] }];
}

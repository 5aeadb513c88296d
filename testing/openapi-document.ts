/**
 * The parts of OpenAPI that our document uses.
 * Checks the document itself, and answers against it.
 */
import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { z } from "zod";

export const methods = ["get", "post", "put", "patch", "delete"] as const;

const schema = z.union([z.record(z.string(), z.unknown()), z.boolean()]);
const reference = z.strictObject({ $ref: z.string().regex(/^#\/components\/\w+\/\w+$/) });
const content = z.record(z.string().regex(/^\w+\/[\w+-]+$/), z.strictObject({ schema }));
const header = z.strictObject({ description: z.string(), schema, required: z.boolean().optional() });
const parameter = z.strictObject({
  name: z.string(),
  in: z.enum(["path", "query", "header"]),
  required: z.boolean(),
  description: z.string().optional(),
  schema,
});
const response = z.strictObject({
  description: z.string().min(1),
  headers: z.record(z.string(), z.union([reference, header])).optional(),
  content: content.optional(),
});
const security = z.array(z.record(z.string(), z.array(z.string())));
const operation = z.strictObject({
  operationId: z.string().regex(/^\w+$/),
  summary: z.string().min(1),
  security,
  parameters: z.array(z.union([reference, parameter])).optional(),
  requestBody: z.strictObject({ required: z.literal(true), content }).optional(),
  responses: z.record(z.string().regex(/^[1-5]\d\d$/), z.union([reference, response])),
});
/** A request that the site sends, and the answers that it takes. */
const sentRequest = z.strictObject({
  operationId: z.string().regex(/^\w+$/),
  summary: z.string().min(1),
  parameters: z.array(reference),
  requestBody: z.strictObject({ required: z.literal(true), content }),
  responses: z.record(z.string().regex(/^(?:[1-5](?:\d\d|XX)|default)$/), response),
});
const pathItem = z.strictObject({
  parameters: z.array(reference).optional(),
  ...Object.fromEntries(methods.map((method) => [method, operation.optional()])),
});
const named = <T extends z.ZodType>(value: T) => z.record(z.string().regex(/^[\w.-]+$/), value);

/** The parts of the specification (version 3.1) that the document may use. */
export const documentSchema = z.strictObject({
  openapi: z.string().regex(/^3\.1\.\d+$/),
  info: z.strictObject({
    title: z.string().min(1),
    version: z.string().min(1),
    description: z.string(),
    license: z.strictObject({ name: z.string(), identifier: z.string() }),
  }),
  servers: z.array(z.strictObject({ url: z.string() })).min(1),
  paths: z.record(z.string().startsWith("/"), pathItem),
  webhooks: z.record(z.string(), z.strictObject({ post: sentRequest })).default({}),
  components: z.strictObject({
    schemas: named(schema),
    responses: named(response),
    headers: named(header),
    parameters: named(parameter),
    securitySchemes: named(
      z.discriminatedUnion("type", [
        z.strictObject({
          type: z.literal("apiKey"),
          in: z.literal("cookie"),
          name: z.string(),
          description: z.string(),
        }),
        z.strictObject({ type: z.literal("http"), scheme: z.literal("bearer"), description: z.string() }),
      ]),
    ),
  }),
});

export type Document = z.infer<typeof documentSchema>;
type DocumentedOperation = z.infer<typeof operation>;
export interface DocumentedCall extends DocumentedOperation {
  path: string;
  method: string;
}

/** Every operation of the document. */
export function callsOf({ paths }: Document): DocumentedCall[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, value]) => {
      const found = operation.safeParse(value);
      return found.success ? [{ ...found.data, path, method }] : [];
    }),
  );
}

/** An answer, with the names of its headers in lower case. */
export interface ReceivedAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** The target of a reference, or the object itself. Fails when it does not exist. */
function resolved<T>(given: z.infer<typeof reference> | T, among: Record<string, T>): T {
  const found = reference.safeParse(given);
  const value = found.success
    ? among[found.data.$ref.split("/").at(-1) ?? ""]
    : z.custom<T>(() => true).parse(given);
  if (value === undefined) throw new Error(`Nothing is at ${JSON.stringify(given)}.`);
  return value;
}

/** Checks of bodies against the document's schemas, by JSON Schema 2020-12. */
export function checksOf({ components, webhooks }: Document) {
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, formats: fullFormats });
  ajv.addKeyword("components");
  ajv.addSchema({ $id: "api", components });

  /** Fails unless `body` is as the schema that is referred to. */
  function expectBody(given: unknown, body: unknown): void {
    const { $ref } = reference.parse(given);
    const check = ajv.getSchema(`api${$ref}`);
    if (!check) throw new Error(`There is no schema at ${$ref}.`);
    check(body);
    assert.deepEqual(check.errors ?? [], [], JSON.stringify(body));
  }

  return {
    /** Compiles every schema; fails for one that is none. */
    compileAll() {
      for (const name of Object.keys(components.schemas))
        assert.ok(ajv.getSchema(`api#/components/schemas/${name}`), name);
    },
    /** Fails unless the document describes the body as one of this webhook event. */
    expectMessage(event: string, body: unknown): void {
      expectBody(webhooks[event]?.post.requestBody.content["application/json"]?.schema, body);
    },
    expectInput({ requestBody }: DocumentedCall, body: unknown): void {
      expectBody(requestBody?.content["application/json"]?.schema, body);
    },
    /**
     * Fails unless the document describes the answer to this call.
     * Its status, headers and body. A header may be missing only where the document marks it as not required.
     */
    expectAnswer(call: DocumentedCall, { status, headers: sent, text }: ReceivedAnswer): void {
      const described = call.responses[String(status)];
      if (!described) throw new Error(`${call.operationId}: ${status} is not described.`);
      const { headers = {}, content } = resolved(described, components.responses);
      for (const [name, value] of Object.entries(headers)) {
        const { required = true } = resolved(value, components.headers);
        if (required) assert.ok(sent[name.toLowerCase()] !== undefined, `${status} ${name}`);
      }
      if (!content) {
        assert.equal(text, "");
        return;
      }
      const type = (sent["content-type"] ?? "").replace(/^(text\/(?:plain|csv));.*/, "$1");
      const body = content[type];
      assert.ok(body, `${call.operationId}: ${status} is not described as ${type}.`);
      if (type.endsWith("json")) expectBody(body.schema, JSON.parse(text));
    },
  };
}

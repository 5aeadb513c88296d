/** The parts that every OpenAPI 3.1 document here is made of. */
import { STATUS_CODES } from "node:http";
import { z } from "zod";

export type Json = Record<string, unknown>;

/** The fields of a query's schema, as parameters. */
export function parametersOf(query: z.ZodObject): Json[] {
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: "input" });
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

/**
 * A problem's response.
 * `headers` are the names of headers, each with its name among the document's components.
 */
export function errorResponse(description: string, headers: Record<string, string> = {}): Json {
  return {
    description,
    ...(Object.keys(headers).length > 0 && { headers: headersOf(headers) }),
    ...jsonContent("Problem", "application/problem+json"),
  };
}

/** A response's headers, each by its name among the document's components. */
export function headersOf(named: Record<string, string>): Json {
  return Object.fromEntries(
    Object.entries(named).map(([name, key]) => [name, { $ref: `#/components/headers/${key}` }]),
  );
}

/** "Too Many Requests" as "TooManyRequests". */
export function errorName(status: number): string {
  return (STATUS_CODES[status] ?? "").replaceAll(/[^A-Za-z]/g, "");
}

/** A body, by its schema's name among the document's components. */
export function jsonContent(schema: string, type = "application/json"): Json {
  return { content: { [type]: { schema: { $ref: schemaPath(schema) } } } };
}

/**
 * The document's schemas, each by its name.
 * Schemas that are part of another refer to it.
 */
export function schemasOf(named: Record<string, z.ZodType>, io: "input" | "output"): Json {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io, uri: schemaPath });
  // Both belong to the whole document: its place is where the schemas are, and 3.1's dialect is JSON Schema's own.
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $id: _, $schema: __, ...schema }]) => [name, schema]),
  );
}

export function header(description: string, type = "string"): Json {
  return { description, schema: { type } };
}

function schemaPath(name: string): string {
  return `#/components/schemas/${name}`;
}

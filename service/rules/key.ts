/**
 * Keys of limiter states.
 * Two requests have the same key only when every part of it is equal.
 */
import { createHash } from "node:crypto";
import { isIP } from "node:net";
import { countedAddress } from "../../lib/http/client-address.ts";
import type { Fields } from "../../lib/limiter/client.ts";
import type { ConfiguredPolicy } from "../../lib/limits/policy-schema.ts";
import type { FieldValue } from "./condition-schema.ts";

export type { Fields };

/** The value of a field. Undefined when the request does not have it, for any name. */
export function fieldOf(fields: Fields, name: string): FieldValue | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/**
 * `field=value&field=value`, escaped.
 * A field that the request does not have is its name alone.
 */
export function fieldsKey(names: readonly string[]): (fields: Fields) => string {
  const shownNames = names.map((name) => [name, escaped(name)] as const);
  return (fields) => {
    let key = "";
    for (const [name, shown] of shownNames) {
      const value = fieldOf(fields, name);
      const part = value === undefined ? shown : `${shown}=${escaped(countedValue(String(value)))}`;
      key = key === "" ? part : `${key}&${part}`;
    }
    return key;
  };
}

/**
 * The value as it counts: IPv6 by its /64, IPv4 written as IPv6 as IPv4.
 * Any other text is itself, also an address with a port.
 */
function countedValue(text: string): string {
  return text.includes(":") && isIP(text) !== 0 ? (countedAddress(text) ?? text) : text;
}

/**
 * Escapes a text as in a URL.
 * Half a surrogate pair is not valid Unicode and has an escape of its own.
 */
function escaped(text: string): string {
  if (/^[\w.~-]*$/.test(text)) return text;
  if (text.isWellFormed()) return encodeURIComponent(text);
  return Array.from(text, (part) =>
    part.isWellFormed() ? encodeURIComponent(part) : `%u${part.charCodeAt(0).toString(16)}`,
  ).join("");
}

/**
 * The keys of a policy's states.
 * Those of a rule (`rule`, with its name) and those that callers choose (`key`). Another algorithm is another
 * state. A key that is long, or no Unicode, which stores could confuse with others, is kept as its SHA-256.
 */
export function stateKeys(
  { name, algorithm }: Pick<ConfiguredPolicy, "name" | "algorithm">,
  kind: "key" | "rule",
  rule = "",
): (key: string) => string {
  const policy = `${escaped(name)}:${escaped(algorithm.name)}:${kind}`;
  const before = kind === "rule" ? `${policy}:${escaped(rule)}:` : `${policy}:`;
  const beforeHash = kind === "rule" ? `${policy}-sha256:${escaped(rule)}:` : `${policy}-sha256:`;
  return (key) =>
    key.length <= longestKey && key.isWellFormed()
      ? before + key
      : beforeHash + createHash("sha256").update(key, "utf16le").digest("base64url");
}

const longestKey = 200;

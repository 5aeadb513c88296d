/**
 * The cursor of a page's address.
 * Undefined when it is absent, or sent several times.
 */
export function sentCursor(parameter: unknown): string | undefined {
  return typeof parameter === "string" ? parameter : undefined;
}

/**
 * The id in an address, such as that at which a page of a list starts.
 * Undefined for any other value.
 */
export function idFrom(sent: unknown): number | undefined {
  return typeof sent === "string" && /^[1-9]\d{0,14}$/.test(sent) ? Number(sent) : undefined;
}

/** The id in an address or a form; undefined for any other value. */
export function idFromText(sent: unknown): number | undefined {
  return typeof sent === "string" && /^[1-9]\d{0,14}$/.test(sent) ? Number(sent) : undefined;
}

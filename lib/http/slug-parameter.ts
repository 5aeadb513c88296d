/**
 * The slug in an address. The framework hands parameters over percent-encoded in some places and decoded in others;
 * a slug has no percent sign, so decoding twice changes nothing. Undefined when it is not well encoded. Slugs are
 * kept in the composed form (NFC), which not every keyboard makes.
 */
export function slugParameter(text: string): string | undefined {
  try {
    return decodeURIComponent(text).normalize("NFC");
  } catch {
    return undefined;
  }
}

/** A shorter secret could match parts of words. */
const secretMinimum = 4;

/**
 * Makes a function that removes these secrets from a text, such as a log line.
 * Also those that are added to the list later, and credentials in URLs such as postgres://weir:password@host.
 */
export function secretRemover(secrets: readonly string[]): (text: string) => string {
  let written: string[] = [];
  let count = 0;
  return (text) => {
    if (count !== secrets.length) {
      count = secrets.length;
      written = secrets
        .filter(({ length }) => length >= secretMinimum)
        .map((secret) => JSON.stringify(secret).slice(1, -1));
    }
    // Hardly any line has one, and a search is faster than a replacement.
    const safe = written.some((secret) => text.includes(secret))
      ? written.reduce((left, secret) => left.replaceAll(secret, "[secret]"), text)
      : text;
    return safe.includes("@") ? safe.replace(/(\w:\/\/)[^\s/"']*@/g, "$1[secret]@") : safe;
  };
}

/** A shorter secret could match parts of words. */
const secretMinimum = 4;

/**
 * Makes a function that removes these secrets from a text, such as a log line.
 * It also removes credentials from URLs such as postgres://weir:password@host.
 */
export function secretRemover(secrets: readonly string[]): (text: string) => string {
  const written = secrets
    .filter(({ length }) => length >= secretMinimum)
    .map((secret) => JSON.stringify(secret).slice(1, -1));
  return (text) => {
    // Hardly any line has one, and to look for it takes less than to replace it.
    const safe = written.some((secret) => text.includes(secret))
      ? written.reduce((left, secret) => left.replaceAll(secret, "[secret]"), text)
      : text;
    return safe.includes("@") ? safe.replace(/(\w:\/\/)[^\s/"']*@/g, "$1[secret]@") : safe;
  };
}

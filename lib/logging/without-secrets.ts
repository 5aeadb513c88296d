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
  return (text) =>
    written
      .reduce((safe, secret) => safe.replaceAll(secret, "[secret]"), text)
      .replace(/(\w:\/\/)[^\s/"']*@/g, "$1[secret]@");
}

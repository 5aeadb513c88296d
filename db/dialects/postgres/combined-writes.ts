/**
 * Several writes as one statement.
 * A good part of a small statement's time is overhead of PostgreSQL and the client.
 *
 * Its parts are CTEs, which do not see each other's changes; so each has to write another table.
 */

/** An INSERT, UPDATE or DELETE without a result. */
export interface PendingWrite {
  text: string;
  values: readonly unknown[];
}

/** The combined texts by their parts, of which the app has a few dozen. */
const texts = new Map<string, string>();

export function combined(writes: readonly PendingWrite[]): PendingWrite {
  const [first] = writes;
  if (first && writes.length === 1) return first;
  const key = writes.map(({ text }) => text).join(";");
  let text = texts.get(key);
  if (text === undefined) {
    let before = 0;
    const parts = writes.map(({ text, values }, index) => {
      const renumbered = text.replace(/\$(\d+)/g, (_, number) => `$${before + Number(number)}`);
      before += values.length;
      return `write_${index} as (${renumbered})`;
    });
    text = `with ${parts.join(", ")} select`;
    texts.set(key, text);
  }
  return { text, values: writes.flatMap(({ values }) => values) };
}

/** The table that a write changes. */
export function writtenTable(text: string): string | undefined {
  return /^\s*(?:insert\s+into|update|delete\s+from)\s+"?(\w+)/i.exec(text)?.[1];
}

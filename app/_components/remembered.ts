/**
 * Keeps what was worked out last, by its key, as long as the sizes of the keys come to no more than `maximum`; what has
 * gone unused for longest is forgotten first.
 */
export function recent<T>(
  maximum: number,
  sizeOf: (key: string) => number,
): (key: string, make: () => T) => T {
  const results = new Map<string, { result: T }>();
  let size = 0;
  return (key, make) => {
    const found = results.get(key);
    const entry = found ?? { result: make() };
    if (!found) size += sizeOf(key);
    // A map keeps its order, so what was just used goes to its end.
    results.delete(key);
    results.set(key, entry);
    for (const oldest of results.keys()) {
      if (size <= maximum) break;
      results.delete(oldest);
      size -= sizeOf(oldest);
    }
    return entry.result;
  };
}

/**
 * A pure function of a text that remembers what it made of the texts it was last given, as many as have together
 * `maximumCharacters`.
 */
export function remembered<T>(maximumCharacters: number, make: (text: string) => T): (text: string) => T {
  const recall = recent<T>(maximumCharacters, (text) => text.length);
  return (text) => recall(text, () => make(text));
}

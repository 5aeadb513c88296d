/**
 * A pure function of a text that remembers what it made of the texts it was last given, as many as have together
 * `maximumCharacters`; what has gone unused for longest is forgotten first.
 */
export function remembered<T>(maximumCharacters: number, make: (text: string) => T): (text: string) => T {
  const results = new Map<string, { result: T }>();
  let characters = 0;
  return (text) => {
    const found = results.get(text);
    const entry = found ?? { result: make(text) };
    if (!found) characters += text.length;
    // A map keeps its order, so what was just used goes to its end.
    results.delete(text);
    results.set(text, entry);
    for (const oldest of results.keys()) {
      if (characters <= maximumCharacters) break;
      results.delete(oldest);
      characters -= oldest.length;
    }
    return entry.result;
  };
}

/**
 * A least-recently-used cache.
 * Of at most `maxKeys` keys, and at least of the last half as many. A missing value is made, and one in use is kept
 * beyond that.
 */
export class LruCache<V> {
  readonly #make: (key: string) => V;
  readonly #isInUse: (value: V) => boolean;
  readonly #half: number;
  #newer = new Map<string, V>();
  #older = new Map<string, V>();

  constructor(maxKeys: number, make: (key: string) => V, isInUse: (value: V) => boolean) {
    this.#half = Math.ceil(maxKeys / 2);
    this.#make = make;
    this.#isInUse = isInUse;
  }

  get(key: string): V {
    const found = this.#newer.get(key);
    if (found !== undefined) return found;
    const value = this.#older.get(key) ?? this.#make(key);
    if (this.#newer.size >= this.#half) {
      const dropped = this.#older;
      this.#older = this.#newer;
      this.#newer = new Map();
      for (const [old, kept] of dropped) if (this.#isInUse(kept)) this.#newer.set(old, kept);
    }
    this.#newer.set(key, value);
    return value;
  }
}

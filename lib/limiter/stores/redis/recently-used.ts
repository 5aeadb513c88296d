/**
 * What belongs to the keys used last, made when a key is new or was forgotten: of at most `maxKeys` keys, and at least of the last half as many.
 *
 * Something may be forgotten while it is in use, and then there are two for one key.
 */
export class RecentlyUsed<V> {
  readonly #make: (key: string) => V;
  readonly #half: number;
  #newer = new Map<string, V>();
  #older = new Map<string, V>();

  constructor(maxKeys: number, make: (key: string) => V) {
    this.#half = Math.ceil(maxKeys / 2);
    this.#make = make;
  }

  get(key: string): V {
    const found = this.#newer.get(key);
    if (found !== undefined) return found;
    const value = this.#older.get(key) ?? this.#make(key);
    if (this.#newer.size >= this.#half) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(key, value);
    return value;
  }
}

import { describe, expect, it } from "vitest";
import type { Store } from "../types.ts";
import { storeContract } from "./contract.ts";
import { memoryStore } from "./memory.ts";

storeContract("memory store", memoryStore);

const put = (store: Store, key: string, expiresAt?: number, now = 0) =>
  store.update(key, () => ({ result: undefined, next: key, expiresAt }), now);
const get = (store: Store, key: string, now = 0) => store.update(key, (state) => ({ result: state }), now);

describe("memory store", () => {
  it("updates a state at once, and throws an error of the step", async () => {
    const store = memoryStore();
    const increase = (state: number | undefined) => ({ result: state, next: (state ?? 0) + 1 });
    expect(store.updateSync?.("key", increase, 0)).toBeUndefined();
    expect(await store.update("key", increase, 0)).toBe(1);
    expect(store.updateSync?.("key", increase, 0)).toBe(2);
    const fail = () => {
      throw new RangeError("no step");
    };
    expect(() => store.updateSync?.("key", fail, 0)).toThrow("no step");
    expect(store.updateSync?.("key", increase, 0)).toBe(3);
  });

  it("drops the key that was unused for longest when there are more than maxKeys", async () => {
    const store = memoryStore({ maxKeys: 3 });
    for (const key of ["a", "b", "c"]) await put(store, key);
    await get(store, "b");
    await get(store, "a");
    await put(store, "d");
    expect(await Promise.all(["a", "b", "c", "d"].map((key) => get(store, key)))).toEqual([
      "a",
      "b",
      undefined,
      "d",
    ]);
  });

  it("drops the longest unused state when that has expired, to make room for a new key", async () => {
    const store = memoryStore({ maxKeys: 10 });
    await put(store, "short", 10);
    await put(store, "long", 1000);
    await put(store, "new", 1000, 10);
    const atTheStart = 0;
    expect(await get(store, "short", atTheStart)).toBeUndefined();
    expect(await get(store, "long", atTheStart)).toBe("long");
  });

  it("keeps the newest maxKeys of many keys used in turn", async () => {
    const store = memoryStore({ maxKeys: 3 });
    for (let index = 0; index < 1000; index += 1) await put(store, `key ${index % 5}`);
    const found = await Promise.all([0, 1, 2, 3, 4].map((index) => get(store, `key ${index}`)));
    expect(found).toEqual([undefined, undefined, "key 2", "key 3", "key 4"]);
  });

  it("works with room for a single key", async () => {
    const store = memoryStore({ maxKeys: 1 });
    await put(store, "a");
    await put(store, "b");
    expect([await get(store, "a"), await get(store, "b")]).toEqual([undefined, "b"]);
  });

  it("rejects an update of more keys than maxKeys, and keeps its states", async () => {
    const store = memoryStore({ maxKeys: 2 });
    await put(store, "a");
    const change = () => ({ result: undefined, changes: [{ next: 1 }, { next: 2 }, { next: 3 }] });
    await expect(store.updateMany(["a", "b", "c"], change)).rejects.toThrow("3 keys are more than maxKeys");
    expect(await get(store, "a")).toBe("a");
    await store.updateMany(["a", "b"], change);
    expect([await get(store, "a"), await get(store, "b")]).toEqual([1, 2]);
  });

  it("reads the machine's clock when no time is given", async () => {
    const before = Date.now();
    const now = await memoryStore().update("key", (_, time) => ({ result: time }));
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1.5])("refuses maxKeys %s", (maxKeys) => {
    expect(() => memoryStore({ maxKeys })).toThrow(/maxKeys/);
  });
});

import { expect, test } from "vitest";
import type { LimitCounts, SavedNode } from "../index.ts";
import { morning, type Open } from "./setting.ts";

const hour = morning / 3_600_000;

function node(id: string, also: Partial<SavedNode> = {}): SavedNode {
  const report = { text: "\0 \ud800 ' \" \\ {}", numbers: [0.1, 9_007_199_254_740_991], nothing: null };
  return { id, name: `host:${id}`, startedAt: morning, seenAt: morning, round: 0, report, ...also };
}

function counts(policy: string, also: Partial<LimitCounts> = {}): LimitCounts {
  return { policy, hour, allowed: 0, refused: 0, held: 0, shadowWouldRefuse: 0, ...also };
}

export function operationContract(open: Open): void {
  test("keeps each node's last report, and lists nodes by name", async () => {
    const { operations } = await open();
    await operations.saveNode(node("b"));
    await operations.saveNode(node("a", { name: "host:é" }));
    await operations.saveNode(node("c", { name: "Host:b" }));
    const later = node("b", { seenAt: morning + 15_000, round: 7, report: [] });
    await operations.saveNode(later);
    expect(await operations.nodes()).toEqual([
      node("c", { name: "Host:b" }),
      later,
      node("a", { name: "host:é" }),
    ]);
    expect(await operations.roundOf("b")).toBe(7);
    expect(await operations.roundOf("none")).toBeUndefined();
    await operations.removeNode("a");
    await operations.removeNode("none");
    expect((await operations.nodes()).map(({ id }) => id)).toEqual(["c", "b"]);
  });

  test("removes nodes last seen before an instant, and keeps one seen at it", async () => {
    const { operations } = await open();
    for (const [index, id] of ["a", "b", "c"].entries())
      await operations.saveNode(node(id, { seenAt: morning + index }));
    await operations.removeNodesNotSeenSince(morning + 1);
    expect((await operations.nodes()).map(({ id }) => id)).toEqual(["b", "c"]);
  });

  test("adds up the counts of one policy and hour, and keeps others apart", async () => {
    const { operations } = await open();
    const many = { allowed: 3_000_000_000, refused: 1, held: 2, shadowWouldRefuse: 3 };
    await operations.addLimitCounts([
      counts("b", { hour: hour + 1, refused: 5 }),
      counts("b", many),
      counts("a", { held: 1 }),
    ]);
    await operations.addLimitCounts([counts("b", many)]);
    await operations.addLimitCounts([]);
    const added = { allowed: 6_000_000_000, refused: 2, held: 4, shadowWouldRefuse: 6 };
    const late = counts("b", { hour: hour + 1, refused: 5 });
    const all = [counts("a", { held: 1 }), counts("b", added), late];
    expect(await operations.limitCountsFrom(hour)).toEqual(all);
    expect(await operations.limitCountsFrom(hour + 1)).toEqual([late]);
    await operations.removeLimitCountsBefore(hour + 1);
    expect(await operations.limitCountsFrom(0)).toEqual([late]);
  });

  test("adds all of many concurrent additions to the same counts, each in another order", async () => {
    const database = await open();
    const add = (policies: readonly string[]) =>
      database.transaction(() =>
        database.operations.addLimitCounts(policies.map((policy) => counts(policy, { refused: 1 }))),
      );
    const orders = [
      ["a", "b", "c"],
      ["c", "b", "a"],
      ["b", "c", "a"],
    ];
    await Promise.all(Array.from({ length: 30 }, (_, index) => add(orders[index % orders.length] ?? [])));
    expect(await database.operations.limitCountsFrom(hour)).toEqual(
      ["a", "b", "c"].map((policy) => counts(policy, { refused: 30 })),
    );
  });

  test("keeps the last trusted time, also an earlier one, and the clock that is not trusted yet", async () => {
    const { operations } = await open();
    expect(await operations.trustedTime()).toBeUndefined();
    const pending = { from: morning + 5, last: morning + 7, ranMs: 1 };
    for (const saved of [
      { at: morning, pending: null },
      { at: morning + 1, pending },
      { at: morning - 1, pending: null },
    ]) {
      await operations.saveTrustedTime(saved);
      expect(await operations.trustedTime()).toEqual(saved);
    }
  });

  test("adds no counts in a transaction that fails", async () => {
    const database = await open();
    const failing = database.transaction(async () => {
      await database.operations.addLimitCounts([counts("a", { refused: 1 })]);
      await database.operations.saveNode(node("a"));
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await database.operations.limitCountsFrom(0)).toEqual([]);
    expect(await database.operations.nodes()).toEqual([]);
  });
}

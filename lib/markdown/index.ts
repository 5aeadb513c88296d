/**
 * Renders Markdown in worker threads.
 * The server's own thread keeps answering requests.
 */
import { availableParallelism } from "node:os";
import { KeyQueue } from "../limiter/index.ts";
import { createThreadPool } from "../threads/pool.ts";
import { startThread } from "./thread.ts";
import type { Rendering } from "./types.ts";

export { type Rendering, rendererVersion } from "./types.ts";

export interface Renderer {
  /**
   * Renders a text of an owner's.
   * "busy": too many texts wait, of this owner or of all. When too many of all wait, the newest of the owner with
   * most gives way to one of an owner with fewer. Rejects when a thread fails. A text without an owner, which no person
   * waits for, takes no other's place, and is rendered only while half of the places are free.
   */
  render(text: string, owner: string | null): Promise<Rendering | { kind: "busy" }>;
  /** Ends the threads; texts that are being rendered fail. */
  close(): Promise<void>;
}

export interface RendererSettings {
  threads?: number;
  /** Maximum number of texts that are being rendered or wait, of all owners. */
  textsMaximum?: number;
  textsPerOwner?: number;
  /** CPU time of one text; on a busy machine it takes longer. */
  cpuMaximumMs?: number;
  wallMaximumMs?: number;
}

/**
 * Creates a renderer; its threads start with the first text.
 * Owners take turns: an owner's next text waits for the one before.
 */
export function createRenderer({
  threads: threadsMaximum = availableParallelism() > 2 ? 2 : 1,
  textsMaximum = 24,
  textsPerOwner = 4,
  cpuMaximumMs = 1_000,
  wallMaximumMs = 30_000,
}: RendererSettings = {}): Renderer {
  const owners = new KeyQueue();
  const threads = createThreadPool(threadsMaximum, () => startThread({ cpuMaximumMs, wallMaximumMs }));
  const texts = new Set<Text>();

  async function renderNow(text: string): Promise<Rendering | { kind: "busy" }> {
    const outcome = await threads.run((thread) => thread.render(text));
    return outcome.kind === "timed-out" ? { kind: "busy" } : outcome;
  }

  /**
   * Drops the newest text of the owner with most.
   * False when that would leave them fewer than `owner` then has.
   */
  function makeRoomFor(owner: string): boolean {
    const byOwner = Map.groupBy(texts, (text) => text.owner);
    const [most = []] = [...byOwner.values()].toSorted((a, b) => b.length - a.length);
    if (most.length < (byOwner.get(owner)?.length ?? 0) + 2) return false;
    // It is not being rendered: one before it of the same owner is, or waits for a thread.
    most.at(-1)?.drop();
    return true;
  }

  return {
    async render(content, owner) {
      if (owner === null) {
        if (texts.size * 2 >= textsMaximum) return { kind: "busy" };
        return renderNow(content);
      }
      if (owners.length(owner) >= textsPerOwner) return { kind: "busy" };
      if (texts.size >= textsMaximum && !makeRoomFor(owner)) return { kind: "busy" };
      const { promise: dropped, resolve } = Promise.withResolvers<{ kind: "busy" }>();
      const text: Text = {
        owner,
        drop() {
          texts.delete(text);
          resolve({ kind: "busy" });
        },
      };
      texts.add(text);
      const rendered = owners.run(owner, () => (texts.has(text) ? renderNow(content) : dropped));
      try {
        return await Promise.race([rendered, dropped]);
      } finally {
        texts.delete(text);
      }
    },
    close: threads.close,
  };
}

/** A text that is rendered or waits. */
interface Text {
  owner: string;
  drop(): void;
}

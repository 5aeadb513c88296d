/** Markdown is rendered in threads beside the server's own, which goes on answering requests meanwhile. */
import { availableParallelism } from "node:os";
import { KeyQueue } from "../limiter/index.ts";
import { createThreadPool } from "../threads/pool.ts";
import { startThread } from "./thread.ts";
import type { Rendering } from "./types.ts";

export { type Rendering, rendererVersion } from "./types.ts";

export interface Renderer {
  /**
   * Renders a text of an owner's. "busy": too many texts wait already, of this owner or of all. Rejects when a thread fails.
   */
  render(text: string, owner: string): Promise<Rendering | { kind: "busy" }>;
  /** Ends the threads; texts that are being rendered fail. */
  close(): Promise<void>;
}

export interface RendererSettings {
  threads?: number;
  /** Texts that are rendered or wait, of all owners. */
  textsMaximum?: number;
  textsPerOwner?: number;
  /** CPU time of one text; on a busy machine it takes longer. */
  cpuMaximumMs?: number;
  wallMaximumMs?: number;
}

/** Starts no thread before the first text. The owners take turns: an owner's next text waits for the one before. */
export function createRenderer({
  threads: threadsMaximum = availableParallelism() > 2 ? 2 : 1,
  textsMaximum = 24,
  textsPerOwner = 4,
  cpuMaximumMs = 1_000,
  wallMaximumMs = 30_000,
}: RendererSettings = {}): Renderer {
  const owners = new KeyQueue();
  const threads = createThreadPool(threadsMaximum, () => startThread({ cpuMaximumMs, wallMaximumMs }));
  let texts = 0;

  async function renderNow(text: string): Promise<Rendering | { kind: "busy" }> {
    const outcome = await threads.run((thread) => thread.render(text));
    return outcome.kind === "overdue" ? { kind: "busy" } : outcome;
  }

  return {
    async render(text, owner) {
      if (texts >= textsMaximum || owners.length(owner) >= textsPerOwner) return { kind: "busy" };
      texts += 1;
      try {
        return await owners.run(owner, () => renderNow(text));
      } finally {
        texts -= 1;
      }
    },
    close: threads.close,
  };
}

/** Markdown is rendered in threads beside the server's own, which goes on answering requests meanwhile. */
import { availableParallelism } from "node:os";
import { KeyQueue } from "../limiter/index.ts";
import { type MarkdownThread, startThread } from "./thread.ts";
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
  const threads = new Set<MarkdownThread>();
  const idle: MarkdownThread[] = [];
  const waiting: ((thread: MarkdownThread) => void)[] = [];
  let texts = 0;
  let isClosed = false;

  function takeThread(): MarkdownThread | Promise<MarkdownThread> {
    for (let free = idle.pop(); free; free = idle.pop()) {
      if (!free.hasEnded()) return free;
      threads.delete(free);
    }
    if (threads.size < threadsMaximum) return newThread();
    return new Promise((resolve) => waiting.push(resolve));
  }

  function newThread(): MarkdownThread {
    if (isClosed) throw new Error("The renderer is closed");
    const thread = startThread({ cpuMaximumMs, wallMaximumMs });
    threads.add(thread);
    return thread;
  }

  function giveBack(thread: MarkdownThread): void {
    if (thread.hasEnded()) threads.delete(thread);
    const next = waiting.shift();
    if (next) next(thread.hasEnded() ? newThread() : thread);
    else if (!thread.hasEnded()) idle.push(thread);
  }

  async function renderNow(text: string): Promise<Rendering | { kind: "busy" }> {
    const thread = await takeThread();
    try {
      const outcome = await thread.render(text);
      return outcome.kind === "overdue" ? { kind: "busy" } : outcome;
    } finally {
      giveBack(thread);
    }
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
    async close() {
      isClosed = true;
      await Promise.all([...threads].map((thread) => thread.end()));
    },
  };
}

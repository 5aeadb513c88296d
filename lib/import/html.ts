/** HTML as Markdown, made in a thread: elements in each other take very long. */
import { join } from "node:path";
import { loggedError } from "../logging/logged-error.ts";
import { createThreadPool } from "../threads/pool.ts";
import { isOutOfMemory, requestWithin, startWorkerThread } from "../threads/worker-thread.ts";

/** Longer HTML is not imported. */
const htmlMaximum = 1_000_000;
/** The longest posts take a second. */
const timeMaximumMs = 10_000;

const program = join(/* turbopackIgnore: true */ process.cwd(), "lib/import/html-worker.ts");
const resourceLimits = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 32 };
const threads = createThreadPool(1, () => startWorkerThread<string, string | null>(program, resourceLimits));

/**
 * The Markdown; undefined when the HTML cannot be converted.
 * It is too long, too deeply nested, or of a form that a library does not expect.
 */
export async function markdownFrom(html: string, maximumMs = timeMaximumMs): Promise<string | undefined> {
  if (html.length > htmlMaximum) return undefined;
  try {
    return (await threads.run((thread) => requestWithin(thread, html, maximumMs))) ?? undefined;
  } catch (error) {
    if (!isOutOfMemory(error)) console.error(loggedError(error));
    return undefined;
  }
}

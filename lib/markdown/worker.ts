/**
 * The worker thread's program.
 * Answers each text that it receives with a `Rendering`.
 */
import { parentPort } from "node:worker_threads";
import { renderMarkdown } from "./render.ts";
import type { Rendering } from "./types.ts";

/**
 * Maximum length of the HTML in UTF-16 units; every reader loads all of it.
 * The longest text of only email addresses makes half of this.
 */
const htmlMaximum = 1_000_000;

function renderingOf(text: string): Rendering {
  try {
    let rendered = renderMarkdown(text);
    // Colours are given up before a text is refused.
    if (rendered.html.length > htmlMaximum) rendered = renderMarkdown(text, { isColoured: false });
    return rendered.html.length > htmlMaximum ? { kind: "too-intricate" } : { kind: "rendered", ...rendered };
  } catch (error) {
    // A parser accepts every text that is not too deep for its call stack; another error is a defect of the parser's.
    if (!(error instanceof RangeError)) console.error(error);
    return { kind: "too-intricate" };
  }
}

parentPort?.on("message", (text: string) => parentPort?.postMessage(renderingOf(text)));
parentPort?.postMessage("ready");

/**
 * The worker thread's program.
 * Answers two texts and their language with their `TextPart`s, or null.
 */
import { parentPort } from "node:worker_threads";
import { type Texts, textChanges } from "./text-changes.ts";

parentPort?.on("message", ({ before, after, lang }: Texts) =>
  parentPort?.postMessage(textChanges(before, after, lang)),
);
parentPort?.postMessage("ready");

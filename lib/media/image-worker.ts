/**
 * The program of the process that encodes one image.
 * It ends itself when the image takes too much memory or processor time: the library works on threads of its own, so
 * this one keeps running.
 */
import { encodeImage } from "./encode.ts";
import type { EncodingAnswer, EncodingRequest } from "./encoding-process.ts";

const checkEveryMs = 50;

function answer(message: EncodingAnswer): void {
  process.send?.(message, () => process.exit(0));
}

process.once("disconnect", () => process.exit(1));
process.once("message", async ({ bytes, memoryMaximumBytes, cpuMaximumMs, ...options }: EncodingRequest) => {
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage();
    const isTooMuch =
      process.memoryUsage.rss() > memoryMaximumBytes || (user + system) / 1_000 > cpuMaximumMs;
    if (!isTooMuch) return;
    clearInterval(timer);
    answer({ kind: "too-many-pixels" });
  }, checkEveryMs);
  const encoded = await encodeImage(bytes, options);
  clearInterval(timer);
  answer(encoded);
});

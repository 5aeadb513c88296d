/**
 * Encodes one image in a process of its own, with bounds on memory and time.
 * Not in a thread: the image decoders are native code, which a thread's bounds do not limit, and a fault in it would end
 * the server.
 */
import { fork } from "node:child_process";
import { join } from "node:path";
import type { EncodedImage, EncodingOptions, ImageFault } from "./encode.ts";

export interface EncodingBounds {
  memoryMaximumBytes: number;
  cpuMaximumMs: number;
  /** When a busy machine gives the process almost no time. */
  wallMaximumMs: number;
}

export interface EncodingRequest extends Omit<EncodingBounds, "wallMaximumMs">, EncodingOptions {
  bytes: Uint8Array;
}

export type EncodingAnswer = EncodedImage | { kind: ImageFault };

const program = join(/* turbopackIgnore: true */ process.cwd(), "lib/media/image-worker.ts");

/**
 * Resolves to the image's files, or why there are none.
 * "busy": the machine gave the process no time. A process that ends without an answer found the image unreadable.
 */
export async function encodeInProcess(
  bytes: Uint8Array,
  { wallMaximumMs, ...options }: EncodingBounds & EncodingOptions,
): Promise<EncodingAnswer | { kind: "busy" }> {
  // It gets none of the settings, which have secrets.
  const child = fork(program, [], {
    env: { NODE_ENV: "production" },
    execArgv: [],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const { promise, resolve, reject } = Promise.withResolvers<EncodingAnswer | { kind: "busy" }>();
  const timer = setTimeout(() => resolve({ kind: "busy" }), wallMaximumMs);
  child.once("message", (answer: EncodingAnswer) => resolve(answer));
  child.once("error", reject);
  child.once("exit", () => resolve({ kind: "unreadable" }));
  const request: EncodingRequest = { bytes, ...options };
  child.send(request, () => {}); // that it could not be sent, its end reports
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    child.kill("SIGKILL");
  }
}

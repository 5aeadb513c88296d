/** Encodes uploaded images, one at a time. */
import { KeyQueue } from "../limiter/index.ts";
import { minuteMs } from "../time/units.ts";
import type { EncodingOptions } from "./encode.ts";
import { type EncodingAnswer, type EncodingBounds, encodeInProcess } from "./encoding-process.ts";

export interface ImageEncoder {
  /**
   * Encodes an image of an owner's.
   * "busy": too many images wait, of this owner or of all.
   */
  encode(
    bytes: Uint8Array,
    owner: string,
    options?: EncodingOptions,
  ): Promise<EncodingAnswer | { kind: "busy" }>;
}

interface ImageEncoderSettings extends Partial<EncodingBounds> {
  /** The most images that are encoded or wait, of all owners. */
  imagesMaximum?: number;
  imagesPerOwner?: number;
}

const megabyte = 1024 * 1024;

export function createImageEncoder({
  imagesMaximum = 12,
  imagesPerOwner = 3,
  memoryMaximumBytes = 500 * megabyte,
  cpuMaximumMs = 30_000,
  wallMaximumMs = minuteMs,
}: ImageEncoderSettings = {}): ImageEncoder {
  const queue = new KeyQueue();
  const owners = new Map<string, number>();
  const bounds = { memoryMaximumBytes, cpuMaximumMs, wallMaximumMs };

  return {
    async encode(bytes, owner, options = {}) {
      const own = owners.get(owner) ?? 0;
      if (own >= imagesPerOwner || queue.length("images") >= imagesMaximum) return { kind: "busy" };
      owners.set(owner, own + 1);
      try {
        return await queue.run("images", () => encodeInProcess(bytes, { ...bounds, ...options }));
      } finally {
        const left = (owners.get(owner) ?? 1) - 1;
        if (left === 0) owners.delete(owner);
        else owners.set(owner, left);
      }
    },
  };
}

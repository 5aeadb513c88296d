/**
 * A cache of answers by the id of their request, limited in time and memory.
 * Answers are stored as bytes: as objects that live for a minute they took a fifth of the service's CPU time for
 * garbage collection. The cache is a log of records in chunks of memory; the oldest chunk is dropped whole. A hash
 * table has the position of the newest record of each bucket, and each record the position of the one before it.
 */
import type { Answer, EncodedAnswer } from "../answers.ts";

/** An answer, and the fingerprint of its request. */
interface CachedAnswer extends EncodedAnswer {
  fingerprint: number;
}

export interface AnswerCacheSettings {
  /** For how long an answer is kept, in milliseconds, unless there are too many. */
  keptMs?: number;
  /** The maximum size of all answers. Beyond that the oldest are dropped. */
  maximumBytes?: number;
  /**
   * The size of a chunk, a multiple of 8.
   * A longer answer is not kept: only those to `rules`, which counts nothing, are.
   */
  chunkBytes?: number;
  /** Milliseconds that only go forward. */
  clock?: () => number;
}

interface Chunk {
  bytes: Buffer;
  /** A view of the same memory. */
  doubles: Float64Array;
  /** The used length, in doubles. */
  used: number;
  answers: number;
  keptUntil: number;
}

/** A record: this head, in doubles, and the answer's text in UTF-8. */
const head = { older: 0, hash: 1, fingerprint: 2, keptUntil: 3, textBytes: 4 };
const headDoubles = 5;
const doubleBytes = 8;
/** The number of buckets: a power of two, near the number of answers. */
const bucketCount = 2 ** 19;
/**
 * The maximum number of records of one bucket that a search visits.
 * Buckets have fewer, because their hash has a secret key: the maximum only makes the bound certain.
 */
const searchedMaximum = 100;

export function createAnswerCache({
  keptMs = 60_000,
  maximumBytes = 256 * 1024 * 1024,
  chunkBytes = 1024 * 1024,
  clock = () => performance.now(),
}: AnswerCacheSettings = {}) {
  const chunkDoubles = chunkBytes / doubleBytes;
  const buckets = new Float64Array(bucketCount);
  const chunks: Chunk[] = [];
  /**
   * The number of the first chunk.
   * Positions, which count doubles, begin with chunk 1: 0 is not a position.
   */
  let firstChunk = 1;
  let answers = 0;
  /**
   * The memory of a dropped chunk, for the next one.
   * Large allocations make the garbage collector scan all memory.
   */
  let spare: Buffer | undefined;

  function dropOldest(): void {
    const dropped = chunks.shift();
    answers -= dropped?.answers ?? 0;
    spare = dropped?.bytes;
    firstChunk += 1;
  }

  function chunkWith(freeDoubles: number): Chunk {
    const last = chunks.at(-1);
    if (last && last.used + freeDoubles <= chunkDoubles) return last;
    if ((chunks.length + 1) * chunkBytes > maximumBytes) dropOldest();
    const bytes = spare ?? Buffer.allocUnsafeSlow(chunkBytes);
    spare = undefined;
    const chunk = { bytes, doubles: new Float64Array(bytes.buffer), used: 0, answers: 0, keptUntil: 0 };
    chunks.push(chunk);
    return chunk;
  }

  return {
    /** The answer that was added last with this id; undefined when it has expired. */
    find(id: string | number, hash: number): CachedAnswer | undefined {
      let position = buckets[hash & (bucketCount - 1)] ?? 0;
      for (let searched = 0; searched < searchedMaximum; searched += 1) {
        // Checked first: to read an element before an array's first one takes longer than the rest of a search.
        if (position < firstChunk * chunkDoubles) return undefined;
        const chunk = chunks[Math.floor(position / chunkDoubles) - firstChunk];
        if (!chunk) return undefined;
        const { doubles, bytes } = chunk;
        const at = position % chunkDoubles;
        if (doubles[at + head.hash] === hash) {
          const start = (at + headDoubles) * doubleBytes;
          const text = bytes.toString("utf8", start, start + (doubles[at + head.textBytes] ?? 0));
          const answer: Answer = JSON.parse(text);
          const { [at + head.fingerprint]: fingerprint = 0, [at + head.keptUntil]: keptUntil = 0 } = doubles;
          if (answer.id === id) return clock() < keptUntil ? { answer, text, fingerprint } : undefined;
        }
        position = doubles[at + head.older] ?? 0;
      }
      return undefined;
    },

    /** Adds an answer, as JSON with its id; `hash` is that of the id. */
    add(hash: number, fingerprint: number, text: string): void {
      const now = Math.ceil(clock());
      while (chunks[0] && chunks[0].keptUntil <= now) dropOldest();
      // A character takes three bytes at most: so half a surrogate pair.
      const doublesMaximum = headDoubles + Math.ceil((3 * text.length) / doubleBytes);
      if (doublesMaximum > chunkDoubles) return;
      const chunk = chunkWith(doublesMaximum);
      const { doubles, used } = chunk;
      const textBytes = chunk.bytes.write(text, (used + headDoubles) * doubleBytes);
      const bucket = hash & (bucketCount - 1);
      chunk.keptUntil = now + keptMs;
      doubles[used + head.older] = buckets[bucket] ?? 0;
      doubles[used + head.hash] = hash;
      doubles[used + head.fingerprint] = fingerprint;
      doubles[used + head.keptUntil] = chunk.keptUntil;
      doubles[used + head.textBytes] = textBytes;
      buckets[bucket] = (firstChunk + chunks.length - 1) * chunkDoubles + used;
      chunk.used += headDoubles + Math.ceil(textBytes / doubleBytes);
      chunk.answers += 1;
      answers += 1;
    },

    /** The number of answers kept. */
    size: () => answers,
  };
}

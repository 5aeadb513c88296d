/** What has been asked within the last minutes, by the ids of the requests. */
import type { WrittenAnswer } from "../repeated-requests.ts";

/**
 * What has been asked under an id. There may be half a million of them: of the request only a number is kept, and of the
 * answer only its text, since many small objects that stay for a minute cost the garbage collector more than all else does.
 */
export interface Asked {
  fingerprint: number;
  /** Undefined once there is an answer. */
  answering: Promise<WrittenAnswer> | undefined;
  text: string;
  /** For a wait: somebody asks for it, until their signal aborts. False when all who asked have given it up already. */
  joined: ((signal: AbortSignal | undefined) => boolean) | undefined;
}

/**
 * In two generations, so that they can be forgotten many at a time, which costs next to nothing: when the younger is full
 * or has lasted for `keptMs` it becomes the older, and what was the older is forgotten.
 */
export function recentlyAsked(keptMs: number, mostAnswers: number, mostCharacters: number) {
  let younger = new Map<string | number, Asked>();
  let older = new Map<string | number, Asked>();
  let characters = 0;
  let since = Number.NEGATIVE_INFINITY;

  function age(now: number): void {
    if (younger.size < mostAnswers && characters < mostCharacters && now - since < keptMs) return;
    older = now - since < 2 * keptMs ? younger : new Map();
    younger = new Map();
    characters = 0;
    since = now;
  }

  return {
    get(id: string | number, now: number): Asked | undefined {
      age(now);
      return younger.get(id) ?? older.get(id);
    },
    add(id: string | number, asked: Asked, now: number): void {
      age(now);
      younger.set(id, asked);
    },
    size: () => younger.size + older.size,
    written(text: string): void {
      characters += text.length;
    },
    forget(id: string | number, asked: Asked): void {
      for (const generation of [younger, older]) if (generation.get(id) === asked) generation.delete(id);
    },
  };
}

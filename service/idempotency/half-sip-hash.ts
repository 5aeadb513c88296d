/** The secret key of a hash: two 32-bit integers. */
export type HashKey = readonly [number, number];

/**
 * The 32-bit HalfSipHash-1-3 of a text's UTF-16 code units (little-endian).
 * A hash for tables whose keys clients choose (https://github.com/veorq/SipHash): without the secret key, no client can
 * construct texts with equal hashes or equal low bits. With FNV-1a clients can, whatever its start value.
 */
export function halfSipHash([key0, key1]: HashKey, text: string): number {
  let v0 = key0 | 0;
  let v1 = key1 | 0;
  let v2 = key0 ^ 0x6c796765;
  let v3 = key1 ^ 0x74656462;
  const { length } = text;
  const pairs = length >> 1;
  // A word is two code units; the last word is the remaining unit and the length in bytes.
  const lastWord = ((length << 1) << 24) | (length & 1 ? text.charCodeAt(length - 1) : 0);
  // After the last word come three rounds without one.
  for (let round = 0; round < pairs + 4; round += 1) {
    let word = 0;
    if (round < pairs) word = text.charCodeAt(2 * round) | (text.charCodeAt(2 * round + 1) << 16);
    else if (round === pairs) word = lastWord;
    else if (round === pairs + 1) v2 ^= 0xff;
    v3 ^= word;
    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);
    v0 ^= word;
  }
  return v1 ^ v3;
}

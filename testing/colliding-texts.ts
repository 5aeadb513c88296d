/**
 * The 2^blocks texts whose FNV-1a hashes over UTF-16 units have equal low 16 bits.
 * Under each start value: the differences of a block cancel each other.
 */
export function textsOfOneFnvBucket(blocks: number): string[] {
  let texts = [""];
  for (let block = 0; block < blocks; block += 1)
    texts = texts.flatMap((text) => [`${text}aa`, `${text}\u8061\u8061`]);
  return texts;
}

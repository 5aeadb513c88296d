/** The 32-bit FNV-1a hash of a text and a terminator, continuing a hash or seed. */
export function hashOf(before: number, text: string): number {
  let hash = before;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return Math.imul(hash ^ 0x0a, 0x01000193);
}

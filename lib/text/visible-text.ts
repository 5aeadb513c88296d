/** The characters that a text may have. */

/** Controls, and the two separators that break a line. */
export const control = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Invisible characters that change the direction of the text after them. */
export const directionControl = /[\u202a-\u202e\u2066-\u2069]/u;

/**
 * A text without invisible characters.
 * A title of joiners alone would be an invisible link.
 */
export function visible(value: string): string {
  return value.replace(/\p{Default_Ignorable_Code_Point}/gu, "").trim();
}

/** The reader's choice between the light and the dark colours. */

export const themes = ["light", "dark"] as const;

export type Theme = (typeof themes)[number];

/** The cookie with the reader's choice. */
export const themeCookie = "theme";

export function isTheme(value: unknown): value is Theme {
  return themes.some((theme) => theme === value);
}

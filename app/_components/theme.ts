/** The reader's choice between the light and the dark colours. */
import { cookies } from "next/headers";

export const themes = ["light", "dark"] as const;

export type Theme = (typeof themes)[number];

export const themeCookie = "theme";

export function isTheme(value: unknown): value is Theme {
  return themes.some((theme) => theme === value);
}

/** The choice in the request's cookie; undefined to follow the device. */
export async function chosenTheme(): Promise<Theme | undefined> {
  const chosen = (await cookies()).get(themeCookie)?.value;
  return isTheme(chosen) ? chosen : undefined;
}

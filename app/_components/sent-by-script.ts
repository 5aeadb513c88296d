import { headers } from "next/headers";

/**
 * Whether a script has sent the form being handled.
 * Without one, the browser shows the whole page that answers, and sends the form's state back with the next form.
 */
export async function isSentByScript(): Promise<boolean> {
  return (await headers()).has("next-action");
}

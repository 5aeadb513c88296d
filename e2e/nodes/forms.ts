/**
 * A browser without JavaScript.
 * Reads a form from a page and sends it, hidden fields and all.
 */
import type { Answer, Client } from "./http-client.ts";

/** A field as a form sends it. */
export type Field = [name: string, value: string];

/** The hidden fields of the form of a page with this text in it. */
export function hiddenFields(html: string, text: string): Field[] {
  const form = formsIn(html).find((each) => each.includes(text));
  if (form === undefined) throw new Error(`The page has no form with ${text}`);
  return hiddenIn(form);
}

/** The hidden fields of each form of a page. */
export function hiddenFieldsOfAll(html: string): Field[][] {
  return formsIn(html).map(hiddenIn);
}

function formsIn(html: string): string[] {
  return html.match(/<form\b.*?<\/form>/gs) ?? [];
}

function hiddenIn(form: string): Field[] {
  return (form.match(/<input\b[^>]*>/g) ?? [])
    .filter((input) => attribute(input, "type") === "hidden")
    .map((input): Field => [attribute(input, "name") ?? "", attribute(input, "value") ?? ""]);
}

/** Sends a page's form, from the site at `origin`. */
export function sendForm(
  client: Client,
  origin: string,
  path: string,
  cookie: string,
  fields: readonly (readonly [name: string, value: string])[],
): Promise<Answer> {
  const boundary = "----form";
  const parts = fields.map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return client.send(origin + path, {
    method: "POST",
    headers: {
      Cookie: cookie,
      Origin: origin,
      "Content-Type": `multipart/form-data; boundary=${boundary}`,
    },
    body: `${parts.join("")}--${boundary}--\r\n`,
  });
}

function attribute(tag: string, name: string): string | undefined {
  const [, value] = new RegExp(`\\s${name}="([^"]*)"`).exec(tag) ?? [];
  return value
    ?.replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

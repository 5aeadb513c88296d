/** A browser without JavaScript: reads a form from a page and sends it, hidden fields and all. */
import type { Answer, Client } from "./ask.ts";

/** What the form of a page with this text in it sends by itself, before it is filled in. */
export function hiddenFields(html: string, text: string): [name: string, value: string][] {
  const forms = html.match(/<form\b.*?<\/form>/gs) ?? [];
  const form = forms.find((each) => each.includes(text));
  if (form === undefined) throw new Error(`The page has no form with ${text}`);
  return (form.match(/<input\b[^>]*>/g) ?? [])
    .filter((input) => attribute(input, "type") === "hidden")
    .map((input) => [attribute(input, "name") ?? "", attribute(input, "value") ?? ""]);
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
  return client.ask(origin + path, {
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

/** Leaves the framework's scripts out of pages that have nothing to hydrate. */

const scriptFiles = /<script src="\/_next\/static\/[^>]*><\/script>|<link rel="preload" as="script"[^>]*>/g;
const inline =
  /<script nonce="([^"]*)"(?: id="_R_">|>(?:\(self\.__next_f=|self\.__next_f\.push\()).*?<\/script>/gs;

/**
 * A page's HTML without the framework's scripts.
 * The data that they hydrate the page from go, too.
 * Only elements with the page's nonce are removed: text that looks like one, in an attribute, stays.
 */
export function omitScripts(html: string, nonce: string): string {
  const attribute = ` nonce="${nonce}"`;
  return html
    .replace(scriptFiles, (element) => (element.includes(attribute) ? "" : element))
    .replace(inline, (element, itsNonce) => (itsNonce === nonce ? "" : element));
}

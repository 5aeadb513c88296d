/**
 * A tag of HTML as the renderer writes it.
 * Values are in double quotes, and may contain `>`.
 */
const tagPattern = /<[a-z][a-z0-9-]*(?:\s+[^\s="<>]+(?:="[^"]*")?)*\s*\/?>/gi;
const attributePattern = /(\s([^\s="<>]+)=")([^"]*)"/g;
const addressNames = ["href", "src"];
/** An address in a `srcset`, after the start or a comma. */
const candidatePattern = /(^|,\s+)(\S+)/g;
const absolutePattern = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;

/**
 * A post's sanitised HTML with absolute addresses.
 * For feed readers, which know no base; relative addresses are relative to the post's page.
 */
export function withAbsoluteAddresses(html: string, origin: string, path: string): string {
  const baseOf = (address: string) => {
    if (absolutePattern.test(address)) return "";
    if (address.startsWith("/")) return origin;
    if (address === "" || /^[#?]/.test(address)) return origin + path;
    return origin + path.slice(0, path.lastIndexOf("/") + 1);
  };
  const absolute = (name: string, value: string) => {
    if (addressNames.includes(name)) return baseOf(value) + value;
    if (name !== "srcset") return value;
    return value.replace(
      candidatePattern,
      (_, before: string, address: string) => before + baseOf(address) + address,
    );
  };
  return html.replace(tagPattern, (tag) =>
    tag.replace(
      attributePattern,
      (_, start: string, name: string, value: string) => `${start}${absolute(name, value)}"`,
    ),
  );
}

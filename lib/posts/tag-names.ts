/** The names in a form's field of tags, parted by commas of any script. */
export function tagNames(text: string): string[] {
  const names = text.split(/[,\u060C\u3001\uFF0C\n]/u).map((name) => name.trim());
  return [...new Set(names)].filter((name) => name !== "");
}

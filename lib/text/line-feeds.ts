/** A text whose lines end in "\n"; forms send CR LF. */
export function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

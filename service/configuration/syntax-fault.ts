/** Messages about text that is not JSON. */
import { createScanner, type ParseError, printParseErrorCode } from "jsonc-parser";

const inDoubleQuotes = 'texts and names stand in double quotes, as in "name"';
const messages: Record<string, string> = {
  InvalidNumberFormat: "this is not a number: write one such as 5 or 0.5",
  UnexpectedEndOfNumber: "this is not a number: write one such as 5 or 0.5",
  PropertyNameExpected: `a name is missing here: ${inDoubleQuotes}`,
  ValueExpected: "a value is missing here",
  ColonExpected: "a colon is missing between a name and its value",
  CommaExpected: "a comma is missing after this line's last value",
  CloseBraceExpected: "a closing } is missing at the end",
  CloseBracketExpected: "a closing ] is missing at the end",
  EndOfFileExpected: "there is more after the end of the configuration: take it away",
  UnexpectedEndOfComment: "this comment has no end: write */ after it",
  UnexpectedEndOfString: 'this text has no end: write " after it, in the same line',
  InvalidUnicode: "\\u takes four hexadecimal digits, as in \\u00e9",
  InvalidEscapeCharacter: "a backslash in a text is written \\\\",
  InvalidCharacter: "a text cannot hold this control character as it is: write \\t, or \\u and its number",
};

/**
 * The token that is missing after the one before.
 * The parser reports it at the next token, which may be lines further.
 */
const missing = new Set(["CommaExpected", "CloseBraceExpected", "CloseBracketExpected"]);

/** The fault, and its place in the text. */
export function syntaxFault(
  text: string,
  { error, offset, length }: ParseError,
): { offset: number; message: string } {
  const code = printParseErrorCode(error);
  const before = tokenBefore(text, offset);
  const next = text[offset] ?? "";
  if (before?.text === "," && (next === "}" || next === "]"))
    return { offset: before.offset, message: `the comma before ${next} is one too many` };
  if (code === "InvalidSymbol") {
    const word = text.slice(offset, offset + Math.min(length, 40));
    return {
      offset,
      message: `${word} is not JSON: ${inDoubleQuotes}; other values are numbers, true and false`,
    };
  }
  const at = missing.has(code) && before ? before.offset + before.text.length - 1 : offset;
  return { offset: at, message: messages[code] ?? "this is not JSON" };
}

/** The last whole token that ends at or before an offset. */
function tokenBefore(text: string, offset: number): { offset: number; text: string } | undefined {
  const scanner = createScanner(text, true);
  let last: { offset: number; text: string } | undefined;
  // The end of the text is a token of no length.
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    const start = scanner.getTokenOffset();
    const end = start + scanner.getTokenLength();
    if (end > offset) break;
    last = { offset: start, text: text.slice(start, end) };
  }
  return last;
}

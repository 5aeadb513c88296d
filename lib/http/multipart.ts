/** Forms as multipart/form-data: boundary, and bounds before a parser reads them. */

/** The most fields of a form; an import has two for each author. */
export const fieldsMaximum = 1_100;
/** The head of a part that may be large. */
const headMaximum = 1_024;

/** The boundary of a form with a file; undefined for another body. */
export function boundaryIn(contentType: string | null | undefined): string | undefined {
  const [, quoted, plain] =
    /^multipart\/form-data(?:;\s*charset=[\w-]+)?;\s*boundary=(?:"([^"\\]{1,70})"|([^\s;"]{1,70}))\s*$/i.exec(
      contentType ?? "",
    ) ?? [];
  return quoted ?? plain;
}

/** The field that may be large, and the maximum of all others together. */
interface FormBounds {
  largeField: string | undefined;
  otherBytes: number;
}

/**
 * The part that a form has too much of, found without parsing it.
 * A parser's work grows with fields and texts, and it works on the event loop.
 */
export function formExcess(
  form: Buffer,
  boundary: string,
  { largeField, otherBytes }: FormBounds,
): "fields" | "bytes" | undefined {
  const delimiter = Buffer.from(`\r\n--${boundary}`, "latin1");
  const first = delimiter.subarray(2);
  let begin = form.subarray(0, first.length).equals(first) ? first.length : 0;
  let others = 0;
  let hasLarge = false;
  for (let parts = 0; parts <= fieldsMaximum; parts += 1) {
    const end = form.indexOf(delimiter, begin);
    const part = form.subarray(begin, end < 0 ? form.length : end);
    if (!hasLarge && largeField !== undefined && isOf(largeField, part)) hasLarge = true;
    else others += part.length;
    if (others > otherBytes) return "bytes";
    if (end < 0) return undefined;
    begin = end + delimiter.length;
  }
  return "fields";
}

/**
 * Whether a part is the field `name` for every parser, as its head is plain.
 * A script's form has a number before the names (`1_file`).
 */
function isOf(name: string, part: Buffer): boolean {
  const head = part.toString("latin1", 0, headMaximum);
  const [, disposition = "", type = ""] = /^\r\n(.*)\r\n(?:(.*)\r\n)?\r\n/.exec(head) ?? [];
  const file = /(?:;[ \t]*filename\*?=(?:"[^"\\]*"|[^\s";]*))*$/.source;
  return (
    new RegExp(`^content-disposition:[ \\t]*form-data;[ \\t]*name="?(?:_?\\d+_)?${name}"?${file}`, "i").test(
      disposition,
    ) && /^(?:content-type:.*)?$/i.test(type)
  );
}

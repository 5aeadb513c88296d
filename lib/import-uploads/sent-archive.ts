/** The file of a sent form whose only field it is. */

/** The form is not such a one, or broke off. */
export class MalformedForm extends Error {
  override name = "MalformedForm";
}

const headMaximum = 16 * 1024;
const endOfHead = "\r\n\r\n";

/** The boundary of a form with a file; undefined for another body. */
export function boundaryIn(contentType: string | null): string | undefined {
  const [, quoted, plain] =
    /^multipart\/form-data;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))\s*$/i.exec(contentType ?? "") ?? [];
  return quoted ?? plain;
}

/** The bytes of the file, as they arrive. */
export async function* fileIn(body: AsyncIterable<Uint8Array>, boundary: string): AsyncGenerator<Buffer> {
  const end = Buffer.from(`\r\n--${boundary}--\r\n`);
  let held = Buffer.alloc(0);
  let isInFile = false;
  for await (const chunk of body) {
    held = Buffer.concat([held, chunk]);
    if (!isInFile) {
      const headEnd = held.indexOf(endOfHead);
      if (headEnd < 0 && held.length <= headMaximum) continue;
      const head = held.toString("latin1", 0, Math.max(0, headEnd));
      if (!head.startsWith(`--${boundary}\r\n`) || !/; filename="/i.test(head))
        throw new MalformedForm("The form does not begin with a file");
      held = held.subarray(headEnd + endOfHead.length);
      isInFile = true;
    }
    // The form's end is no part of the file.
    if (held.length <= end.length) continue;
    yield held.subarray(0, held.length - end.length);
    held = held.subarray(held.length - end.length);
  }
  if (!isInFile || !held.equals(end)) throw new MalformedForm("The form does not end with the file");
}

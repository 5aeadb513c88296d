/** Archives as they are sent: alone, or as a form's only field. */
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";

/** The form is not such a one, or broke off. */
export class MalformedForm extends Error {
  override name = "MalformedForm";
}

const headMaximum = 16 * 1024;
const endOfHead = "\r\n\r\n";

/** The bytes of a request, as they arrive; none where there is no body. */
export function bytesOf({ body }: Pick<Request, "body">): Readable {
  // The two types of streams are one, declared twice.
  return body ? Readable.fromWeb(body as ReadableStream<Uint8Array>) : Readable.from([]);
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
    // The form's end is not part of the file.
    if (held.length <= end.length) continue;
    yield held.subarray(0, held.length - end.length);
    held = held.subarray(held.length - end.length);
  }
  if (!isInFile || !held.equals(end)) throw new MalformedForm("The form does not end with the file");
}

/**
 * The CSV file of subscribers to save, which is read in parts.
 * Null for a HEAD request, which reads none.
 */
export function csvResponse(parts: AsyncGenerator<string> | null): Response {
  return new Response(parts && streamOf(parts), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": 'attachment; filename="subscribers.csv"',
      "Cache-Control": "no-store",
    },
  });
}

/** Reads the next part when the client has room for it. */
function streamOf(parts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}

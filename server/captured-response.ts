/** A response that is kept in memory instead of being sent. */
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";

/** A request without a client, as if it had been received. */
export function requestFor(url: string, headers: Record<string, string>): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.method = "GET";
  request.url = url;
  request.httpVersion = "1.1";
  request.headers = headers;
  request.complete = true;
  request.push(null);
  return request;
}

export class CapturedResponse extends ServerResponse {
  readonly #chunks: Buffer[] = [];
  readonly #ended = Promise.withResolvers<Buffer>();

  constructor(request: IncomingMessage) {
    super(request);
    // It may be destroyed before its reader waits for the body.
    this.#ended.promise.catch(() => {});
  }

  /** Resolves to the whole body; rejects when the response is destroyed instead. */
  get body(): Promise<Buffer> {
    return this.#ended.promise;
  }

  override write(chunk: unknown, encoding?: unknown, callback?: unknown): boolean {
    this.#keep(chunk, encoding);
    callLater(encoding, callback);
    return true;
  }

  override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
    if (this.finished) return this;
    this.#keep(typeof chunk === "function" ? undefined : chunk, encoding);
    this.finished = true;
    this.#ended.resolve(Buffer.concat(this.#chunks));
    callLater(chunk, encoding, callback);
    process.nextTick(() => {
      this.emit("finish");
      this.emit("close");
    });
    return this;
  }

  override flushHeaders(): void {
    if (!this.headersSent) this.writeHead(this.statusCode);
  }

  override destroy(error?: Error): this {
    if (this.destroyed || this.finished) return this;
    this.destroyed = true;
    this.#ended.reject(error ?? new Error("The response was destroyed"));
    process.nextTick(() => this.emit("close"));
    return this;
  }

  #keep(chunk: unknown, encoding: unknown): void {
    this.flushHeaders();
    if (typeof chunk === "string")
      this.#chunks.push(
        Buffer.from(
          chunk,
          typeof encoding === "string" && Buffer.isEncoding(encoding) ? encoding : undefined,
        ),
      );
    else if (chunk instanceof Uint8Array) this.#chunks.push(Buffer.from(chunk));
  }
}

function callLater(...candidates: unknown[]): void {
  const callback = candidates.find((each) => typeof each === "function");
  if (typeof callback === "function") process.nextTick(() => callback());
}

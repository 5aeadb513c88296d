/**
 * Faults that fail a browser test unless it expects them.
 * An error on the browser's console (a breach of the Content-Security-Policy is one), an exception in a page, an
 * answer of 400 or above that the test did not say would come.
 */
import type { BrowserContext } from "playwright/test";

export class Faults {
  readonly #found: string[] = [];
  readonly #expectedStatuses = new Set<number>();
  #expectsNoConnection = false;

  /** Declares that answers with this status are part of the test. */
  expectStatus(status: number): void {
    this.#expectedStatuses.add(status);
  }

  /** Declares that requests without any answer are part of the test. */
  expectNoConnection(): void {
    this.#expectsNoConnection = true;
  }

  /** Looks at every page of the context from now on. */
  watch(context: BrowserContext): void {
    context.on("console", (message) => {
      // The browser's own line about a failed request: the answer itself is checked below.
      const isFailedRequest =
        message.text().startsWith("Failed to load resource: the server responded with") ||
        (this.#expectsNoConnection && message.text().startsWith("Failed to load resource: net::"));
      if (message.type() === "error" && !isFailedRequest)
        this.#found.push(`console, on ${message.page()?.url()}: ${message.text()}`);
    });
    context.on("weberror", (error) => {
      this.#found.push(`exception, on ${error.page()?.url()}: ${error.error().stack}`);
    });
    context.on("response", (response) => {
      if (response.status() >= 400 && !this.#expectedStatuses.has(response.status()))
        this.#found.push(
          `${response.request().method()} ${response.url()} was answered ${response.status()}`,
        );
    });
  }

  /** Every fault seen, each a line. */
  get found(): readonly string[] {
    return this.#found;
  }
}

/** Requests a text's preview from the server. */

export interface Rendered {
  html: string;
  detectedLang: string | null;
}

export type PreviewAnswer =
  | { kind: "rendered"; rendered: Rendered }
  | { kind: "logged-out" | "refused" | "not-formatted" }
  /** To be requested again, when so many milliseconds have passed. */
  | { kind: "delayed" | "unreachable"; retryAfterMs: number };

const usualRetryMs = 5_000;

export async function requestPreview(content: string): Promise<PreviewAnswer> {
  try {
    const response = await fetch("/api/preview", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ content }),
    });
    if (response.ok) return { kind: "rendered", rendered: await response.json() };
    if (response.status === 401) return { kind: "logged-out" };
    if (response.status === 403) return { kind: "refused" };
    if (response.status === 422) return { kind: "not-formatted" };
    const seconds = Number(response.headers.get("Retry-After"));
    return { kind: "delayed", retryAfterMs: seconds > 0 ? seconds * 1_000 : usualRetryMs };
  } catch {
    return { kind: "unreachable", retryAfterMs: usualRetryMs };
  }
}

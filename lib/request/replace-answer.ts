/**
 * Replaces the framework's own answer to the current request.
 * Such as its bare server error.
 */
import type { ServerResponse } from "node:http";
import type { Problem } from "../http/problem.ts";
import { bareReply } from "../http/reply.ts";
import { unsentResponse } from "./current-request.ts";

/** Headers of the replaced answer that would describe the wrong body. */
const bodyHeaders = [
  "content-length",
  "content-encoding",
  "content-type",
  "etag",
  "link",
  "set-cookie",
  "location",
];

const replaced = new WeakSet<ServerResponse>();

/**
 * Sends the problem in place of the framework's answer.
 * The framework may still be rendering. A browser that shows a page gets `page`, if given. False when the head of
 * another answer has been sent.
 */
export function replaceAnswer(problem: Problem, page?: string): boolean {
  const response = unsentResponse();
  if (!response) return false;
  if (replaced.has(response)) return true;
  replaced.add(response);
  const { url = "/", headers: sent, method } = response.req;
  const reply = bareReply(problem, url);
  const isPage = page !== undefined && sent.accept?.includes("text/html") === true;
  const headers = isPage ? { ...reply.headers, "Content-Type": "text/html; charset=utf-8" } : reply.headers;
  const { writeHead, end } = response;
  response.writeHead = () => {
    for (const name of bodyHeaders) response.removeHeader(name);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    return Reflect.apply(writeHead, response, [problem.status]);
  };
  response.write = () => true;
  response.end = () => Reflect.apply(end, response, method === "HEAD" ? [] : [isPage ? page : reply.body]);
  return true;
}

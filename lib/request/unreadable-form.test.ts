import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { runWithRequest } from "./current-request.ts";
import { answerUnreadableForm, isMultipartPost } from "./unreadable-form.ts";

const next = "/srv/weir/node_modules/next/dist/compiled/next-server/app-page-turbo.runtime.prod.js:15:80738";

/** The response of a request whose action failed with an error with this stack. */
function failed(stack: string): { isAnswered: boolean; status: number } {
  const error = Object.assign(new Error("failed"), { stack: `Error: failed\n${stack}` });
  const request = Object.assign(new IncomingMessage(new Socket()), { method: "POST", url: "/login" });
  const response = new ServerResponse(request);
  const current = { id: "1", clientAddress: "192.0.2.1", locale: "en" as const, response };
  const isAnswered = runWithRequest(current, () => answerUnreadableForm(error));
  response.writeHead(500);
  return { isAnswered, status: response.statusCode };
}

test.each([
  ["decodes", `    at tY (${next})\n    at async m (/srv/weir/.next/server/chunks/ssr/a.js:1:2)`],
  ["parses JSON", `    at JSON.parse (<anonymous>)\n    at e (${next})`],
  ["runs without a name", `    at ${next}\n    at async t0 (${next})`],
])("an error of Next.js where it %s is a 400", (_, stack) =>
  expect(failed(stack)).toEqual({ isAnswered: true, status: 400 }),
);

test("an error of an action of ours stays a server error", () => {
  const stack = `    at logIn (/srv/weir/.next/server/chunks/ssr/a.js:1:2)\n    at async t0 (${next})`;
  expect(failed(stack)).toEqual({ isAnswered: false, status: 500 });
});

test.each([
  ["POST", "Multipart/Form-Data; boundary=x", true],
  ["POST", "text/plain", false],
  ["GET", "multipart/form-data; boundary=x", false],
  ["POST", undefined, false],
])("a %s with the type %s is a form of a browser without JavaScript: %s", (method, type, isForm) =>
  expect(isMultipartPost({ method, headers: { "content-type": type } })).toBe(isForm),
);

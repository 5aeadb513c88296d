import { expect, test } from "vitest";
import { localPath, logInPath, returnPath } from "./paths.ts";

const site = "https://blog.example";

test.each([
  "//evil.example",
  "//evil.example/x",
  "///evil.example",
  "/\\evil.example",
  "/\\/evil.example",
  "/\\\\evil.example",
  "\\\\evil.example",
  "/.//evil.example/x",
  "/./\\evil.example",
  "/.\\/evil.example",
  "/..//evil.example",
  "/../..//evil.example",
  "/a/..//evil.example",
  "/a/b/../..//evil.example",
  "/%2e//evil.example",
  "/%2E%2e//evil.example",
  "/a/%2e%2e//evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "/\r/evil.example",
  "/\t//evil.example",
  "/.\t//evil.example",
  "\t//evil.example",
  " //evil.example",
  "/.///evil.example",
  "//user@evil.example",
  "//evil.example:80",
  "//[::1]",
  "http://evil.example",
  "https:evil.example",
  "http:/evil.example",
  "javascript:alert(1)",
  "data:text/html,x",
  "evil.example",
  "?next=//evil.example",
  "",
])("the path %j after log-in stays on this site", (path) => {
  expect(new URL(localPath(path), site).origin).toBe(site);
  expect(localPath(path)).toBe("/");
});

test.each([[undefined], [["/posts/new", "/lab"]], [7]])("%j is not a path after log-in", (path) => {
  expect(localPath(path)).toBe("/");
});

test.each([
  ["/posts/new", "/posts/new"],
  ["/?page=2#ratings", "/?page=2#ratings"],
  ["/posts/caf%C3%A9", "/posts/caf%C3%A9"],
  ["/posts/%2F%2Fevil.example", "/posts/%2F%2Fevil.example"],
  ["/a//b", "/a//b"],
  ["/search?q=//evil.example", "/search?q=//evil.example"],
  ["/./posts", "/posts"],
])("the path %j after log-in leads to %j", (path, expected) => {
  expect(localPath(path)).toBe(expected);
});

test.each([
  ["/", "/"],
  ["/posts/caf%C3%A9?counted=all", "/posts/caf%C3%A9?counted=all"],
  ["/?sort=top&q=two+words&cursor=a", "/?sort=top&q=two+words&cursor=a"],
  ["/?q=&utm_source=x&q2=1", "/"],
  ["/posts/a-post?rating=saved.1.x&stars=4&_rsc=1", "/posts/a-post"],
  ["/login?next=%2Fposts%2Fa%3Fstars%3D4%23your-rating", "/posts/a?stars=4#your-rating"],
  ["/register?next=%2Fposts%2Fa&invitation=x", "/posts/a"],
  ["/login/code?next=/lab", "/lab"],
  ["/login?ended=x", "/"],
  ["/login?next=//evil.example", "/"],
  ["//evil.example/x", "/"],
  ["/.//evil.example", "/"],
  ["http://evil.example/x", "/"],
  ["*", "/"],
  [`/?q=${"a".repeat(2_000)}`, "/"],
])("the header of %j leads back to %j after log-in", (target, expected) => {
  expect(returnPath(target)).toBe(expected);
});

test("a log-in that leads to the front page needs no parameter", () => {
  expect(logInPath("/")).toBe("/login");
  expect(logInPath("/posts/a b")).toBe("/login?next=%2Fposts%2Fa%20b");
});

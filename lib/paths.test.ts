import { expect, test } from "vitest";
import { localPath } from "./paths.ts";

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

import { expect, test } from "vitest";
import { httpAddress, zeromqAddress } from "./addresses.ts";

test.each([
  ["tcp://127.0.0.1:7777", "tcp://127.0.0.1:7777", true],
  ["tcp://127.200.3.4:0", "tcp://127.200.3.4:0", true],
  ["tcp://localhost:7777", "tcp://127.0.0.1:7777", true],
  ["tcp://[::1]:7777", "tcp://[::1]:7777", true],
  ["tcp://[::ffff:127.0.0.1]:7777", "tcp://[::ffff:127.0.0.1]:7777", true],
  ["tcp://*:7777", "tcp://*:7777", false],
  ["tcp://0.0.0.0:7777", "tcp://0.0.0.0:7777", false],
  ["tcp://[::]:7777", "tcp://[::]:7777", false],
  ["tcp://eth0:7777", "tcp://eth0:7777", false],
  ["tcp://10.0.0.1:65535", "tcp://10.0.0.1:65535", false],
])("ZeroMQ's %s", (text, address, isLoopback) => {
  expect(zeromqAddress(text)).toEqual({ address, isLoopback });
});

test.each([
  ["127.0.0.1:7778", "127.0.0.1:7778", true],
  ["localhost:0", "127.0.0.1:0", true],
  ["[::1]:7778", "[::1]:7778", true],
  ["[::]:7778", "[::]:7778", false],
  ["limiter.example.org:80", "limiter.example.org:80", false],
  ["127.0.0.1.example.org:80", "127.0.0.1.example.org:80", false],
])("HTTP's %s", (text, address, isLoopback) => {
  expect(httpAddress(text)).toEqual({ address, isLoopback });
});

test.each([
  "",
  "127.0.0.1",
  ":7777",
  "::1:7777",
  "[1.2.3.4]:7777",
  "[::g]:7777",
  "127.0.0.1:65536",
  "127.0.0.1:-1",
  "127.0.0.1:x",
  "127.0.0:7777",
  "300.0.0.1:7777",
  "127.0.0.1:7777/path",
  "user@127.0.0.1:7777",
  "a b:7777",
])("refuses %j", (text) => {
  expect(httpAddress(text)).toBeUndefined();
  expect(zeromqAddress(`tcp://${text}`)).toBeUndefined();
});

test("parses the addresses of each protocol", () => {
  expect(httpAddress("*:7778")).toBeUndefined();
  expect(httpAddress("tcp://127.0.0.1:7778")).toBeUndefined();
  expect(zeromqAddress("127.0.0.1:7777")).toBeUndefined();
  expect(zeromqAddress("ipc:///tmp/limiter")).toBeUndefined();
});

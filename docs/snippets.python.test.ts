/** The documents' examples in Python, as they are printed, against a real service. */
import { afterAll, beforeAll, expect, test } from "vitest";
import findPythonZmq from "../scripts/find-python-zmq.mjs";
import { type LimiterService, startLimiterService } from "../testing/limiter-service.ts";
import { run, snippet } from "../testing/snippets.ts";

// Without it, `npm test` leaves this file out and reports so.
const python = findPythonZmq() ?? "";
const token = "correct-horse-battery-staple-1234";
const document = "docs/service.md";
const configuration = snippet(document, '"sign-in": { "algorithm"');
let service: LimiterService;
let withToken: LimiterService;

beforeAll(async () => {
  [service, withToken] = await Promise.all([
    startLimiterService({ configuration }),
    startLimiterService({ configuration, env: { LIMITER_TOKEN: token } }),
  ]);
});
afterAll(() => Promise.all([service?.stop(), withToken?.stop()]));

/** Runs lines whose sockets find the documents' address at another. */
async function output(address: string, ...lines: string[]): Promise<string> {
  const there = `import sys, zmq
connect = zmq.Socket.connect
zmq.Socket.connect = lambda socket, _: connect(socket, sys.argv[1])`;
  const { code, output, errors } = await run(python, ["-c", [there, ...lines].join("\n"), address]);
  expect({ code, errors }).toEqual({ code: 0, errors: "" });
  return output;
}

test("sends a request of one word, and gets an answer of one word", async () => {
  expect(await output(service.zmq, snippet(document, "may I?"))).toBe("go\n");
});

test("sends a request again under the same id", async () => {
  const sends =
    'print(send_request(zmq.Context(), {"policy": "sign-in", "key": "203.0.113.7"})["remaining"])';
  expect(await output(service.zmq, snippet(document, "def send_request("), sends)).toBe("9\n");
});

test("connects with a token", async () => {
  const before = `context = zmq.Context()
socket = context.socket(zmq.REQ)
token = "${token}"`;
  const after = `socket.connect("tcp://127.0.0.1:7777")
socket.send_string("may I?")
print(socket.recv_string())`;
  expect(await output(withToken.zmq, before, snippet(document, "def secret_key("), after)).toBe("go\n");
});

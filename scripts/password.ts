/**
 * Reads a password.
 * It is typed without echo on a terminal, otherwise it is all of standard input.
 */
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { Failure } from "../db/failure.ts";

/**
 * Resolves to the password, without the end of its line.
 * On a terminal it is typed twice.
 */
export async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, "");
  // The line editor, not the terminal, echoes typed characters, and its output is discarded. It exists before the first prompt.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const stopped = new Promise<never>((_resolve, reject) => {
    lines.once("SIGINT", () => reject(new Failure("Stopped: nothing was changed.")));
    lines.once("close", () => reject(new Failure("There was no password: nothing was changed.")));
  });
  stopped.catch(() => {}); // closing after the answers is not a failure
  const prompt = async (question: string) => {
    const answer = lines.question("");
    process.stderr.write(question);
    const password = await Promise.race([answer, stopped]);
    process.stderr.write("\n");
    return password;
  };
  try {
    const password = await prompt("Password: ");
    if (password !== (await prompt("The same again: ")))
      throw new Failure("The two are not the same: nothing was changed.");
    return password;
  } finally {
    lines.close();
  }
}

/** A password from whoever runs a command: typed unseen on a terminal, or else all that comes in on standard input. */
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { Failure } from "../db/failure.ts";

/** Resolves to the password, without the end of its line. On a terminal it is asked for twice. */
export async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, "");
  // The line editor, not the terminal, writes what is typed, and its output is nowhere. It is there before anybody is asked.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const stopped = new Promise<never>((_resolve, reject) => {
    lines.once("SIGINT", () => reject(new Failure("Stopped: nothing was changed.")));
    lines.once("close", () => reject(new Failure("There was no password: nothing was changed.")));
  });
  stopped.catch(() => {}); // when it closes after the answers, that is no failure
  const ask = async (question: string) => {
    const answer = lines.question("");
    process.stderr.write(question);
    const password = await Promise.race([answer, stopped]);
    process.stderr.write("\n");
    return password;
  };
  try {
    const password = await ask("Password: ");
    if (password !== (await ask("The same again: ")))
      throw new Failure("The two are not the same: nothing was changed.");
    return password;
  } finally {
    lines.close();
  }
}

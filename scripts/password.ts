/** A password from whoever runs a command: typed unseen on a terminal, or else all that comes in on standard input. */
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { Failure } from "../db/failure.ts";

/** Resolves to the password, without the end of its line. On a terminal it is asked for twice. */
export async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, "");
  const first = await ask("Password: ");
  if (first !== (await ask("The same again: ")))
    throw new Failure("The two are not the same: nothing was changed.");
  return first;
}

async function ask(question: string): Promise<string> {
  process.stderr.write(question);
  // The line editor writes what is typed to its output, which is nowhere.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  // Its end without a line is that of the terminal, or Ctrl-C.
  const stopped = new Promise<never>((_resolve, reject) => {
    lines.once("SIGINT", () => reject(new Failure("Stopped: nothing was changed.")));
    lines.once("close", () => reject(new Failure("There was no password: nothing was changed.")));
  });
  try {
    return await Promise.race([lines.question(""), stopped]);
  } finally {
    lines.close();
    process.stderr.write("\n");
  }
}

/** A Dockerfile as data, as far as ours goes. */
import { existsSync, readFileSync } from "node:fs";

export interface Stage {
  name: string;
  image: string;
  /** Each instruction but FROM, in order: its name and the rest, the lines joined. */
  instructions: { name: string; rest: string }[];
}

export interface Copy {
  /** The stage that it is taken from; undefined for the folder that the image is built from. */
  from: string | undefined;
  sources: string[];
  target: string;
}

/** @throws Error for a file that does not begin with FROM */
export function readDockerfile(file: string): Stage[] {
  const stages: Stage[] = [];
  const lines = readFileSync(file, "utf8")
    .replaceAll(/^\s*#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line.trim() !== "");
  for (const line of lines) {
    const [, name = "", rest = ""] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    const stage = stages.at(-1);
    if (name === "FROM") {
      const [image = "", , alias = ""] = rest.split(/\s+/);
      stages.push({ name: alias, image, instructions: [] });
    } else if (stage) stage.instructions.push({ name, rest });
    else throw new Error(`${file} does not begin with FROM`);
  }
  return stages;
}

/** What stands behind each instruction of this name. */
export function instructionsOf(stage: Stage, name: string): string[] {
  return stage.instructions.filter((instruction) => instruction.name === name).map(({ rest }) => rest);
}

/** The one instruction of this name. @throws Error when there is none, or more than one */
export function theOne(stage: Stage, name: string): string {
  const [only, ...others] = instructionsOf(stage, name);
  if (only === undefined || others.length > 0) throw new Error(`The stage should have one ${name}`);
  return only;
}

export function copiesOf(stage: Stage): Copy[] {
  return instructionsOf(stage, "COPY").map((rest) => {
    const words = rest.split(/\s+/);
    const paths = words.filter((word) => !word.startsWith("--"));
    const from = words.find((word) => word.startsWith("--from="))?.slice("--from=".length);
    return { from, sources: paths.slice(0, -1), target: paths.at(-1) ?? "" };
  });
}

/** The stage's variables; a value is one word. */
export function environmentOf(stage: Stage): Record<string, string> {
  return Object.fromEntries(
    instructionsOf(stage, "ENV").flatMap((rest) =>
      rest.split(/\s+/).map((word): [string, string] => {
        const [name = "", ...value] = word.split("=");
        return [name, value.join("=")];
      }),
    ),
  );
}

/** Whether `.dockerignore` keeps a path of the project out of what the image is built from: the last match decides. */
export function isIgnored(path: string, ignoreFile: string): boolean {
  if (!existsSync(ignoreFile)) return false;
  const parts = path.split("/");
  const itAndItsFolders = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
  let ignored = false;
  for (const line of readFileSync(ignoreFile, "utf8").split("\n")) {
    const pattern = line.replace(/^!/, "").trim();
    if (pattern === "" || line.startsWith("#")) continue;
    if (itAndItsFolders.some((part) => ignorePattern(pattern).test(part))) ignored = !line.startsWith("!");
  }
  return ignored;
}

/** Unlike in other places, a star stands for a leading dot too. */
function ignorePattern(pattern: string): RegExp {
  const parts: Record<string, string> = { "**/": "(?:.*/)?", "*": "[^/]*", "?": "[^/]", ".": "\\." };
  return new RegExp(`^${pattern.replaceAll(/\*\*\/|[*?.]/g, (part) => parts[part] ?? part)}$`);
}

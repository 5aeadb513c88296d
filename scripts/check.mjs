/** `npm run check`: lint, format and types. Both run even when the first fails. */
import { installPackages } from "./install.mjs";
import { runNode } from "./node-runtime.mjs";
import { main } from "./step.mjs";

await main(async () => {
  await installPackages();
  // The types of the routes (`PageProps<"/posts/[slug]">`), which tsc cannot do without.
  const typegen = await runNode(["node_modules/next/dist/bin/next", "typegen"], { capture: true });
  if (typegen.code !== 0) console.error(typegen.output);
  const biome = await runNode(["node_modules/@biomejs/biome/bin/biome", "check", "."]);
  const types = await runNode(["node_modules/typescript/bin/tsc", "--noEmit"]);
  return [typegen, biome, types].some(({ code }) => code !== 0) ? 1 : 0;
});

/**
 * Loaded with `--import`: resolves drizzle-orm's modules without its package.json.
 *
 * For each ES module Node.js 24 and 26 parse the package.json of the package around it, and drizzle-orm's has 179 kB. Its
 * 144 modules took more than half of a command's start. The files found are the same.
 */
import module from "node:module";

const folder = "/node_modules/drizzle-orm/";

/** Of the names that other packages import, such as "drizzle-orm/pg-core". */
const found = new Map();

// Older Node.js, which runs npm itself, has no hooks.
module.registerHooks?.({
  resolve(specifier, context, next) {
    const { parentURL = "", conditions } = context;
    if (!conditions.includes("import")) return next(specifier, context);
    if (specifier.startsWith("drizzle-orm")) {
      const result = found.get(specifier) ?? { ...next(specifier, context), shortCircuit: true };
      found.set(specifier, result);
      return result;
    }
    if (!/^\.\.?\/.*\.js$/.test(specifier) || !parentURL.includes(folder) || !parentURL.endsWith(".js"))
      return next(specifier, context);
    return { url: new URL(specifier, parentURL).href, format: "module", shortCircuit: true };
  },
});

/**
 * Checks the settings and migrates the database.
 *
 * Prints nothing when both are in order, and one line that names a bad setting or the fault. Sends port and host to a
 * parent process that opened a channel.
 */
try {
  const { env, SettingsError } = await import("../lib/settings/env.ts");
  await import("../lib/limits/index.ts"); // for its checks of the setting LIMITS
  const { isPostgresUrl, isUnavailable, openDatabase } = await import("../db/index.ts");
  try {
    await (await openDatabase(env.DATABASE_URL)).close();
  } catch (error) {
    if (isPostgresUrl(env.DATABASE_URL) && isUnavailable(error))
      throw new SettingsError(`PostgreSQL at DATABASE_URL cannot be used: ${String(error)}`);
    if (!isAboutTheFile(error)) throw error;
    throw new SettingsError(`Bad setting. DATABASE_URL: ${error.message} (it is "${env.DATABASE_URL}")`);
  }
  process.send?.({ port: env.PORT, host: env.HOST });
} catch (error) {
  console.error(isForOperator(error) ? error.message : error);
  process.exitCode = 1;
}

// By its name: where the module that defines SettingsError throws one, its class cannot be imported.
function isForOperator(error: unknown): error is Error {
  return error instanceof Error && ["SettingsError", "Failure"].includes(error.name);
}

/**
 * Whether the file is at fault: no such folder, no permission, no database.
 * A failed migration, in contrast, is a fault of Weir.
 */
function isAboutTheFile(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  return /^(SQLITE_(CANTOPEN|NOTADB|READONLY)|E[A-Z]+$)/.test(code);
}

export {}; // a module, for its top-level await

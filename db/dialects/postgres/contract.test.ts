import { beforeAll, onTestFinished } from "vitest";
import { patientTimeouts, sharedPostgres } from "../../../testing/postgres-server.ts";
import { databaseContract } from "../../contract.ts";
import { openPostgres } from "./index.ts";

let server: Awaited<ReturnType<typeof sharedPostgres>>;
beforeAll(async () => {
  server = await sharedPostgres();
});

databaseContract("PostgreSQL", async () => {
  const database = await openPostgres(await server.newMigratedDatabase(), { timeouts: patientTimeouts });
  onTestFinished(() => database.close());
  return database;
});

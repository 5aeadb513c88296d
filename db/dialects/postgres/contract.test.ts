import { afterAll, beforeAll, onTestFinished } from "vitest";
import { type PostgresServer, startPostgres } from "../../../testing/postgres-server.ts";
import { databaseContract } from "../../contract.ts";
import { openPostgres } from "./index.ts";

let server: PostgresServer;
let migrated: string;
beforeAll(async () => {
  server = await startPostgres();
  migrated = await server.newDatabase();
  await (await openPostgres(migrated)).close();
});
afterAll(() => server.stop());

databaseContract("PostgreSQL", async () => {
  const database = await openPostgres(await server.newDatabase(migrated));
  onTestFinished(() => database.close());
  return database;
});

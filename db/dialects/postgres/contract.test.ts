import { afterAll, beforeAll, onTestFinished } from "vitest";
import { type PostgresServer, startPostgres } from "../../../testing/postgres-server.ts";
import { databaseContract } from "../../contract.ts";
import { openPostgres } from "./index.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

databaseContract("PostgreSQL", async () => {
  const database = await openPostgres(await server.newDatabase());
  onTestFinished(() => database.close());
  return database;
});

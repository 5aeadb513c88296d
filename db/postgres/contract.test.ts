import { afterAll, beforeAll, onTestFinished } from "vitest";
import { type PostgresServer, startPostgres } from "../../testing/postgres-server.ts";
import { databaseContract } from "../contract.ts";
import { openPostgres } from "./index.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
}, 120_000);
afterAll(() => server.stop(), 120_000);

databaseContract("PostgreSQL", async () => {
  const database = await openPostgres(await server.newDatabase());
  onTestFinished(() => database.close());
  return database;
});

import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "sqlite",
  schema: "./db/dialects/sqlite/schema.ts",
  out: "./db/migrations/sqlite",
});

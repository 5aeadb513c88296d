import { temporaryDatabase } from "../../../testing/database.ts";
import { databaseContract } from "../../contract.ts";

databaseContract("SQLite", async () => temporaryDatabase());

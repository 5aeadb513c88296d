/** Sends the due mails of a database: its address, and that of the mail server. */
import { openDatabase } from "../db/index.ts";
import { sendDueMails } from "../lib/mail/sender.ts";
import { morning } from "./content.ts";
import { mailSettings } from "./mail-settings.ts";
import { patientTimeouts } from "./postgres-server.ts";
import { clientOf } from "./smtp-server.ts";

const [, , url = "", server = ""] = process.argv;
const database = await openDatabase(url, { timeouts: patientTimeouts });
await sendDueMails({ database, server: clientOf(server), mail: mailSettings, clock: () => morning });
await database.close();

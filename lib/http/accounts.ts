/** Accounts as the API shows them. */
import { z } from "zod";

export const accountAnswer = z.object({ username: z.string() });

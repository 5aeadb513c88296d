/** The schema of an account in the JSON API. */
import { z } from "zod";

export const accountAnswer = z.object({ username: z.string() });

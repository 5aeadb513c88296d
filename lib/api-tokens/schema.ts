import { z } from "zod";
import { currentPassword } from "../users/schema.ts";
import { line } from "../validation.ts";
import { apiScopes, lifetimes } from "./scopes.ts";

export const tokenNameMaximum = 60;

export const apiTokenSchema = z.object({
  name: line("Name", 1, tokenNameMaximum),
  scopes: z
    .array(z.enum(apiScopes, `A scope is one of ${apiScopes.join(", ")}.`), "Choose what the token may do.")
    .min(1, "Choose what the token may do.")
    .transform((chosen) => apiScopes.filter((scope) => chosen.includes(scope))),
  lifetime: z.enum(lifetimes, "Choose how long the token is good."),
  currentPassword,
});

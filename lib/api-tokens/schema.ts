import { z } from "zod";
import { translator } from "../i18n/index.ts";
import { currentPassword } from "../users/schema.ts";
import { line } from "../validation.ts";
import { apiScopes, lifetimes } from "./scopes.ts";

const tokenNameMaximum = 60;

const chooseScopes = () => translator("validation")("token.scopes");

export const apiTokenSchema = z.object({
  name: line("name", 1, tokenNameMaximum),
  scopes: z
    .array(z.enum(apiScopes, { error: chooseScopes }), { error: chooseScopes })
    .min(1, { error: chooseScopes })
    .transform((chosen) => apiScopes.filter((scope) => chosen.includes(scope))),
  lifetime: z.enum(lifetimes, { error: () => translator("validation")("token.lifetime") }),
  currentPassword,
});

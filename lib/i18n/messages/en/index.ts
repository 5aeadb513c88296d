/** The English messages, by namespace. */
import { account } from "./account.ts";
import { activity } from "./activity.ts";
import { admin } from "./admin.ts";
import { adminPeople } from "./adminPeople.ts";
import { adminSystem } from "./adminSystem.ts";
import { client } from "./client.ts";
import { errors } from "./errors.ts";
import { figures } from "./figures.ts";
import { flood } from "./flood.ts";
import { home } from "./home.ts";
import { lab } from "./lab.ts";
import { layout } from "./layout.ts";
import { limits } from "./limits.ts";
import { logIn } from "./logIn.ts";
import { mail } from "./mail.ts";
import { post } from "./post.ts";
import { profile } from "./profile.ts";
import { prose } from "./prose.ts";
import { rating } from "./rating.ts";
import { refusal } from "./refusal.ts";
import { register } from "./register.ts";
import { scores } from "./scores.ts";
import { siteSettings } from "./siteSettings.ts";
import { validation } from "./validation.ts";
import { writing } from "./writing.ts";

export const en = {
  account,
  activity,
  admin,
  adminPeople,
  adminSystem,
  client,
  errors,
  figures,
  flood,
  home,
  lab,
  layout,
  limits,
  logIn,
  mail,
  post,
  profile,
  prose,
  rating,
  refusal,
  register,
  scores,
  siteSettings,
  validation,
  writing,
};

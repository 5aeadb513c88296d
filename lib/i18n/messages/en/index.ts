/** The English messages, by namespace. */
import { account } from "./account.ts";
import { activity } from "./activity.ts";
import { admin } from "./admin.ts";
import { adminPeople } from "./adminPeople.ts";
import { adminSystem } from "./adminSystem.ts";
import { archive } from "./archive.ts";
import { client } from "./client.ts";
import { editor } from "./editor.ts";
import { emails } from "./emails.ts";
import { errors } from "./errors.ts";
import { figures } from "./figures.ts";
import { flood } from "./flood.ts";
import { home } from "./home.ts";
import { importing } from "./importing.ts";
import { lab } from "./lab.ts";
import { layout } from "./layout.ts";
import { limits } from "./limits.ts";
import { logIn } from "./logIn.ts";
import { mail } from "./mail.ts";
import { media } from "./media.ts";
import { post } from "./post.ts";
import { privacy } from "./privacy.ts";
import { problems } from "./problems.ts";
import { profile } from "./profile.ts";
import { prose } from "./prose.ts";
import { rating } from "./rating.ts";
import { reading } from "./reading.ts";
import { refusal } from "./refusal.ts";
import { register } from "./register.ts";
import { scores } from "./scores.ts";
import { siteSettings } from "./siteSettings.ts";
import { validation } from "./validation.ts";
import { webhooks } from "./webhooks.ts";
import { welcome } from "./welcome.ts";
import { writing } from "./writing.ts";

export const en = {
  account,
  activity,
  admin,
  adminPeople,
  adminSystem,
  archive,
  client,
  editor,
  emails,
  errors,
  figures,
  flood,
  home,
  importing,
  lab,
  layout,
  limits,
  logIn,
  mail,
  media,
  post,
  privacy,
  problems,
  profile,
  prose,
  rating,
  reading,
  refusal,
  register,
  scores,
  siteSettings,
  validation,
  webhooks,
  welcome,
  writing,
};

import { getUser } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { logInPath, ownPostsPath, registerPath, returnPath } from "@/lib/paths";
import { isDecider } from "@/lib/ratings/decisions/deciders";
import { requestTarget } from "@/lib/request/current-request";
import { siteImages, siteSettings } from "@/lib/site";
import type { User } from "@/lib/users";
import { mayWrite } from "@/lib/users/writers";
import { EndSessionForm } from "./end-session-form";
import { FloodNotice } from "./flood-notice";
import { logOut } from "./log-out";
import { SiteLogo } from "./site-logo";
import { StaticPart } from "./static-part";

export async function SiteHeader() {
  const user = await getUser();
  const t = translator("layout");
  const whoMayWrite = siteSettings().WHO_MAY_WRITE;
  const next = returnPath(requestTarget());
  const { SITE_LOGO, SITE_LOGO_DARK } = siteImages();
  const logo = SITE_LOGO ?? SITE_LOGO_DARK;
  return (
    <>
      <header
        // On a phone, the links of administrators and moderators may need a line of their own.
        className={`mx-auto flex w-full max-w-[44rem] flex-wrap justify-between gap-x-4 gap-y-2 border-b border-hairline py-4 ${logo ? "items-center" : "items-baseline"}`}
      >
        {logo ? (
          <a href="/" className={homeClassName}>
            <SiteLogo light={logo} dark={SITE_LOGO_DARK ?? logo} className="max-sm:max-w-32" />
          </a>
        ) : (
          <StaticPart
            as="a"
            href="/"
            className={homeClassName}
            of={MarkAndName}
            items={[{ name: siteSettings().SITE_NAME }]}
          />
        )}
        <nav
          aria-label={t("siteNavigation")}
          className="flex max-w-full items-baseline gap-4 text-[0.9375rem] whitespace-nowrap sm:gap-6"
        >
          {user ? (
            <>
              <StaticPart
                as="div"
                className="contents"
                of={UserLinks}
                items={[
                  {
                    name: user.username,
                    writing: mayWrite(user, whoMayWrite)
                      ? "allowed"
                      : whoMayWrite === "approved"
                        ? "on-request"
                        : "no",
                    role: user.isAdministrator ? "admin" : isDecider(user) ? "moderation" : null,
                  },
                ]}
              />
              <LogOut user={user} />
            </>
          ) : (
            <>
              <a href={logInPath(next)}>{t("logIn")}</a>
              {siteSettings().REGISTRATION !== "closed" && <a href={registerPath(next)}>{t("register")}</a>}
            </>
          )}
        </nav>
      </header>
      {user && <FloodNotice user={user} />}
    </>
  );
}

const homeClassName =
  "flex min-w-0 items-baseline gap-2 font-reading text-xl font-semibold text-ink hover:no-underline";

function MarkAndName({ name }: { name: string }) {
  return (
    <>
      <Mark />
      <bdi className="min-w-0 break-words">{name}</bdi>
    </>
  );
}

interface UserLinksProps {
  name: string;
  /** Whether the user writes, or may request it. */
  writing: "allowed" | "on-request" | "no";
  role: "admin" | "moderation" | null;
}

function UserLinks({ name, writing, role }: UserLinksProps) {
  const t = translator("layout");
  return (
    <>
      {writing === "allowed" && (
        <>
          <a href="/posts/new">{t("write")}</a>
          {/* On a phone, the page that writes a post has this link. */}
          <a href={ownPostsPath} className="max-sm:hidden">
            {t("ownPosts")}
          </a>
        </>
      )}
      {/* On a phone, the account page has this link. */}
      {writing === "on-request" && (
        <a href="/posts/new" className="max-sm:hidden">
          {t("requestToWrite")}
        </a>
      )}
      {role && <a href="/admin">{t(role)}</a>}
      <a href="/account" className="min-w-0 truncate">
        <span className="sr-only">{t("yourAccount")} </span>
        <bdi>{name}</bdi>
      </a>
    </>
  );
}

/** Ends the session; on pages without the framework's scripts by `public/form.js`. */
function LogOut({ user }: { user: User }) {
  return (
    <div
      id="log-out"
      data-user={user.id}
      data-question={translator("client")("discardUnsaved")}
      className="whitespace-normal"
    >
      <EndSessionForm action={logOut} userId={user.id}>
        <button type="submit" className="link-button whitespace-nowrap">
          {translator("layout")("logOut")}
        </button>
      </EndSessionForm>
    </div>
  );
}

/** The logo: water over a sill. */
function Mark() {
  return (
    <svg viewBox="0 0 24 24" className="size-6 shrink-0 self-center text-water" aria-hidden="true">
      <path
        d="M2 8h9c3.5 0 3.5 9 7 9h4M2 13h6v8M2 21h20"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

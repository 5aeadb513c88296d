import { translator } from "@/lib/i18n";
import { siteSettings } from "@/lib/site";
import { welcomePath } from "@/lib/site/welcome";
import type { User } from "@/lib/users";
import { mayWrite } from "@/lib/users/writers";

interface FirstStepsProps {
  user: User | null;
  hasAccounts: boolean;
  /** Whether the user is an administrator who has not set up the site yet. */
  isToSetUp: boolean;
}

/** The front page of an empty blog. */
export function FirstSteps({ user, hasAccounts, isToSetUp }: FirstStepsProps) {
  const t = translator("home");
  const whoMayWrite = siteSettings().WHO_MAY_WRITE;
  if (user && !mayWrite(user, whoMayWrite))
    return (
      <div className="py-8">
        <p className="page-title">{t("empty.title")}</p>
        <p className="mt-4 max-w-prose text-quiet">{t("empty.reader")}</p>
      </div>
    );
  const step = user ? "write" : hasAccounts ? "logIn" : "register";
  const steps = {
    write: { text: t("empty.write"), button: t("empty.writeButton"), path: "/posts/new" },
    logIn: {
      text: t(whoMayWrite === "anyone" ? "empty.logIn" : "empty.logInWriters"),
      button: t("empty.logInButton"),
      path: "/login?next=/posts/new",
    },
    register: {
      text: t("empty.register"),
      button: t("empty.registerButton"),
      path: "/register",
    },
  };
  const { text, button, path } = steps[step];
  return (
    <div className="py-8">
      <p className="page-title">{t("empty.title")}</p>
      <p className="mt-4 max-w-prose text-quiet">{text}</p>
      <a href={path} className="button button-primary mt-6">
        {button}
      </a>
      {isToSetUp && (
        <p className="mt-6">
          <a href={welcomePath}>{t("empty.setUp")}</a>
        </p>
      )}
      {step === "register" && (
        <p className="mt-8 max-w-prose text-sm text-quiet">
          {t.rich("empty.demo", {
            code: (command) => (
              <code dir="ltr" className="whitespace-nowrap">
                {command}
              </code>
            ),
          })}
        </p>
      )}
    </div>
  );
}

export function NothingFound({ search }: { search: string }) {
  return (
    <p className="border-y border-hairline py-8 text-quiet">
      {translator("home").rich("nothingFound", {
        search: () => <bdi className="font-medium text-ink">{search}</bdi>,
      })}
    </p>
  );
}

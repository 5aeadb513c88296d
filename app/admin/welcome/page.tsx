import { forbiddenPage } from "@/app/_components/no-page";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { isPost } from "@/lib/request/current-request";
import { refreshSiteSettings } from "@/lib/site";
import { isNewSite, welcomePath } from "@/lib/site/welcome";
import { administratorAt } from "../frame";
import { WelcomeForm } from "./welcome-form";

export function generateMetadata() {
  return { title: translator("welcome")("title"), robots: { index: false } };
}

/** The first administrator sets up the site; later visits lead to the settings. */
export default async function WelcomePage() {
  const user = await administratorAt(welcomePath);
  if (!user) return forbiddenPage();
  const context = app();
  // Another node may have saved them a moment ago.
  await refreshSiteSettings(context.database);
  const t = translator("welcome");
  // A form that was sent without JavaScript comes back, also when another administrator has saved meanwhile.
  const isShown = isPost() || (await isNewSite(context));
  return (
    <>
      <h1 className="page-title">{t("title")}</h1>
      {isShown ? (
        <>
          <p className="mt-3 max-w-prose text-quiet">{t("intro")}</p>
          <WelcomeForm />
        </>
      ) : (
        <p className="mt-6 max-w-prose">
          {t.rich("done", { link: (chunks) => <a href="/admin/settings">{chunks}</a> })}
        </p>
      )}
    </>
  );
}

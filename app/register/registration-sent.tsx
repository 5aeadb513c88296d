import { translator } from "@/lib/i18n";

/** After a registration that the link in an email completes. */
export function RegistrationSent() {
  const t = translator("register");
  return (
    <div className="max-w-sm">
      <h1 className="page-title">{t("sent.title")}</h1>
      <p role="status" className="mt-3">
        {t("sent.text")}
      </p>
      <p className="mt-3 text-quiet">
        {t.rich("sent.help", { link: (text) => <a href="/register">{text}</a> })}
      </p>
    </div>
  );
}

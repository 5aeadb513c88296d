import { clientTexts } from "@/lib/i18n";
import { conventions } from "@/lib/i18n/locale";
import { currentLocale, scriptNonce } from "@/lib/request/current-request";

/**
 * The script of forms on a page without the framework's scripts.
 * It does nothing where those are there (`public/form.js`).
 */
export function FormScript() {
  const locale = currentLocale();
  const texts = clientTexts(locale);
  return (
    <script
      src="/form.js"
      async
      nonce={scriptNonce()}
      data-locale={conventions[locale]}
      data-kept={texts.nothingLost}
      data-unreachable={texts.unreachable}
      data-failed={texts.serverFailed}
      data-updated={texts.siteUpdated}
      data-logged-out={texts.loggedOut}
      data-log-in-label={texts.logIn}
      data-retry-in={texts.retryIn}
      data-retry-now={texts.retryNow}
    />
  );
}

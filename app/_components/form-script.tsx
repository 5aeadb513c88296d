import { clientTexts } from "@/lib/i18n";
import { conventions } from "@/lib/i18n/locale";
import { currentLocale, scriptNonce } from "@/lib/request/current-request";

/**
 * Loads the script of forms when a form of the footer is sent.
 * On the page that is loaded again, too, if there are changes to restore. Other visitors' pages stay without it.
 */
const loadWhenNeeded = `{
  const { dataset } = document.currentScript;
  let isLoading, sent;
  const load = () => {
    isLoading = true;
    const script = document.createElement("script");
    script.src = "/form.js";
    Object.assign(script.dataset, dataset);
    script.onload = () => {
      isLoading = false;
      sent?.target.requestSubmit(sent.submitter);
      sent = null;
    };
    script.onerror = () => {
      isLoading = false;
      script.remove();
      const message = document.createElement("p");
      message.className = "text-sm text-wrong";
      message.role = "alert";
      message.append(dataset.unreachable);
      sent?.target.querySelector("[role=alert]")?.remove();
      sent?.target.append(message);
      sent = null;
    };
    document.head.append(script);
  };
  const isLoaded = () => document.querySelector("script[src='/form.js']");
  addEventListener("submit", (event) => {
    if (!event.target.closest("footer") || (isLoaded() && !isLoading)) return;
    event.preventDefault();
    sent = event;
    if (!isLoading) load();
  });
  try {
    if (sessionStorage.getItem("weir-changes") && !isLoaded()) load();
  } catch {}
}`.replaceAll(/\n\s*/g, "");

/**
 * The script of forms (`public/form.js`).
 * Where the framework's scripts are, it sends those of the footer alone.
 */
export function FormScript({ isLoadedWhenNeeded = false }: { isLoadedWhenNeeded?: boolean }) {
  const locale = currentLocale();
  const texts = clientTexts(locale);
  const withKept = (text: string) => text.replace("{kept}", texts.nothingLost);
  const attributes = {
    nonce: scriptNonce(),
    "data-locale": conventions[locale],
    "data-unreachable": withKept(texts.unreachable),
    "data-failed": withKept(texts.serverFailed),
    // The footer's forms need no more.
    ...(!isLoadedWhenNeeded && {
      "data-updated": withKept(texts.siteUpdated),
      "data-logged-out": withKept(texts.loggedOut),
      "data-log-in-label": texts.logIn,
      "data-retry-in": texts.retryIn,
      "data-retry-now": texts.retryNow,
    }),
  };
  if (!isLoadedWhenNeeded) return <script src="/form.js" async {...attributes} />;
  return (
    <script
      // The browser hides the nonce.
      suppressHydrationWarning
      {...attributes}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the script above
      dangerouslySetInnerHTML={{ __html: loadWhenNeeded }}
    />
  );
}

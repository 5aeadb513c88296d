/**
 * Sends the forms of pages that have no other scripts. Without this one the browser sends them itself.
 * The page, and what was typed into it, stays until the server has answered.
 */
const texts = document.currentScript.dataset;

addEventListener("submit", async (event) => {
  const form = event.target;
  const isOurs = form instanceof HTMLFormElement && form.method === "post" && form.closest("main");
  if (self.__next_f || !isOurs) return;
  event.preventDefault();
  if (form.ariaBusy === "true" || isFileTooLarge(form)) return;
  const button = event.submitter;
  const body = new FormData(form, button);
  const free = occupy(form, button);
  let answer;
  let html;
  try {
    // The address of the next page, in place of a redirect, which the browser would follow.
    answer = await fetch(form.action, { method: "POST", body, headers: { Prefer: "return=minimal" } });
    html = await answer.text();
  } catch {
    free();
    show(form, texts.unreachable);
    return;
  }
  if (answer.status === 204) {
    // The page may come back by the browser's Back.
    addEventListener("pagehide", free, { once: true });
    const next = new URL(answer.headers.get("Location"), location.href);
    if (next.pathname === location.pathname) keepTyped(form);
    goTo(next);
    return;
  }
  free();
  const main = new DOMParser().parseFromString(html, "text/html").querySelector("main");
  const logIn = main?.querySelector("[data-log-in]");
  if (logIn) show(form, texts.loggedOut, logIn.href);
  else if (main && answer.status < 500) takeOver(form, main);
  else show(form, textOf(answer.status));
});

/** Of an answer without a page: another build's, a failure, or a proxy's. */
function textOf(status) {
  if (status < 500) return texts.updated;
  return status === 500 ? texts.failed : texts.unreachable;
}

/** A larger file would be refused before the server reads the form. */
function isFileTooLarge(form) {
  const field = [...form.querySelectorAll("[data-maximum-bytes]")].find(
    ({ files, dataset }) => files[0]?.size > Number(dataset.maximumBytes),
  );
  if (field) {
    show(form, field.dataset.tooLarge);
    field.focus();
  }
  return field !== undefined;
}

/** Marks a form as being sent; returns how to end that. */
function occupy(form, button) {
  const label = button ? [...button.childNodes] : [];
  form.ariaBusy = "true";
  if (button?.dataset.pending) {
    button.ariaDisabled = "true";
    button.replaceChildren(button.dataset.pending);
  }
  return () => {
    form.ariaBusy = null;
    if (!button?.dataset.pending) return;
    button.ariaDisabled = "false";
    button.replaceChildren(...label);
  };
}

function goTo(next) {
  if (next.pathname + next.search !== location.pathname + location.search) return location.assign(next);
  // Only another fragment would not load the page again.
  history.replaceState(null, "", next);
  location.reload();
}

const typedKey = "weir-typed";
const textFields = () =>
  [...document.querySelectorAll("main :is(textarea, input[type=text], input[type=email])")].filter(
    ({ form }) => form?.method === "post",
  );

/** Keeps texts that were typed into other forms than the sent one, while the page loads again. */
function keepTyped(sent) {
  const typed = textFields().filter(
    ({ form, value, defaultValue }) => form !== sent && value !== defaultValue,
  );
  if (typed.length === 0) return;
  try {
    const values = Object.fromEntries(typed.map(({ name, value }) => [name, value]));
    sessionStorage.setItem(typedKey, JSON.stringify(values));
  } catch {
    // A browser that stores nothing keeps no texts.
  }
}

/** Writes kept texts into their fields, where the page still has them. */
function restoreTyped() {
  try {
    const values = JSON.parse(sessionStorage.getItem(typedKey) ?? "{}");
    sessionStorage.removeItem(typedKey);
    for (const field of textFields()) {
      const value = values[field.name];
      if (value === undefined || document.getElementsByName(field.name).length > 1) continue;
      field.value = value;
      field.closest("details")?.setAttribute("open", "");
    }
  } catch {
    // A browser that stores nothing has kept none.
  }
}
if (document.readyState === "loading") addEventListener("DOMContentLoaded", restoreTyped);
else restoreTyped();

const statusOf = (form) => form.querySelector(":scope > [role=status]");

/** Shows a message about the form as a whole, with a link to log in. */
function show(form, text, logIn) {
  const message = document.createElement("p");
  message.className = "text-sm text-wrong";
  message.append(text.replace("{kept}", texts.kept));
  if (logIn) {
    const link = document.createElement("a");
    link.href = logIn;
    link.target = "_blank";
    link.append(texts.logIn);
    message.append(" ", link);
  }
  statusOf(form).replaceChildren(message);
}

/** Takes over the answer to a form: the form with its errors, or else the page's content. */
function takeOver(form, nextMain) {
  const main = document.querySelector("main");
  const forms = [...main.querySelectorAll("form")];
  const nextForms = [...nextMain.querySelectorAll("form")];
  const next = nextForms.length === forms.length ? nextForms[forms.indexOf(form)] : undefined;
  const hasErrors = next && (next.querySelector("[aria-invalid=true]") || statusOf(next)?.textContent);
  if (hasErrors) return takeOverForm(form, next);
  keepTyped(form);
  main.replaceChildren(...nextMain.childNodes);
  restoreTyped();
  main.querySelector("[autofocus]")?.focus();
}

/** The element of its messages stays: assistive technology reads out what changes in it. */
function takeOverForm(form, next) {
  const passwords = next.dataset.keepsPasswords === undefined ? [] : form.querySelectorAll("[type=password]");
  const button = [...form.querySelectorAll("button")].indexOf(document.activeElement);
  const status = statusOf(form);
  const nextStatus = statusOf(next);
  const children = [...next.childNodes];
  const place = children.indexOf(nextStatus);
  while (form.firstChild !== status) form.firstChild.remove();
  while (form.lastChild !== status) form.lastChild.remove();
  status.before(...children.slice(0, place));
  status.after(...children.slice(place + 1));
  status.replaceChildren(...nextStatus.childNodes);
  for (const { name, value } of passwords) form.elements[name].value = value;
  const focused = form.querySelector("[aria-invalid=true]") ?? form.querySelectorAll("button")[button];
  focused?.focus();
  countDown(form.querySelector("[data-retry-after-ms]"));
}

/** Counts down to the retry, as `app/_components/refusal.tsx` does with React. */
function countDown(place) {
  if (!place) return;
  const end = performance.now() + Number(place.dataset.retryAfterMs);
  const timer = setInterval(() => {
    const seconds = Math.ceil((end - performance.now()) / 1_000);
    if (seconds > 0) place.firstElementChild.textContent = texts.retryIn.replace("{wait}", waitText(seconds));
    else place.textContent = texts.retryNow;
    if (seconds <= 0 || !place.isConnected) clearInterval(timer);
  }, 250);
}

function waitText(seconds) {
  const [unit, length] = seconds < 120 ? ["second", 1] : seconds < 7_200 ? ["minute", 60] : ["hour", 3_600];
  const count = Math.ceil(seconds / length);
  return count.toLocaleString(texts.locale, { style: "unit", unit, unitDisplay: "long" });
}

/**
 * Sends the forms of pages that have no other scripts, and those in the footer of every page.
 * The page, and what was typed into it, stays until the server has answered.
 */
const texts = document.currentScript.dataset;
/** A form whose next page is slow can be sent again after this time. */
const busyMaximumMs = 10_000;

addEventListener("submit", async (event) => {
  const form = event.target;
  if (event.defaultPrevented) return;
  // The browser sends it.
  if (!isHandled(form)) return markSent(form);
  event.preventDefault();
  const logOut = form.closest("#log-out");
  const busy = document.querySelector("form[aria-busy=true]");
  if (logOut ? busy === form : busy || isFileTooLarge(form)) return;
  if (logOut && hasUnsaved(logOut, busy) && !confirm(logOut.dataset.question)) return;
  if (logOut && busy) {
    // The browser sends it: the answer to the other form would leave the page first.
    stop();
    removeTexts(logOut);
    return form.submit();
  }
  const button = event.submitter;
  const body = new FormData(form, button);
  const release = setBusy(form, button);
  let answer;
  let html;
  try {
    // The next page's address in place of a redirect. Not for an archive: its upload may take longer than the server
    // waits for a page.
    const headers = form.matches("main [action^='/']") ? {} : { Prefer: "return=minimal" };
    answer = await fetch(form.action, { method: "POST", body, headers });
    html = await answer.text();
  } catch {
    release();
    // Logging out may have ended it.
    if (leaveReason() !== "logged-out") showMessage(form, texts.unreachable);
    return;
  }
  const next = answer.redirected ? answer.url : answer.status === 204 && answer.headers.get("Location");
  if (next) {
    markSent(form);
    if (logOut) removeTexts(logOut);
    // The page may come back by the browser's Back, or stay.
    addEventListener("pagehide", release, { once: true });
    setTimeout(release, busyMaximumMs);
    goTo(new URL(next, location.href), form);
    return;
  }
  release();
  const main = new DOMParser().parseFromString(html, "text/html").querySelector("main");
  const logIn = main?.querySelector("a[data-log-in]");
  if (logIn) showMessage(form, texts.loggedOut, logIn.href);
  else if (main && answer.status < 500) showResponse(form, main);
  else showMessage(form, failureOf(answer));
});

/**
 * Where the framework's scripts are, they send the page's forms.
 * Logging out removes texts from the browser also before they have run.
 */
function isHandled(form) {
  const isOfPage = form.closest(self.__next_f ? "#log-out" : "main, #log-out") && statusOf(form);
  return form.method === "post" && (isOfPage || form.closest("footer"));
}

/** Removes the unsaved texts of the user that logs out. */
function removeTexts(logOut) {
  // First, so that the editor does not store its text again.
  leaveWithoutQuestion("logged-out");
  for (const key of textsOf(logOut)) localStorage.removeItem(key);
}

/** The storage keys of the unsaved texts of the user that logs out. */
function textsOf({ dataset: { user } }) {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(`weir-text:${user}:`));
  } catch {
    // A browser that stores nothing.
    return [];
  }
}

/** For a response without a page of the site. */
function failureOf({ status, headers }) {
  if (headers.has("x-nextjs-action-not-found")) return texts.updated;
  return status > 500 ? texts.unreachable : texts.failed;
}

/** A larger file would be refused before the server reads the form. */
function isFileTooLarge(form) {
  const field = [...form.querySelectorAll("[data-maximum-bytes]")].find(
    ({ files, dataset }) => files[0]?.size > Number(dataset.maximumBytes),
  );
  if (field) {
    showMessage(form, field.dataset.tooLarge);
    field.focus();
  }
  return field !== undefined;
}

/** Marks a form as being sent; returns how to end that. */
function setBusy(form, button) {
  const label = button ? [...button.childNodes] : [];
  const fields = [...form.querySelectorAll("input, textarea")].filter(({ readOnly }) => !readOnly);
  const setReadOnly = (readOnly) => {
    for (const field of fields) field.readOnly = readOnly;
  };
  form.ariaBusy = "true";
  setReadOnly(true);
  if (button?.dataset.pending) {
    button.ariaDisabled = "true";
    button.replaceChildren(button.dataset.pending);
  }
  return () => {
    if (form.ariaBusy === null) return;
    form.ariaBusy = null;
    setReadOnly(false);
    if (!button?.dataset.pending) return;
    button.ariaDisabled = "false";
    button.replaceChildren(...label);
  };
}

function goTo(next, sent) {
  if (next.pathname === location.pathname && !hasDescriptions() && storeChanges(next, changesBeside(sent)))
    leaveWithoutQuestion("kept");
  if (next.pathname + next.search !== location.pathname + location.search) return location.assign(next);
  // Another fragment alone would not load the page. A reload keeps the place; after `replaceState` it sends no form.
  history.replaceState(null, "", next);
  location.reload();
}

/**
 * Leaves the page without a confirmation, also by the editor (`app/posts/unsaved-text.tsx`).
 * After logging out the editor stores no text for a while.
 */
function leaveWithoutQuestion(reason) {
  const { dataset } = document.documentElement;
  const end = () => delete dataset.left;
  dataset.left = reason;
  if (reason === "logged-out") return setTimeout(end, busyMaximumMs);
  // Input means that the page has stayed.
  for (const type of ["pagehide", "input"]) addEventListener(type, end, { once: true });
}

const changesKey = "weir-changes";
const fields = () =>
  [
    ...document.querySelectorAll(
      "main :is(textarea, select, input:not([type=hidden], [type=password], [type=file]))[name]",
    ),
  ].filter(({ form }) => form);

const isBox = ({ type }) => type === "checkbox" || type === "radio";
/** A field among those of its page: boxes of one group differ by their values. */
const keyOf = (field) => (isBox(field) ? `${field.name}=${field.value}` : field.name);
const choiceOf = (field) => (isBox(field) ? field.checked : field.value);

/** Also where the page shows a refused value. */
function savedValueOf(field) {
  const { dataset, options, defaultValue, defaultChecked } = field;
  if (isBox(field)) return dataset.saved ? dataset.saved === "true" : defaultChecked;
  if (dataset.saved !== undefined) return dataset.saved;
  if (!options) return defaultValue;
  return ([...options].find(({ defaultSelected }) => defaultSelected) ?? options[0])?.value;
}

const isChanged = (field) => choiceOf(field) !== savedValueOf(field);

/**
 * The changes in other forms than the sent one.
 * Of fields with one name, such as those of a list, only when the page itself does not change.
 */
function changesBeside(sent) {
  const all = fields();
  return all
    .filter((field) => field.form !== sent && isChanged(field))
    .map((field) => {
      const key = keyOf(field);
      const same = all.filter((each) => keyOf(each) === key);
      return { key, place: same.indexOf(field), count: same.length, value: choiceOf(field) };
    })
    .filter(({ count }) => count === 1 || sent.closest("footer"));
}

/** Makes changes again, in fields that the page still has. */
function applyChanges(changes) {
  const all = fields();
  for (const { key, place, count, value } of changes) {
    const same = all.filter((each) => keyOf(each) === key);
    const field = same[place];
    if (same.length !== count || typeof value !== typeof choiceOf(field)) continue;
    if (field.options && ![...field.options].some((option) => option.value === value)) continue;
    field[isBox(field) ? "checked" : "value"] = value;
    field.closest("details")?.setAttribute("open", "");
  }
}

/** Keeps changes while the page loads again; false when the browser stores nothing. */
function storeChanges({ pathname }, changes) {
  if (changes.length === 0) return true;
  try {
    sessionStorage.setItem(changesKey, JSON.stringify({ pathname, changes }));
    return true;
  } catch {
    return false;
  }
}

/** Makes the kept changes again, except in fields that were changed meanwhile. */
function restoreChanges() {
  try {
    const stored = JSON.parse(sessionStorage.getItem(changesKey));
    sessionStorage.removeItem(changesKey);
    if (stored?.pathname === location.pathname) applyChanges(stored.changes.filter(isUntouched));
  } catch {
    // A browser that stores nothing.
  }
}

/** Whether a field, or its group of radio buttons, is as the page has it. */
function isUntouched({ key, place }) {
  const all = fields();
  const field = all.filter((each) => keyOf(each) === key)[place];
  const isOfGroup = (each) => each.type === "radio" && each.form === field.form && each.name === field.name;
  return field !== undefined && !all.some((each) => (each === field || isOfGroup(each)) && isChanged(each));
}

/** Whether the editor has descriptions of images outside of the text. */
const hasDescriptions = () => [...document.querySelectorAll("main [data-unsent]")].some(({ value }) => value);

/** Whether a text was changed; one that is being sent is read-only. */
function isUnsent(field) {
  const { form, readOnly, value, dataset } = field;
  const isKept = [savedValueOf(field), dataset.sent].some((text) => text?.trim() === value.trim());
  return form?.method === "post" && !readOnly && !isKept;
}

/** Whether logging out loses a text or a file. */
const hasUnsaved = (logOut, busy) =>
  busy?.querySelector("textarea, [type=file]") || hasUnsent() || textsOf(logOut).length > 0;

const hasUnsent = () => [...document.querySelectorAll("main textarea")].some(isUnsent) || hasDescriptions();

/** Leaving needs no confirmation for a sent text. */
function markSent(form) {
  for (const field of form.querySelectorAll("textarea")) field.dataset.sent = field.value;
}

const leaveReason = () => document.documentElement.dataset.left;

function confirmLeaving(event) {
  if (leaveReason() === undefined && hasUnsent()) event.preventDefault();
}

/** Only once there is a text: the listener may make the browser's Back load the page again. */
const confirmFromNowOn = () => addEventListener("beforeunload", confirmLeaving);

addEventListener("input", ({ target }) => {
  if (target.matches("main :is(textarea, [data-unsent])")) confirmFromNowOn();
});

function start() {
  restoreChanges();
  // Text may have been typed before this script was loaded.
  if (hasUnsent()) confirmFromNowOn();
}
if (document.readyState === "loading") addEventListener("DOMContentLoaded", start);
else start();

const statusOf = (form) => form.querySelector(":scope > [role=status]");

/** Shows a message about the form; visitors' pages lack the rarer texts. */
function showMessage(form, text, logIn) {
  const message = document.createElement("p");
  message.className = "text-sm text-wrong";
  message.append(text ?? texts.failed);
  if (logIn && texts.logInLabel) {
    const link = document.createElement("a");
    link.href = logIn;
    link.target = "_blank";
    link.append(texts.logInLabel);
    message.append(" ", link);
  }
  const status = statusOf(form);
  if (status) return status.replaceChildren(message);
  message.role = "alert";
  form.querySelector("[role=alert]")?.remove();
  form.append(message);
}

/** Shows the response to a form: the form with its errors, or else the page's content. */
function showResponse(form, nextMain) {
  const main = document.querySelector("main");
  const forms = [...main.querySelectorAll("form")];
  const nextForms = [...nextMain.querySelectorAll("form")];
  const next = nextForms.length === forms.length ? nextForms[forms.indexOf(form)] : undefined;
  const hasErrors = next && (next.querySelector("[aria-invalid=true]") || statusOf(next)?.textContent);
  if (hasErrors) return replaceForm(form, next);
  const changes = changesBeside(form);
  main.replaceChildren(...nextMain.childNodes);
  applyChanges(changes);
  const heading = main.querySelector("h1");
  if (heading) heading.tabIndex = -1;
  (main.querySelector("[autofocus]") ?? heading)?.focus({ preventScroll: true });
}

const controlsOf = (form) => [...form.querySelectorAll("input:not([type=hidden]), textarea, select, button")];

/**
 * Replaces a form's content by the next one, which has its errors.
 * The element of its messages stays, so that changes in it are read out. So do chosen files.
 */
function replaceForm(form, next) {
  const passwords = next.dataset.keepsPasswords === undefined ? [] : form.querySelectorAll("[type=password]");
  const files = [...form.querySelectorAll("[type=file]")];
  const focused = controlsOf(form).indexOf(document.activeElement);
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
  for (const old of files) {
    const field = form.elements[old.name];
    if (field?.ariaInvalid !== "true") field.files = old.files;
  }
  (form.querySelector("[aria-invalid=true]") ?? controlsOf(form)[focused])?.focus();
  countDown(form.querySelector("[data-retry-after-ms]"));
}

/** Counts down to the retry, as `app/_components/refusal.tsx` does with React. */
function countDown(place) {
  if (!place || !texts.retryIn) return;
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

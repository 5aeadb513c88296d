/**
 * Logging out on a page that has no other scripts.
 * As on all others, removes the user's unsaved texts from the browser, after a confirmation. Without this one the
 * browser sends the form itself.
 */
addEventListener("submit", async (event) => {
  const form = event.target;
  const place = document.getElementById("log-out");
  if (self.__next_f || !(form instanceof HTMLFormElement) || !place?.contains(form)) return;
  const texts = textsOf(place.dataset.user);
  if (texts.length === 0) return;
  event.preventDefault();
  if (!confirm(place.dataset.question)) return;
  try {
    const answer = await fetch(form.action, { method: "POST", body: new FormData(form) });
    if (!answer.redirected) throw new Error(`The answer was ${answer.status}`);
    for (const key of texts) localStorage.removeItem(key);
    location.assign(answer.url);
  } catch {
    form.submit();
  }
});

/** The storage keys of a user's unsaved texts. */
function textsOf(user) {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(`weir-text:${user}:`));
  } catch {
    // A browser that stores nothing has no texts.
    return [];
  }
}

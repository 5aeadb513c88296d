/** The script of a post's page, which works without it, too. */

/* Keeps a visitor on the page until the server has answered the choice of stars. */
addEventListener("submit", async (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.id !== "visitor-stars") return;
  event.preventDefault();
  if (form.ariaBusy === "true") return;
  form.ariaBusy = "true";
  const failure = form.querySelector("[role=status]");
  if (failure) failure.textContent = "";
  try {
    const body = new URLSearchParams({ score: event.submitter?.getAttribute("value") ?? "" });
    const answer = await fetch(form.action, { method: "POST", body });
    if (!answer.redirected) throw new Error(`The answer was ${answer.status}`);
    location.assign(answer.url);
  } catch {
    if (failure) failure.textContent = form.dataset.failure ?? "";
  } finally {
    form.ariaBusy = null;
  }
});

/* Shows the buttons to copy and to share the post's link, where the browser can, in place of the link. */
function showShareButtons() {
  for (const button of document.querySelectorAll("#share button"))
    button.hidden = !(button.value === "copy" ? navigator.clipboard : navigator.share);
  const link = document.querySelector("#share a");
  if (link) link.hidden = document.querySelector("#share button:not([hidden])") !== null;
}
if (document.readyState === "loading") addEventListener("DOMContentLoaded", showShareButtons);
else showShareButtons();

addEventListener("click", async ({ target }) => {
  const button = target instanceof Element && target.closest("#share button");
  const place = document.getElementById("share");
  if (!button || !place) return;
  const link = place.querySelector("a");
  const url = link.href;
  try {
    if (button.value === "share") return await navigator.share({ title: place.dataset.title, url });
    await navigator.clipboard.writeText(url);
    place.querySelector("[role=status]").textContent = place.dataset.copied;
  } catch {
    // The reader has changed their mind, or the browser refuses.
    link.hidden = false;
  }
});

/**
 * Keeps a visitor on a post's page until the server has answered the choice of stars.
 * The page has no other script. Without this one the browser sends the form itself.
 */
addEventListener("submit", async (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.id !== "visitor-stars") return;
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

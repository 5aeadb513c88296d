/** Copies lines by their buttons, which are shown where the browser has a clipboard: with https, and on localhost. */
if (navigator.clipboard) document.documentElement.dataset.copies = "";

addEventListener("click", async ({ target }) => {
  const button = target instanceof Element && target.closest("[data-copied]");
  if (!button) return;
  await navigator.clipboard.writeText(button.previousElementSibling.value);
  button.textContent = button.dataset.copied;
});

addEventListener("focusin", ({ target }) => {
  if (target instanceof HTMLInputElement && target.readOnly) target.select();
});

/** Copies lines by their buttons, which are shown where the browser has a clipboard: with https, and on localhost. */
if (navigator.clipboard) document.documentElement.dataset.copies = "";

addEventListener("click", async ({ target }) => {
  const button = target instanceof Element && target.closest("[data-copied]");
  if (!button) return;
  const line = button.previousElementSibling;
  try {
    await navigator.clipboard.writeText(line.value);
    button.textContent = button.dataset.copied;
  } catch {
    // The browser refuses: the line is selected, to be copied by hand.
    line.focus();
  }
});

addEventListener("focusin", ({ target }) => {
  if (target instanceof HTMLInputElement && target.readOnly) target.select();
});

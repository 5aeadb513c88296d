/** Sends the form of a hidden field once with this value. */
export function submitWith(field: HTMLInputElement, value: unknown): void {
  field.value = JSON.stringify(value);
  field.form?.requestSubmit();
  field.value = "";
}

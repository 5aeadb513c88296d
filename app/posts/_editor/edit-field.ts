/** Edits in a text area: by a tool, and by the keyboard. */
import type { EditorTexts } from "./editor-texts";
import { continueLine, type Edit, type Selected, withBlock } from "./markdown-edits";
import { type EditingTool, shortcuts } from "./tool-names";
import { editOf } from "./tools";

/** Makes a tool's edit, which the browser can undo; none while the form is sent. */
export function applyTool(field: HTMLTextAreaElement, tool: EditingTool, texts: EditorTexts): void {
  if (!field.readOnly) applyEdit(field, editOf(tool, selectionOf(field), texts));
}

/** Puts an image beneath the line of the caret; the focus stays where it is. */
export function insertImage(field: HTMLTextAreaElement, markdown: string): void {
  const focused = document.activeElement;
  applyEdit(field, withBlock(selectionOf(field), markdown));
  const isElsewhere = focused !== document.body && focused?.isConnected && !focused.closest(".editor-images");
  if (isElsewhere && focused instanceof HTMLElement) focused.focus();
}

/** Listens to images that are pasted or dropped; returns a function to stop. */
export function listenToImages(field: HTMLTextAreaElement, onImages: (files: File[]) => void): () => void {
  const take = (event: Event, data: DataTransfer | null) => {
    // Other files, too: they are refused in words, where the browser would open them in place of the page.
    const files = [...(data?.files ?? [])];
    if (files.length === 0) return;
    // While the form is sent, none is taken, and none opened.
    if (field.readOnly) return event.preventDefault();
    // Some programs copy a picture of a text beside the text.
    if (data?.types.includes("text/plain")) return;
    event.preventDefault();
    onImages(files);
  };
  const onPaste = (event: ClipboardEvent) => take(event, event.clipboardData);
  const onDrop = (event: DragEvent) => take(event, event.dataTransfer);
  // Without this nothing can be dropped.
  const onDragOver = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  };
  field.addEventListener("paste", onPaste);
  field.addEventListener("drop", onDrop);
  field.addEventListener("dragover", onDragOver);
  return () => {
    field.removeEventListener("paste", onPaste);
    field.removeEventListener("drop", onDrop);
    field.removeEventListener("dragover", onDragOver);
  };
}

/** Listens to shortcuts and to Enter; returns a function to stop. */
export function listenToKeys(field: HTMLTextAreaElement, texts: EditorTexts): () => void {
  let isShiftDown = false;
  const onKeyDown = (event: KeyboardEvent) => {
    isShiftDown = event.shiftKey;
    const tool = toolOfKey(event);
    if (!tool) return;
    event.preventDefault();
    applyTool(field, tool, texts);
  };
  // Not by the key: phones often do not name it.
  const onBeforeInput = (event: InputEvent) => {
    if (event.inputType !== "insertLineBreak" || event.isComposing || isShiftDown) return;
    const edit = continueLine(selectionOf(field));
    if (!edit) return;
    event.preventDefault();
    applyEdit(field, edit);
  };
  field.addEventListener("keydown", onKeyDown);
  field.addEventListener("beforeinput", onBeforeInput);
  return () => {
    field.removeEventListener("keydown", onKeyDown);
    field.removeEventListener("beforeinput", onBeforeInput);
  };
}

function toolOfKey({
  key,
  code,
  ctrlKey,
  metaKey,
  altKey,
  shiftKey,
}: KeyboardEvent): EditingTool | undefined {
  if (ctrlKey === metaKey || altKey || shiftKey) return undefined;
  // By the place of the key where its letter is of another script.
  const letter = /^[a-z]$/i.test(key) ? key.toUpperCase() : code.replace(/^Key/, "");
  return shortcuts[letter];
}

function selectionOf({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): Selected {
  return { text: value, start: selectionStart, end: selectionEnd };
}

function applyEdit(field: HTMLTextAreaElement, { from, to, insert, start, end }: Edit): void {
  const edited = field.value.slice(0, from) + insert + field.value.slice(to);
  field.focus();
  // A text that is hidden behind its preview takes no focus, and another field must not get the edit.
  if (document.activeElement === field) {
    field.setSelectionRange(from, to);
    // Deprecated, but the only way that the browser's undo knows.
    if (insert === "") document.execCommand("delete");
    else document.execCommand("insertText", false, insert);
  }
  if (field.value !== edited) {
    field.value = edited;
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }
  field.setSelectionRange(start, end);
}

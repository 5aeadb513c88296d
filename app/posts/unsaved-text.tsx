"use client";

import { useEffect, useRef, useState } from "react";
import { type Draft, readDraft, removeDraft, saveDraft } from "@/app/_components/drafts";
import { useFormPending } from "@/app/_components/form";

/** A pause in typing after which the draft is saved. */
const pauseMs = 300;

export interface SavedText {
  title: string;
  content: string;
  /** Its last change; 0 for a new post. */
  updatedAt: number;
}

/**
 * Saves the enclosing form's text as a draft in the browser, and restores it.
 *
 * The draft is put into the form unless the post was changed meanwhile or the form has new text: then it is offered.
 * Leaving the page with unsaved changes asks for a confirmation.
 */
export function UnsavedText({ draftKey, saved }: { draftKey: string; saved: SavedText }) {
  const place = useRef<HTMLDivElement>(null);
  const [found, setFound] = useState<{ draft: Draft; isInForm: boolean } | null>(null);
  const [isStored, setIsStored] = useState(true);
  const isPending = useFormPending();
  const pending = useRef(isPending);
  useEffect(() => {
    pending.current = isPending;
  });
  const { title, content, updatedAt } = saved;

  useEffect(() => {
    const form = place.current?.closest("form");
    if (!form) return;
    const isUnchanged = () => isSame(textIn(form), { title, content });
    const draft = readDraft(draftKey, Date.now());
    if (draft && !isSame(draft, { title, content }) && !isSame(draft, textIn(form))) {
      const isInForm = isUnchanged() && draft.basedOn === updatedAt;
      if (isInForm) putInto(form, draft);
      setFound({ draft, isInForm });
    }

    let timer: ReturnType<typeof setTimeout> | undefined;
    const save = () => {
      if (timer === undefined) return;
      clearTimeout(timer);
      timer = undefined;
      // The text being sent has its draft, which must not come back once it is saved.
      if (pending.current) return saveSoon();
      if (isUnchanged()) removeDraft(draftKey);
      else setIsStored(saveDraft(draftKey, { ...textIn(form), at: Date.now(), basedOn: updatedAt }));
    };
    const saveSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(save, pauseMs);
    };
    const confirmLeaving = (event: BeforeUnloadEvent) => {
      if (!pending.current && !isUnchanged()) event.preventDefault();
    };
    // Text may have been typed before the page's scripts ran.
    if (!isUnchanged()) saveSoon();
    form.addEventListener("input", saveSoon);
    form.addEventListener("submit", save);
    addEventListener("pagehide", save);
    document.addEventListener("visibilitychange", save);
    addEventListener("beforeunload", confirmLeaving);
    return () => {
      // A form that is left while it is sent has been saved.
      if (!pending.current) save();
      clearTimeout(timer);
      form.removeEventListener("input", saveSoon);
      form.removeEventListener("submit", save);
      removeEventListener("pagehide", save);
      document.removeEventListener("visibilitychange", save);
      removeEventListener("beforeunload", confirmLeaving);
    };
  }, [draftKey, title, content, updatedAt]);

  const put = (text: Text) => {
    const form = place.current?.closest("form");
    if (form) putInto(form, text);
  };
  const discard = () => {
    if (found?.isInForm) put(saved);
    removeDraft(draftKey);
    setFound(null);
  };
  const show = (draft: Draft) => {
    put(draft);
    setFound({ draft, isInForm: true });
  };
  return (
    <div ref={place} role="status" className="empty:hidden">
      {found && (
        <div className="flex flex-wrap items-baseline gap-x-5 gap-y-2">
          <p>
            {found.isInForm
              ? `This is your unsaved text from ${momentText(found.draft.at)}.`
              : `You have unsaved text from ${momentText(found.draft.at)}. It differs from the text on this page.`}
          </p>
          {!found.isInForm && (
            <button type="button" className="link-button" onClick={() => show(found.draft)}>
              Show the unsaved text
            </button>
          )}
          <button type="button" className="link-button" onClick={discard}>
            Discard the unsaved text
          </button>
        </div>
      )}
      {!isStored && (
        <p className="text-sm text-quiet">
          This browser cannot keep a copy of your text. Save or publish it before you close the page.
        </p>
      )}
    </div>
  );
}

interface Text {
  title: string;
  content: string;
}

function textIn(form: HTMLFormElement): Text {
  const data = new FormData(form);
  return {
    title: String(data.get("title") ?? ""),
    content: withLineFeeds(String(data.get("content") ?? "")),
  };
}

/** Puts a text into the form's fields, as if it had been typed there. */
function putInto(form: HTMLFormElement, text: Text): void {
  for (const name of ["title", "content"] as const) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.value = text[name];
  }
}

function isSame(one: Text, other: Text): boolean {
  return one.title === other.title && withLineFeeds(one.content) === withLineFeeds(other.content);
}

/** A form's data has CR LF at the end of each line. */
function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** A moment in the reader's time zone; the server renders none. */
function momentText(at: number): string {
  return moment.format(at);
}

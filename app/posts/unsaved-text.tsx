"use client";

import { type RefObject, useEffect, useRef, useState } from "react";
import {
  type Draft,
  readDrafts,
  removeDraft,
  removeUnchangedDraft,
  saveDraft,
  tabId,
} from "@/app/_components/drafts";
import { useFormPending } from "@/app/_components/form";
import { fill, useTexts } from "@/app/_components/texts";
import { conventions } from "@/lib/i18n/locale";
import { withLineFeeds } from "@/lib/line-feeds";
import type { PostFormTexts } from "./post-form-texts";

/** A pause in typing after which the draft is saved. */
const pauseMs = 300;

export interface SavedText {
  title: string;
  content: string;
  /** The chosen language; "" for the detected one. */
  lang: string;
  /** Its last change; 0 for a new post. */
  updatedAt: number;
}

interface FoundDraft {
  key: string;
  draft: Draft;
  isInForm: boolean;
}

interface UnsavedTextProps {
  /** The beginning of the keys of this text's drafts. */
  keyPrefix: string;
  saved: SavedText;
  /** Is set to a function that removes the drafts of a text that has been saved. */
  removeSaved: RefObject<() => void>;
  texts: PostFormTexts["unsaved"];
}

/**
 * Saves the enclosing form's text as a draft in the browser, and restores it.
 *
 * The tab's own draft, or else the newest, is put into the form unless the post was changed meanwhile or the form has
 * new text: then it is offered. Leaving the page with unsaved changes asks for a confirmation.
 */
export function UnsavedText({ keyPrefix, saved, removeSaved, texts }: UnsavedTextProps) {
  const { locale } = useTexts();
  const place = useRef<HTMLDivElement>(null);
  const [found, setFound] = useState<FoundDraft | null>(null);
  const [isStored, setIsStored] = useState(true);
  const isPending = useFormPending();
  const { title, content, lang, updatedAt } = saved;

  /** The key of the draft that this form saves. */
  const ownKey = useRef("");
  const pending = useRef(isPending);
  useEffect(() => {
    pending.current = isPending;
    removeSaved.current = () => {
      removeDraft(ownKey.current);
      if (found?.isInForm) removeUnchangedDraft(found.key, found.draft);
    };
  });

  useEffect(() => {
    const form = place.current?.closest("form");
    if (!form) return;
    const text = { title, content, lang };
    const isUnchanged = () => isSame(textIn(form), text);
    ownKey.current = keyPrefix + tabId(false);
    const drafts = readDrafts(keyPrefix, Date.now()).filter(
      ({ draft }) => !isSame(draft, text) && !isSame(draft, textIn(form)),
    );
    const newest = drafts.find(({ key }) => key === ownKey.current) ?? drafts[0];
    const isInForm = newest !== undefined && isUnchanged() && newest.draft.basedOn === updatedAt;
    if (newest) {
      if (isInForm) putInto(form, newest.draft);
      // Typing must not replace a draft that is only offered.
      else ownKey.current = keyPrefix + tabId(true);
      setFound({ ...newest, isInForm });
    }

    let timer: ReturnType<typeof setTimeout> | undefined;
    const save = () => {
      if (timer === undefined) return;
      clearTimeout(timer);
      timer = undefined;
      if (isUnchanged()) removeDraft(ownKey.current);
      else setIsStored(saveDraft(ownKey.current, { ...textIn(form), at: Date.now(), basedOn: updatedAt }));
    };
    const saveSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(save, pauseMs);
    };
    const confirmLeaving = (event: BeforeUnloadEvent) => {
      if (!pending.current && !isUnchanged()) event.preventDefault();
    };
    // Text may have been typed before the page's scripts ran.
    if (!isUnchanged() && !isInForm) saveSoon();
    form.addEventListener("input", saveSoon);
    // The fields cannot be changed while the form is sent, so what is removed once it is saved is what was sent.
    form.addEventListener("submit", save);
    addEventListener("pagehide", save);
    document.addEventListener("visibilitychange", save);
    addEventListener("beforeunload", confirmLeaving);
    return () => {
      save();
      form.removeEventListener("input", saveSoon);
      form.removeEventListener("submit", save);
      removeEventListener("pagehide", save);
      document.removeEventListener("visibilitychange", save);
      removeEventListener("beforeunload", confirmLeaving);
    };
  }, [keyPrefix, title, content, lang, updatedAt]);

  const put = (text: Text) => {
    const form = place.current?.closest("form");
    if (form) putInto(form, text);
  };
  const discard = () => {
    if (!found) return;
    if (found.isInForm) {
      put(saved);
      removeDraft(ownKey.current);
    }
    removeDraft(found.key);
    setFound(null);
  };
  const show = ({ key, draft }: FoundDraft) => {
    put(draft);
    setFound({ key, draft, isInForm: true });
  };
  return (
    <div ref={place} role="status" className="empty:hidden">
      {found && (
        <div className="flex flex-wrap items-baseline gap-x-5 gap-y-2">
          <p>
            {fill(found.isInForm ? texts.restored : texts.found, {
              moment: momentText(found.draft.at, conventions[locale]),
            })}
          </p>
          {!found.isInForm && (
            <button type="button" className="link-button" onClick={() => show(found)}>
              {texts.show}
            </button>
          )}
          <button type="button" className="link-button" onClick={discard}>
            {texts.discard}
          </button>
        </div>
      )}
      {!isStored && <p className="text-sm text-quiet">{texts.notStored}</p>}
    </div>
  );
}

type Text = Pick<Draft, "title" | "content" | "lang">;

function textIn(form: HTMLFormElement): Text {
  const data = new FormData(form);
  return {
    title: String(data.get("title") ?? ""),
    content: withLineFeeds(String(data.get("content") ?? "")),
    lang: String(data.get("lang") ?? ""),
  };
}

/** Puts a text into the form's fields, as if it had been typed there. */
function putInto(form: HTMLFormElement, text: Text): void {
  for (const name of ["title", "content"] as const) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.value = text[name];
  }
  const languages = form.elements.namedItem("lang");
  if (!(languages instanceof HTMLSelectElement)) return;
  const option = [...languages.options].find(({ value }) => value === text.lang);
  if (option) option.selected = true;
}

function isSame(one: Text, other: Text): boolean {
  return (
    one.title === other.title &&
    withLineFeeds(one.content) === withLineFeeds(other.content) &&
    (one.lang ?? other.lang) === (other.lang ?? one.lang)
  );
}

/** A moment in the reader's time zone; the server renders none. */
function momentText(at: number, convention: string): string {
  return new Intl.DateTimeFormat(convention, { dateStyle: "medium", timeStyle: "short" }).format(at);
}

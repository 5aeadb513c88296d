// Over 200 lines: a text in the browser, from its storage to its place in the form.

"use client";

import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { useFormPending, useFormState } from "@/app/_components/form";
import { fill, useTexts } from "@/app/_components/texts";
import {
  type FieldValues,
  randomId,
  readTexts,
  removeText,
  removeUnchangedText,
  type StoredText,
  storeText,
  tabId,
} from "@/app/_components/unsaved-texts";
import { conventions } from "@/lib/i18n/locale";
import { withLineFeeds } from "@/lib/text/line-feeds";
import type { PostFormTexts } from "./post-form-texts";

/** A pause in typing after which the text is stored. */
const pauseMs = 300;

export interface SavedText {
  fields: FieldValues;
  /** Its last change; 0 for a new post. */
  updatedAt: number;
}

interface FoundText {
  key: string;
  text: StoredText;
  isInForm: boolean;
}

interface UnsavedTextProps {
  /**
   * Of a new post.
   * The form sends another one after an answer that brings it, or when another text takes the place of a sent one.
   */
  idempotencyKey: string | undefined;
  /** The beginning of the keys of this post's texts. */
  keyPrefix: string;
  saved: SavedText;
  /** Is set to a function that removes the stored copies of a saved text. */
  removeSaved: RefObject<() => void>;
  texts: PostFormTexts["unsaved"];
}

/**
 * Stores the enclosing form's text in the browser, and restores it.
 *
 * The tab's own text, or else the newest, is put into the form unless the post was changed meanwhile or the form has
 * new text: then it is offered. Leaving the page with unsaved changes needs a confirmation.
 */
export function UnsavedText({ idempotencyKey, keyPrefix, saved, removeSaved, texts }: UnsavedTextProps) {
  const { locale } = useTexts();
  const place = useRef<HTMLDivElement>(null);
  const [found, setFound] = useState<FoundText | null>(null);
  const [isStored, setIsStored] = useState(true);
  const answeredKey = useFormState().values?.idempotencyKey;
  const [previousAnsweredKey, setPreviousAnsweredKey] = useState(answeredKey);
  const [formKey, setFormKey] = useState(answeredKey ?? idempotencyKey);
  if (answeredKey !== previousAnsweredKey) {
    setPreviousAnsweredKey(answeredKey);
    if (answeredKey !== undefined) setFormKey(answeredKey);
  }
  const isPending = useFormPending();
  const { updatedAt } = saved;
  // The same text for the same fields, which the server may send again.
  const savedFields = JSON.stringify(saved.fields);

  /** The key of the text that this form stores. */
  const ownKey = useRef("");
  /** The form's idempotency key, once a text was sent with it. */
  const sentKey = useRef<string>(undefined);
  /** Whether it could be stored. */
  const storeNow = useRef((): boolean => false);
  const pending = useRef(isPending);
  useEffect(() => {
    pending.current = isPending;
    removeSaved.current = () => {
      removeText(ownKey.current);
      if (found?.isInForm) removeUnchangedText(found.key, found.text);
    };
  });

  /** For a text that replaces the form's: its own key, or else an unsent one. */
  const takeKeyOf = useCallback(({ idempotencyKey: key }: Pick<StoredText, "idempotencyKey">) => {
    const isUsed = sentKey.current !== undefined;
    sentKey.current = key;
    setFormKey((present) => key ?? (isUsed ? randomId() : present));
  }, []);

  useEffect(() => {
    // An answer may bring a new key, which was not sent.
    const sent = isPending || sentKey.current === formKey ? formKey : undefined;
    if (sent === sentKey.current) return;
    sentKey.current = sent;
    // A restored text is this tab's from now on: its first copy, without the key, would be offered as another post.
    if (storeNow.current() && found?.isInForm && found.key !== ownKey.current)
      removeUnchangedText(found.key, found.text);
  }, [isPending, formKey, found]);

  useEffect(() => {
    const form = place.current?.closest("form");
    if (!form) return;
    const fields: FieldValues = JSON.parse(savedFields);
    const names = Object.keys(fields);
    const isUnchanged = () => isSame(valuesIn(form, names), fields);
    ownKey.current = keyPrefix + tabId(false);
    const stored = readTexts(keyPrefix, Date.now()).filter(
      ({ text }) => !isSame(text.fields, fields) && !isSame(text.fields, valuesIn(form, names)),
    );
    const newest = stored.find(({ key }) => key === ownKey.current) ?? stored[0];
    const isInForm = newest !== undefined && isUnchanged() && newest.text.basedOn === updatedAt;
    if (newest) {
      if (isInForm) {
        putInto(form, newest.text.fields);
        takeKeyOf(newest.text);
      }
      // Typing must not replace a text that is only offered.
      else ownKey.current = keyPrefix + tabId(true);
      setFound({ ...newest, isInForm });
    }

    let timer: ReturnType<typeof setTimeout> | undefined;
    const store = () => {
      clearTimeout(timer);
      timer = undefined;
      if (leaveReason() === "logged-out") return false;
      if (isUnchanged()) {
        removeText(ownKey.current);
        return false;
      }
      const text = { fields: valuesIn(form, names), at: Date.now(), basedOn: updatedAt };
      const wasStored = storeText(ownKey.current, { ...text, idempotencyKey: sentKey.current });
      setIsStored(wasStored);
      return wasStored;
    };
    storeNow.current = store;
    const save = () => {
      if (timer !== undefined) store();
    };
    const saveSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(save, pauseMs);
    };
    const confirmLeaving = (event: BeforeUnloadEvent) => {
      if (!pending.current && !isUnchanged() && leaveReason() === undefined) event.preventDefault();
    };
    // Text may have been typed before the page's scripts ran.
    if (!isUnchanged() && !isInForm) saveSoon();
    form.addEventListener("input", saveSoon);
    // Of any form, such as the one that logs out: a text that is stored later would stay. The fields of this one cannot
    // be changed while it is sent, so the text that is removed once it is saved is the one that was sent.
    document.addEventListener("submit", save, { capture: true });
    addEventListener("pagehide", save);
    document.addEventListener("visibilitychange", save);
    addEventListener("beforeunload", confirmLeaving);
    return () => {
      save();
      form.removeEventListener("input", saveSoon);
      document.removeEventListener("submit", save, { capture: true });
      removeEventListener("pagehide", save);
      document.removeEventListener("visibilitychange", save);
      removeEventListener("beforeunload", confirmLeaving);
    };
  }, [keyPrefix, savedFields, updatedAt, takeKeyOf]);

  const put = (fields: FieldValues) => {
    const form = place.current?.closest("form");
    if (form) putInto(form, fields);
  };
  /** For a button that goes when it is pressed. */
  const focusTitle = () =>
    place.current?.closest("form")?.querySelector<HTMLElement>("[name=title]")?.focus();
  // While a text is sent, it stays in the form: once it is saved, the form's text is removed.
  const discard = () => {
    if (!found || isPending) return;
    if (found.isInForm) {
      put(saved.fields);
      takeKeyOf({});
      removeText(ownKey.current);
    }
    focusTitle();
    removeText(found.key);
    setFound(null);
  };
  const show = ({ key, text }: FoundText) => {
    if (isPending) return;
    put(text.fields);
    focusTitle();
    takeKeyOf(text);
    setFound({ key, text, isInForm: true });
  };
  return (
    <>
      {formKey !== undefined && <input type="hidden" name="idempotencyKey" value={formKey} readOnly />}
      <div ref={place} role="status" className="empty:hidden">
        {found && (
          <div className="flex flex-wrap items-baseline gap-x-5 gap-y-2">
            <p>
              {fill(found.isInForm ? texts.restored : texts.found, {
                moment: momentText(found.text.at, conventions[locale]),
              })}
            </p>
            {!found.isInForm && (
              <button
                type="button"
                className="link-button"
                aria-disabled={isPending}
                onClick={() => show(found)}
              >
                {texts.show}
              </button>
            )}
            <button type="button" className="link-button" aria-disabled={isPending} onClick={discard}>
              {texts.discard}
            </button>
          </div>
        )}
        {!isStored && <p className="text-sm text-quiet">{texts.notStored}</p>}
      </div>
    </>
  );
}

/**
 * Why the page is left without a confirmation.
 * "logged-out", or "kept": `public/form.js` has stored the text for the next page.
 */
function leaveReason(): string | undefined {
  return document.documentElement.dataset.left;
}

/** The values of the form's fields with these names; none of a field that it lacks. */
function valuesIn(form: HTMLFormElement, names: readonly string[]): FieldValues {
  const data = new FormData(form);
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = data.get(name);
      return typeof value === "string" ? [[name, withLineFeeds(value)]] : [];
    }),
  );
}

/**
 * Puts values into the form's fields, as if they had been typed there.
 * Opens the part of the form with a field that changes.
 */
function putInto(form: HTMLFormElement, fields: FieldValues): void {
  for (const [name, value] of Object.entries(fields)) {
    const field = form.elements.namedItem(name);
    if (
      !(field instanceof RadioNodeList) &&
      !(field instanceof HTMLInputElement) &&
      !(field instanceof HTMLTextAreaElement) &&
      !(field instanceof HTMLSelectElement)
    )
      continue;
    const before = field.value;
    if (withLineFeeds(before) === value) continue;
    field.value = value;
    // A choice that is not offered any more.
    if (field.value === "" && value !== "") field.value = before;
    if (field.value === before) continue;
    const changed = field instanceof RadioNodeList ? field[0]?.parentElement : field;
    changed?.dispatchEvent(new Event("change", { bubbles: true }));
    changed?.closest("details")?.setAttribute("open", "");
  }
}

/** Whether the fields that both have are the same. */
function isSame(one: FieldValues, other: FieldValues): boolean {
  return Object.entries(one).every(
    ([name, value]) => withLineFeeds(value) === withLineFeeds(other[name] ?? value),
  );
}

/** A moment in the reader's time zone; the server renders none. */
function momentText(at: number, convention: string): string {
  return new Intl.DateTimeFormat(convention, { dateStyle: "medium", timeStyle: "short" }).format(at);
}

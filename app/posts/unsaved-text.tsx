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
  removeWithOrigins,
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
  const status = useRef<HTMLDivElement>(null);
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
  /** The stored copy that the form's text was restored from. */
  const origin = useRef<StoredText["origin"]>(undefined);
  /** The form's idempotency key, once a text was sent with it. */
  const sentKey = useRef<string>(undefined);
  /** Stores a changed text at once; returns whether none is lost. */
  const storeNow = useRef((): boolean => false);
  const pending = useRef(isPending);
  useEffect(() => {
    pending.current = isPending;
    removeSaved.current = () => {
      removeWithOrigins(ownKey.current);
      if (origin.current) removeWithOrigins(origin.current.key, origin.current.at);
    };
  });

  /**
   * Takes the idempotency key and the origin of a stored text in the form.
   * Without one it clears both: an unsent key follows a sent one.
   */
  const adopt = useCallback((stored?: Pick<FoundText, "key" | "text">) => {
    const key = stored?.text.idempotencyKey;
    const isUsed = sentKey.current !== undefined;
    sentKey.current = key;
    setFormKey((present) => key ?? (isUsed ? randomId() : present));
    const isOwn = stored?.key === ownKey.current;
    origin.current = isOwn ? stored.text.origin : stored && { key: stored.key, at: stored.text.at };
  }, []);

  useEffect(() => {
    if (!isPending || sentKey.current === formKey) return;
    sentKey.current = formKey;
    storeNow.current();
  }, [isPending, formKey]);

  useEffect(() => {
    // The answer to a used key brings another, which was not sent.
    if (sentKey.current === undefined || answeredKey === undefined || answeredKey === sentKey.current) return;
    sentKey.current = undefined;
    storeNow.current();
  }, [answeredKey]);

  useEffect(() => {
    const form = status.current?.closest("form");
    if (!form) return;
    const fields: FieldValues = JSON.parse(savedFields);
    const names = Object.keys(fields);
    const isUnchanged = () => isSame(valuesIn(form, names), fields);
    ownKey.current = keyPrefix + tabId(false);
    const stored = readTexts(keyPrefix, Date.now()).filter(({ text }) => !isSame(text.fields, fields));
    // Put there by the browser, or by `public/form.js`.
    const shown = stored.filter(({ text }) => isSame(text.fields, valuesIn(form, names)));
    const others = stored.filter(
      (each) =>
        !shown.includes(each) &&
        !shown.some(({ text: { origin } }) => origin?.key === each.key && origin.at === each.text.at),
    );
    const newest = others.find(({ key }) => key === ownKey.current) ?? others[0];
    const isInForm = newest !== undefined && isUnchanged() && newest.text.basedOn === updatedAt;
    if (newest) {
      if (isInForm) {
        putInto(form, newest.text.fields);
        adopt(newest);
      }
      // Typing must not replace a text that is only offered.
      else ownKey.current = keyPrefix + tabId(true);
      setFound({ ...newest, isInForm });
    }
    if (shown.length > 0) adopt(shown.find(({ text }) => text.idempotencyKey !== undefined) ?? shown[0]);

    let timer: ReturnType<typeof setTimeout> | undefined;
    const store = () => {
      clearTimeout(timer);
      timer = undefined;
      if (leaveReason() === "logged-out") return false;
      if (isUnchanged()) {
        removeText(ownKey.current);
        origin.current = undefined;
        return true;
      }
      const text = { fields: valuesIn(form, names), at: Date.now(), basedOn: updatedAt };
      const wasStored = storeText(ownKey.current, {
        ...text,
        idempotencyKey: sentKey.current,
        origin: origin.current,
      });
      setIsStored(wasStored);
      return wasStored;
    };
    storeNow.current = store;
    const save = () => {
      // Not while the form is sent: a choice that is changed then would be stored after the saved text was removed.
      if (timer !== undefined && !pending.current) store();
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
    // Of any form, such as the one that logs out: a text that is stored later would stay.
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
  }, [keyPrefix, savedFields, updatedAt, adopt]);

  const put = (fields: FieldValues) => {
    const form = status.current?.closest("form");
    if (form) putInto(form, fields);
  };
  /** For a button that goes when it is pressed. */
  const focusTitle = () =>
    status.current?.closest("form")?.querySelector<HTMLElement>("[name=title]")?.focus();
  // Both do nothing while the form is sent: success removes the stored copies of the text in the form.
  const discard = () => {
    if (!found || isPending) return;
    if (found.isInForm) {
      put(saved.fields);
      adopt();
      removeText(ownKey.current);
    }
    focusTitle();
    // Not its origin, which may be another text: that is offered the next time.
    removeText(found.key, found.text.at);
    setFound(null);
  };
  const show = ({ key, text }: FoundText) => {
    if (isPending) return;
    // The text in the form stays stored, and is offered later. Without room it stays in the form.
    if (!storeNow.current()) return;
    ownKey.current = keyPrefix + tabId(true);
    put(text.fields);
    focusTitle();
    adopt({ key, text });
    storeNow.current();
    setFound({ key, text, isInForm: true });
  };
  return (
    <>
      {formKey !== undefined && <input type="hidden" name="idempotencyKey" value={formKey} readOnly />}
      <div ref={status} role="status" className="empty:hidden">
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

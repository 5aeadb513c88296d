"use client";

import { Form, type FormAction } from "./form";
import { useTexts } from "./texts";
import { hasTexts, removeTextsOf } from "./unsaved-texts";

interface EndSessionFormProps {
  action: FormAction;
  userId: number;
  className?: string;
  children: React.ReactNode;
}

/**
 * A form that ends this browser's session.
 * It removes the user's unsaved texts from the browser, and from the page, after a confirmation.
 */
export function EndSessionForm({ userId, ...form }: EndSessionFormProps) {
  const texts = useTexts();
  return (
    <Form
      {...form}
      mayBeSent={() => !(hasTexts(userId) || hasUnsent()) || confirm(texts.discardUnsaved)}
      onDone={() => removeTextsOf(userId)}
    />
  );
}

/** Whether leaving the page would need a confirmation (`public/form.js`). */
function hasUnsent(): boolean {
  return !dispatchEvent(new Event("beforeunload", { cancelable: true }));
}

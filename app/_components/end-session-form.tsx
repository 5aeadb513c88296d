"use client";

import { Form, type FormAction } from "./form";
import { useTexts } from "./texts";
import { hasTexts, removeTextsOf } from "./unsaved-texts";

interface EndSessionFormProps {
  action: FormAction;
  userId: number;
  /** The button, by name and value, that leaves the session as it is. */
  except?: readonly [name: string, value: string];
  className?: string;
  children: React.ReactNode;
}

/**
 * A form that ends this browser's session.
 * It removes the user's unsaved texts from the browser, after a confirmation.
 */
export function EndSessionForm({ userId, except, ...form }: EndSessionFormProps) {
  const texts = useTexts();
  const ends = (sent: FormData) => !except || sent.get(except[0]) !== except[1];
  return (
    <Form
      {...form}
      mayBeSent={(sent) => !ends(sent) || !hasTexts(userId) || confirm(texts.discardUnsaved)}
      onDone={(sent) => {
        if (ends(sent)) removeTextsOf(userId);
      }}
    />
  );
}

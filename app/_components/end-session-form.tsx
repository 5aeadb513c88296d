"use client";

import { hasDrafts, removeDraftsOf } from "./drafts";
import { Form, type FormAction } from "./form";
import { useTexts } from "./texts";

interface EndSessionFormProps {
  action: FormAction;
  userId: number;
  className?: string;
  children: React.ReactNode;
}

/**
 * A form that ends this browser's session, and removes the user's drafts from it.
 * Asks first when there are any.
 */
export function EndSessionForm({ userId, ...form }: EndSessionFormProps) {
  const texts = useTexts();
  return (
    <Form
      {...form}
      mayBeSent={() => !hasDrafts(userId) || confirm(texts.discardUnsaved)}
      onDone={() => removeDraftsOf(userId)}
    />
  );
}

"use client";

import { hasDrafts, removeDraftsOf } from "./drafts";
import { Form, type FormAction } from "./form";

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
  return <Form {...form} mayBeSent={() => mayGo(userId)} onDone={() => removeDraftsOf(userId)} />;
}

function mayGo(userId: number): boolean {
  return !hasDrafts(userId) || confirm("Your unsaved text in this browser will be deleted. Continue?");
}

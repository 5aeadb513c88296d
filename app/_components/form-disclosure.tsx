"use client";

import { useFormState } from "@/app/_components/form";

interface FormDisclosureProps {
  summary: string;
  isOpen: boolean;
  /** The only field whose errors open it; any unless set. */
  field?: string;
  children: React.ReactNode;
}

/** A collapsible part of a form, open when it has errors. */
export function FormDisclosure({ summary, isOpen, field, children }: FormDisclosureProps) {
  const { errors } = useFormState();
  const hasErrors = field === undefined ? errors !== undefined : errors?.[field] !== undefined;
  return (
    <details open={isOpen || hasErrors}>
      <summary className="text-quiet">{summary}</summary>
      {children}
    </details>
  );
}

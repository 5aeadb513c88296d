"use client";

import { useFormState } from "@/app/_components/form";

interface FormDisclosureProps {
  summary: string;
  isOpen: boolean;
  children: React.ReactNode;
}

/** A collapsible part of a form, open when it has errors. */
export function FormDisclosure({ summary, isOpen, children }: FormDisclosureProps) {
  const { errors } = useFormState();
  return (
    <details open={isOpen || errors !== undefined}>
      <summary className="text-quiet">{summary}</summary>
      {children}
    </details>
  );
}

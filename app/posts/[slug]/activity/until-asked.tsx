"use client";

import { useFormState } from "@/app/_components/form";

interface UntilAskedProps {
  summary: string;
  isOpen: boolean;
  children: React.ReactNode;
}

/** A part of a form that is closed until somebody asks for it, or until there is something wrong in it. */
export function UntilAsked({ summary, isOpen, children }: UntilAskedProps) {
  const { errors } = useFormState();
  return (
    <details open={isOpen || errors !== undefined}>
      <summary className="text-quiet">{summary}</summary>
      {children}
    </details>
  );
}

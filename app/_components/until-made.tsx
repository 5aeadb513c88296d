"use client";

import { CopyOnce } from "@/app/_components/copy-once";
import { useFormState } from "@/app/_components/form";

interface UntilMadeProps {
  secret: { id: string; label: string; help: string; rows: number };
  /** Follows the secret. */
  after: React.ReactNode;
  /** The fields. */
  children: React.ReactNode;
}

/** A form's fields, replaced by the secret once the form has made it. */
export function UntilMade({ secret: { help, ...secret }, after, children }: UntilMadeProps) {
  const { made } = useFormState();
  return (
    <div className="flex flex-col gap-5">
      {made === undefined ? (
        children
      ) : (
        <>
          <CopyOnce {...secret} value={made}>
            {help}
          </CopyOnce>
          {after}
        </>
      )}
    </div>
  );
}

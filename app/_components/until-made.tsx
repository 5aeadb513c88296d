"use client";

import { CopyOnce } from "@/app/_components/copy-once";
import { useFormState } from "@/app/_components/form";

interface UntilMadeProps {
  /** `link` is the address that ends with the secret, where it is shown as a link. */
  secret: { id: string; label: string; help: string; rows: number; link?: string };
  /** Follows the secret. */
  after: React.ReactNode;
  /** The fields. */
  children: React.ReactNode;
}

/** A form's fields, replaced by the secret once the form has made it. */
export function UntilMade({ secret: { help, link = "", ...secret }, after, children }: UntilMadeProps) {
  const { made } = useFormState();
  return (
    <div className="flex flex-col gap-5">
      {made === undefined ? (
        children
      ) : (
        <>
          <CopyOnce {...secret} value={`${link}${made}`}>
            {help}
          </CopyOnce>
          {after}
        </>
      )}
    </div>
  );
}

import { translator } from "@/lib/i18n";
import { faultNamed } from "@/lib/webhooks/delivery-faults";

/** The result of an attempt in words, with its code if it has one. */
export function Fault({ saved }: { saved: string | null }) {
  const t = translator("webhooks");
  const fault = faultNamed(saved);
  const code = () => (
    <bdi key="code" dir="ltr">
      {saved}
    </bdi>
  );
  return fault ? t.rich(`fault.${fault}`, { code }) : code();
}

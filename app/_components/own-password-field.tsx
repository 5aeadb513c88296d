import { translator } from "@/lib/i18n";
import { CurrentPasswordField } from "./form-fields";

/** The user's own password, with one label on all pages that confirm an action by it. */
export function OwnPasswordField({ help }: { help?: string }) {
  return <CurrentPasswordField label={translator("account")("confirmation.label")} help={help} />;
}

/** A setting's label and the labels of its choices. */
import { messageByKey } from "@/lib/i18n";
import type { RatingVariable } from "@/lib/settings/rating-settings";

/** The label in the reader's language; English when the catalogue has none. */
export function settingLabel({ name, description }: RatingVariable): string {
  return messageByKey("lab", `setting.${name}`) ?? description.label;
}

/** The choice in the reader's language; otherwise its English `label`. */
export function choiceLabel(value: string, label: string): string {
  return messageByKey("lab", `choice.${value}`) ?? label;
}

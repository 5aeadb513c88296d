/** A setting's label and the labels of its choices. */
import { translator } from "@/lib/i18n";
import { lab } from "@/lib/i18n/messages/en/lab";
import type { RatingVariable } from "@/lib/settings/rating-settings";

/** The label in the reader's language; English when the catalogue has none. */
export function settingLabel({ name, description }: RatingVariable): string {
  return isKeyOf(lab.setting, name) ? translator("lab")(`setting.${name}`) : description.label;
}

/** The choice in the reader's language; otherwise its English `label`. */
export function choiceLabel(value: string, label: string): string {
  return isKeyOf(lab.choice, value) ? translator("lab")(`choice.${value}`) : label;
}

function isKeyOf<Texts extends object>(texts: Texts, name: PropertyKey): name is keyof Texts {
  return Object.hasOwn(texts, name);
}

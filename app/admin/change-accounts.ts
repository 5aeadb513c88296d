/**
 * Disabling and enabling of accounts in two steps.
 * A preview, and the change that it showed.
 */
import { createHash } from "node:crypto";
import { type AccountChangeResult, changeSelected } from "@/lib/account-changes";
import { app } from "@/lib/app";
import { formatter, translator } from "@/lib/i18n";
import { currentTime } from "@/lib/time/current-time";
import type { User } from "@/lib/users";
import type { Invalid } from "@/lib/validation";

const namesShown = 20;

/** The values of a form with `CheckedChange`. */
type Submitted = Partial<Record<"step" | "checked" | "why" | "registeredFrom" | "registeredBefore", string>>;

interface RequestedChange {
  actor: User;
  /** The accounts by name; empty when they are chosen by their time of registration. */
  usernames: readonly string[];
  values: Submitted;
}

type CheckedChangeOutcome =
  | { kind: "forbidden" }
  | Invalid
  /** Nothing was changed; the values are for `CheckedChange`. */
  | { kind: "preview"; values: Record<string, string> }
  | { kind: "changed"; disabled: boolean; result: AccountChangeResult };

/**
 * Makes the change that a preview showed, or previews it.
 * It is made when the form confirms the accounts of the preview.
 */
export async function changeOrPreview({
  actor,
  usernames,
  values,
}: RequestedChange): Promise<CheckedChangeOutcome> {
  const { step, checked, why, registeredFrom, registeredBefore } = values;
  const disabled = step === "disable" || step === "check-disable";
  const input = {
    disabled,
    why,
    usernames: usernames.length > 0 ? usernames : undefined,
    registeredFrom: registeredFrom?.trim() || undefined,
    registeredBefore: registeredBefore?.trim() || undefined,
  };
  const changed = await changeSelected(app(), {
    actor,
    input,
    now: currentTime(),
    // An account that was registered or changed meanwhile has not been seen.
    isConfirmed: (counted) =>
      (step === "disable" || step === "enable") && checked === digestOf(counted, disabled),
  });
  if (changed.kind !== "done") return changed;
  return changed.dryRun
    ? { kind: "preview", values: preview(changed, disabled) }
    : { kind: "changed", disabled, result: changed };
}

/** Identifies a set of accounts and the change to make to it. */
function digestOf({ usernames }: AccountChangeResult, disabled: boolean): string {
  return createHash("sha256")
    .update(JSON.stringify([disabled, usernames]))
    .digest("hex");
}

function preview(counted: AccountChangeResult, disabled: boolean): Record<string, string> {
  const t = translator("adminPeople");
  const { usernames, ratings, posts } = counted;
  const kept = keptTexts(counted);
  const count = usernames.length;
  if (count === 0) return { summary: [...kept, t("change.none")].join("\n") };
  const shown = formatter().list(usernames.slice(0, namesShown), { type: "unit" });
  const others = count - namesShown;
  const names = others > 0 ? t("change.names", { names: shown, count: others }) : shown;
  const lines = disabled
    ? [t("change.wouldDisable", { count, names }), t("change.wouldLeave", { ratings, posts })]
    : [t("change.wouldEnable", { count, names }), t("change.wouldReturn", { ratings, posts })];
  return {
    checked: digestOf(counted, disabled),
    step: disabled ? "disable" : "enable",
    summary: [...lines, ...kept].join("\n"),
    confirm: disabled ? t("change.disable", { count }) : t("change.enable", { count }),
  };
}

/** The changes, in words. */
export function changedText(changed: AccountChangeResult, disabled: boolean): string {
  const t = translator("adminPeople");
  const { usernames, ratings, posts } = changed;
  const count = usernames.length;
  const done = disabled
    ? `${t("change.disabled", { count })} ${t("change.leave", { ratings, posts })}`
    : `${t("change.enabled", { count })} ${t("change.return", { ratings, posts })}`;
  return [done, ...keptTexts(changed)].join("\n");
}

function keptTexts({ refused }: AccountChangeResult): string[] {
  return refused.map((name) => translator("adminPeople")("change.administrator", { name }));
}

/** The texts of `CheckedChange`. */
export function checkedChangeTexts() {
  const t = translator("adminPeople");
  return {
    disable: t("change.checkDisable"),
    enable: t("change.checkEnable"),
    counting: t("change.counting"),
    changing: t("change.changing"),
  };
}

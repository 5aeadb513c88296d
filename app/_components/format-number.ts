// Created once: creating a formatter costs more than a hundred uses.
const thousandths = new Intl.NumberFormat("en", { maximumFractionDigits: 3 });
const oneDigit = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const threeDigits = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

/** At most three decimals: "1,572" or "0.125". */
export function formatNumber(count: number): string {
  return thousandths.format(count);
}

/** At most one decimal: "1,572" or "0.1". */
export function formatTenths(value: number): string {
  return oneDigit.format(value);
}

/** Three significant digits: "1,570" or "0.0125". */
export function formatRounded(value: number): string {
  return threeDigits.format(value);
}

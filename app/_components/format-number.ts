/** Numbers in figures. */

// Made once: making one takes longer than a hundred uses.
const thousandths = new Intl.NumberFormat("en", { maximumFractionDigits: 3 });
const oneDigit = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const threeDigits = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

/** As "1,572" or "0.125". */
export function formatNumber(count: number): string {
  return thousandths.format(count);
}

/** As "1,572" or "0.1". */
export function formatTenths(value: number): string {
  return oneDigit.format(value);
}

/** As "1,570" or "0.0125". */
export function formatRounded(value: number): string {
  return threeDigits.format(value);
}

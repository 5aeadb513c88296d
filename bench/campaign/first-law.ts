/**
 * What the first law of the settled score (docs/decisions/0017-settled-score.md) let through, by scenario and column, as
 * recorded before the second replaced it: on the middle post, like the figures beside them.
 */
export const firstLaw: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  A: { "1 h": 0, "24 h": 0.001, "7 d": 0.006 },
  B: { "1 h": 0, "24 h": 0.001, "7 d": 0.012 },
  C: { "1 h": 0, "24 h": 0.003, "7 d": 0.089 },
  D: { "1 h": 0.044, "24 h": 0.044, "7 d": 0.186 },
  D2: { "24 h": 0.013, "7 d": 0.061 },
  E: { "1 h": 0, "24 h": 0.002, "7 d": 0.008, "held 24 h": 0 },
  F: { "1 h": 0, "24 h": 0.001, "7 d": 0.006 },
  G: { "off raw": 0.062 },
  H: { after: 0.001 },
  I: { "off raw": 0.056 },
  J: { "off raw": 0.114 },
  N: { "1 h": 0.002, "24 h": 0.002, "7 d": 0.002 },
  "Throwaway zeros": { "off raw": 4.761 },
  "Throwaway zeros, later": { "off raw": 3.839 },
  Frozen: { "off raw": 1.244 },
  "Frozen by new accounts": { "off raw": 1.356 },
  "Frozen from below": { "off raw": 0.767 },
  "Sleepers leave": { "off raw": 1.366 },
  "Sleepers turn": { "off raw": 0.405 },
  Ratchet: { "1 h": 2.402 },
  "A revived post": { "off raw": 0.002 },
  "Poisoned at birth": { "off raw": 0.151 },
  "Divided from birth": { "off raw": 0.195 },
};

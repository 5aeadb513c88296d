/** The longest pasted ratings that are given back without JavaScript. */
export const returnedMaximum = 100_000;

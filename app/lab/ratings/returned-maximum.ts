/** The longest pasted ratings that a page returns without JavaScript. */
export const returnedMaximum = 100_000;

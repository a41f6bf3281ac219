// The views of a page listen to its document and window for as long as it is open. A studio, which shows them again and again, puts a
// signal of its own in the place of this module.

/** Ends what the views listen to: never, on a page that shows them once. */
export const viewsEnd = new AbortController().signal;

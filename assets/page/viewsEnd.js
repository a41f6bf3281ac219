// The views of a page listen to its document and window as long as the page is open. A studio, which shows views repeatedly,
// replaces this signal by one that it aborts.

/** Stops the listeners of the views. On a page that shows its views once, this signal is never aborted. */
export const viewsEnd = new AbortController().signal;

// The order of texts.

/** Compares two texts for sorting: by their characters, the same on every machine. */
export function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

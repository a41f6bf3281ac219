// Positions in a file, counted in the same way whatever system wrote the file.
/** The text of a file as YAML counts its characters: without a byte order mark, and with the line ends of Unix. */
export const withoutReturns = (text: string): string =>
  text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');

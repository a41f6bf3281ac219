// Makes positions in a file independent of the system that wrote the file.
/** The text of a file as YAML counts its characters: without a byte order mark, and with the line ends of Unix. */
export const withoutReturns = (text: string): string =>
  text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');

// Percent-encoded parts of addresses.

/** A part of an address as git decodes it: as UTF-8; characters that are not encoded stay as they are. */
export const percentDecoded = (text: string): string =>
  text.replaceAll(/(?:%[\da-f]{2})+/gi, bytes =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'),
  );

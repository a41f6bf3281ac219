// Percent-encoded parts of addresses.

/** The bytes of a part of an address as git decodes it; characters that are not encoded are UTF-8. */
export function percentDecodedBytes(text: string): Buffer {
  const parts = text.split(/((?:%[\da-f]{2})+)/i);
  return Buffer.concat(
    parts.map((part, i) =>
      i % 2 === 1 ? Buffer.from(part.replaceAll('%', ''), 'hex') : Buffer.from(part),
    ),
  );
}

/** The text of a part of an address, if it is UTF-8. */
export const percentDecoded = (text: string): string => percentDecodedBytes(text).toString('utf8');

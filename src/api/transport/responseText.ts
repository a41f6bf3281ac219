// Reads the text of a response, up to the maximum length of a text.
import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';

/** The maximum number of bytes. A string cannot be longer, and no account is this large. */
const LARGEST = 2 ** 29 - 25;

/** The error for a larger response. */
export const TOO_LARGE = 'ERR_STRING_TOO_LONG';

/** A text, and whether it is unchanged. Bytes that are not UTF-8 are lost. */
export interface AnswerText {
  readonly text: string;
  readonly isUtf8: boolean;
}

/**
 * The text of `body`. Its length is limited while it arrives, because an endless response would
 * fill the memory.
 */
export async function answerText(
  body: Readable,
  announced: string | undefined,
  largest: number = LARGEST,
): Promise<AnswerText> {
  // If a body is not read completely, it ends with an error, which can be ignored.
  body.on('error', () => {});
  try {
    if (Number(announced ?? 0) > largest) throw tooLarge();
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > largest) throw tooLarge();
      chunks.push(chunk);
    }
    const bytes = Buffer.concat(chunks);
    return { text: new TextDecoder().decode(bytes), isUtf8: isUtf8(bytes) };
  } finally {
    body.destroy();
  }
}

const tooLarge = (): Error => Object.assign(new Error('too large'), { code: TOO_LARGE });

// The text of an answer, as far as a text can hold it.
import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';

/** Bytes. No text can hold more characters, and no account fills as much. */
const LARGEST = 2 ** 29 - 25;

/** What reading a larger answer fails with. */
export const TOO_LARGE = 'ERR_STRING_TOO_LONG';

/** A text, and whether it is the one that was sent: bytes that are not UTF-8 are lost in it. */
export interface AnswerText {
  readonly text: string;
  readonly isUtf8: boolean;
}

/** The text of `body`, counted while it comes: an answer without an end would fill the memory first. */
export async function answerText(
  body: Readable,
  announced: string | undefined,
  largest: number = LARGEST,
): Promise<AnswerText> {
  // What is not read to its end ends with an error, which is no news.
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

// Texts of notifications: their length, and foreign text in Slack's markup.
import { visible } from '../model/text/visible.ts';

/** The largest number of characters of a name or a sentence, and of bytes of a message. */
const LONGEST = 300;
const LARGEST = 32_768;

/** A time as RFC 3339. */
export const timeText = (time: number): string => new Date(time).toISOString();

/** The body with as many items as fit, at most `most` of them. */
export function bodyThatFits(most: number, bodyWith: (count: number) => string): string {
  for (let count = most; ; count = Math.floor(count / 2)) {
    const body = bodyWith(count);
    if (count === 0 || Buffer.byteLength(body) <= LARGEST) return body;
  }
}

/** The delimiter of code in Slack. */
const MARK = '`';

/** A name or a sentence, not longer than a message has room for. */
export function cut(text: string): string {
  const characters = [...text.slice(0, LONGEST * 2)];
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : text;
}

/**
 * Foreign text in a message to Slack: as code, so that nothing in it is a mention, a link or formatting, with the three special
 * characters of Slack's markup escaped.
 */
export function slackCode(text: string): string {
  const escaped = visible(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(MARK, '\u02cb');
  return `${MARK}${escaped}${MARK}`;
}

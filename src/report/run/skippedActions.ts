// Skipped actions on one line: their number, and as many names as fit.
import { visible } from '../../model/text/visible.ts';
import { counted } from '../text/summary.ts';
import { fitted, textWidth } from '../text/width.ts';

/** `skipped 12 actions: create group.a, create group.b and 10 more`, on one line of at most `room` columns if a short name fits. */
export function skippedLine(actions: readonly string[], room: number): string {
  const head = `skipped ${counted(actions.length, 'action')}: `;
  const left = room - textWidth(head);
  const names = namesWithin(actions, left);
  if (textWidth(names) <= left) return head + names;
  const more = moreText(actions.length - 1);
  return `${head}${fitted(visible(actions[0] ?? ''), Math.max(SHORTEST, left - more.length))}${more}`;
}

/** The minimum width of a name that is cut. */
const SHORTEST = 12;

/** As many of the names as fit, at least one, and the number of the others. */
export function namesWithin(names: readonly string[], room: number): string {
  const shown = names.map(visible);
  const whole = shown.join(', ');
  if (textWidth(whole) <= room) return whole;
  const more = moreText(names.length).length;
  let count = 1;
  let width = textWidth(shown[0] ?? '');
  while (count < shown.length) {
    width += 2 + textWidth(shown[count] ?? '');
    if (width + more > room) break;
    count += 1;
  }
  return `${shown.slice(0, count).join(', ')}${moreText(shown.length - count)}`;
}

const moreText = (count: number): string => (count > 0 ? ` and ${count} more` : '');

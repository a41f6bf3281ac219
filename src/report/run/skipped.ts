// Skipped actions on one line: their number, and as many names as fit.
import { visible } from '../../model/text/visible.ts';
import { counted } from '../plan/summary.ts';
import { textWidth } from '../text/width.ts';

/** `skipped 12 actions: create group.a, create group.b and 10 more`, on one line of at most `room` columns if one name fits. */
export function skippedLine(actions: readonly string[], room: number): string {
  const head = `skipped ${counted(actions.length, 'action')}: `;
  return `${head}${namesWithin(actions, room - textWidth(head))}`;
}

/** As many of the names as fit, at least one, and the number of the others. */
export function namesWithin(names: readonly string[], room: number): string {
  const shown = names.map(visible);
  const whole = shown.join(', ');
  if (textWidth(whole) <= room) return whole;
  const more = ` and ${names.length} more`.length;
  let [count, width] = [1, textWidth(shown[0] ?? '')];
  while (count < shown.length) {
    width += 2 + textWidth(shown[count] ?? '');
    if (width + more > room) break;
    count += 1;
  }
  const rest = shown.length - count;
  return `${shown.slice(0, count).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

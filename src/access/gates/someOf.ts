// A list of names of which a message shows the first.
import { quoted } from '../../model/text/visible.ts';

const SHOWN = 3;

/** The first names of a list, and how many more there are. */
export function someOf(names: readonly string[]): string {
  const left = names.length - SHOWN;
  const shown = names.toSorted().slice(0, SHOWN).map(quoted);
  return shown.join(', ') + (left > 0 ? ` and ${left} more` : '');
}

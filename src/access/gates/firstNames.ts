// A list of names in a message, shortened to the first ones.
import { quoted } from '../../model/text/visible.ts';

const SHOWN = 3;

/** The first names of a list, each once and in order, and the number of the others. */
export function firstNames(names: readonly string[]): string {
  const sorted = [...new Set(names)].sort();
  const shown = sorted.slice(0, SHOWN).map(quoted).join(', ');
  return sorted.length > SHOWN ? `${shown} and ${sorted.length - SHOWN} more` : shown;
}

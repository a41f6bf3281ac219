// A list of names of which a message shows the first.
import { quoted } from '../../model/text/visible.ts';

const SHOWN = 3;

/** The first names of a list, each once and in order, and how many more there are. */
export function firstNames(names: readonly string[]): string {
  const sorted = [...new Set(names)].sort();
  const shown = sorted.slice(0, SHOWN).map(quoted).join(', ');
  return sorted.length > SHOWN ? `${shown} and ${sorted.length - SHOWN} more` : shown;
}

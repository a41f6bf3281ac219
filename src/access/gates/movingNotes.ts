// The notes about names and addresses that a plan leads elsewhere, and the sentences that each note
// summarizes.
import type { MovedNames } from '../../model/access/planAccess.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';

/**
 * A note `NAME_MOVES`, and the sentences that it summarizes, separately for each group or machine.
 */
export interface MovingNote {
  readonly message: string;
  readonly moves: readonly MovedNames[];
}

/** A note with a single sentence. */
export const noteOf = (message: string, of: readonly string[] = ['']): MovingNote => ({
  message,
  moves: [{ says: [message], of }],
});

/** These notes as findings of a plan. */
export const movingFindings = (notes: readonly MovingNote[]): readonly Diagnostic[] =>
  notes.map(({ message }) => ({ code: 'NAME_MOVES', severity: 'note', message }));

/**
 * The sentences of several notes, without duplicates, in an order that does not depend on the order
 * of the notes.
 */
export function movedIn(notes: readonly MovingNote[]): readonly MovedNames[] {
  const bySides = Map.groupBy(
    notes.flatMap(({ moves }) => moves),
    ({ of }) => of.toSorted().join('\n'),
  );
  return [...bySides]
    .sort(([one], [other]) => compareTexts(one, other))
    .map(([of, alike]) => ({
      says: [...new Set(alike.flatMap(({ says }) => says))].sort(compareTexts),
      of: of.split('\n'),
    }));
}

/**
 * The sentences that are true now and were not shown, as strings. A sentence counts as shown only
 * for the groups and machines for which it was shown.
 */
export function movedSince(
  shown: readonly MovedNames[],
  now: readonly MovedNames[],
): readonly string[] {
  const known = new Map<string, Set<string>>();
  for (const { says, of } of shown)
    for (const text of says) {
      const whom = known.get(text) ?? new Set();
      for (const one of of) whom.add(one);
      known.set(text, whom);
    }
  const isShown = (text: string, whom: string): boolean => {
    const all = known.get(text);
    return all !== undefined && (all.has(whom) || all.has(''));
  };
  const more = now.flatMap(({ says, of }) =>
    says.flatMap(text => {
      const others = of.filter(one => !isShown(text, one));
      if (others.length === 0) return [];
      const whom = others.filter(one => one !== '');
      return whom.length === 0 ? text : `${text}, for ${whom.join(', ')}`;
    }),
  );
  return [...new Set(more)].sort(compareTexts);
}

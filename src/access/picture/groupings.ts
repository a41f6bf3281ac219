// The groupings that a drawing can have for its objects, with their names for people.
import type { Grouping } from '../../model/access/groupings.ts';

/** The groupings by their names on the command line. */
export const NAMED_GROUPINGS = {
  network: 'place',
  folder: 'folder',
  label: 'label',
} as const satisfies Readonly<Record<string, Grouping>>;

export type NamedGrouping = keyof typeof NAMED_GROUPINGS;

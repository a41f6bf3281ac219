// The names for people of what the objects of a drawing can be grouped by.
import type { Grouping } from '../../model/access/groupings.ts';

/** The groupings by their names on the command line. */
export const NAMED_GROUPINGS = {
  network: 'place',
  folder: 'folder',
  label: 'label',
} as const satisfies Readonly<Record<string, Grouping>>;

export type NamedGrouping = keyof typeof NAMED_GROUPINGS;

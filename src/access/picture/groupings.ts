// The criteria by which a drawing can group its objects, with readable names.
import type { Grouping } from '../../model/access/groupings.ts';

/** The criteria, by their names on the command line. */
export const NAMED_GROUPINGS = {
  network: 'place',
  folder: 'folder',
  label: 'label',
} as const satisfies Readonly<Record<string, Grouping>>;

export type NamedGrouping = keyof typeof NAMED_GROUPINGS;

// The limits of a project for what is granted for a time: how long, from whom, and to what.
import type { Span } from './diagnostic.ts';

/** The limits of one project file. */
export interface GrantLimits {
  /** The longest time from the clock of the run to the end of an object, such as `8h`. */
  readonly max?: string;
  /** Selectors of the sources; `*` in a name is any text. Any source if absent. */
  readonly from?: readonly string[];
  /** Selectors of the destinations, with or without ports. Any destination if absent. */
  readonly to?: readonly string[];
  readonly at?: Span;
}

/** The folder of grants, in the folder of desired state. */
export const GRANTS_FOLDER = 'grants';

/**
 * Whether a file, by its path from the folder of desired state, is one of grants. On some machines, the same folder has its name in
 * another case, in which `ſ` is an `s` too, or with dots and spaces at its end.
 */
export const isInGrants = (path: string): boolean =>
  path
    .split('/')
    .slice(0, -1)
    .some(name => name.replace(/[. ]+$/, '').toUpperCase() === GRANTS_FOLDER.toUpperCase());

const UNITS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** The milliseconds of `30m`, `8h`, `7d` or `2w`. */
export function lengthOf(text: string): number {
  const [, count = '0', unit = ''] = /^(\d+)([mhdw])$/.exec(text) ?? [];
  return Number(count) * (UNITS[unit] ?? 0);
}

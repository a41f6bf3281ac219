// The limits of a project for temporary grants: the duration, the sources and the destinations.
import type { Span } from './diagnostic.ts';

/** The limits of one project file. */
export interface GrantLimits {
  /** The longest time from the clock of the run to the end time of an object, such as `8h`. */
  readonly max?: string;
  /** Selectors of the allowed sources; `*` in a name matches any text. Absent if any source is allowed. */
  readonly from?: readonly string[];
  /** Selectors of the allowed destinations, with or without ports. Absent if any destination is allowed. */
  readonly to?: readonly string[];
  readonly at?: Span;
}

/** The folder of grants inside the folder of desired state. */
export const GRANTS_FOLDER = 'grants';

/**
 * Whether a file, by its path from the folder of desired state, is a file of grants. Some file systems treat names as equal that
 * differ in case (where `ſ` is an `s` too) or in trailing dots and spaces.
 */
export const isInGrants = (path: string): boolean => foldersIn(path).some(isGrants);

/**
 * Whether a file is in a folder that is called `grants` but for characters that no reader sees. Some file systems ignore these
 * characters too.
 */
export const isLikeGrants = (path: string): boolean =>
  foldersIn(path).some(name => !isGrants(name) && isGrants(name.replace(IGNORABLE, '')));

const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

const foldersIn = (path: string): readonly string[] => path.split('/').slice(0, -1);

const isGrants = (name: string): boolean =>
  name.replace(/[. ]+$/, '').toUpperCase() === GRANTS_FOLDER.toUpperCase();

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

// The guards of a folder: effects that a plan must not have unless a person accepts them by name.
import type { AccessThresholds, GuardedAccess } from './access/accessGates.ts';
import type { AccessTest } from './access/accessTest.ts';
import type { Span } from './diagnostic.ts';
import type { GrantLimits } from './grantLimits.ts';
import { visible } from './text/visible.ts';

/** The number of objects of one kind that a run may delete without `--allow`. */
export interface Threshold {
  /** The maximum number. */
  readonly deletes?: number;
  /** The maximum share of the live objects, from 0 to 1, if there are at least ten live objects. */
  readonly share?: number;
}

/** The thresholds by the plural of the kind, with `default` for the other kinds. */
export type Thresholds = Readonly<Record<string, Threshold>>;

/** The guards that the project files and the other files of a folder declare. */
export interface Guards {
  /** Objects, as `kind/key` or `kind/id:<id>`, that are never deleted or replaced. */
  readonly protect: readonly string[];
  readonly guarded: readonly GuardedAccess[];
  readonly thresholds: Thresholds;
  readonly accessThresholds: AccessThresholds;
  readonly accessTests: readonly AccessTest[];
  /** The limits of grants, one entry for each project file with such limits: all entries apply. */
  readonly grants: readonly GrantLimits[];
  /** Hazards that are accepted in every run. Unlike other guards, each added entry loosens the protection. */
  readonly allow: readonly string[];
  /** The places of the guards in files, by the text of `placeName`, as far as known. */
  readonly places: ReadonlyMap<string, Span>;
}

/**
 * The guards of other folders of the account. They count in every run, because they protect the account. Deletion limits are not
 * included, because they apply to the objects of one folder. Accepted hazards are not included, because they are accepted for one
 * folder only.
 */
export interface GuardsElsewhere {
  /** The folder that protects an object, by `kind/key` or `kind/id:<id>`. */
  readonly protect: ReadonlyMap<string, string>;
  /** Each guarded target with its folder. */
  readonly guarded: readonly GuardedAccess[];
  readonly accessThresholds: AccessThresholds;
  /** Each test with its folder. */
  readonly accessTests: readonly AccessTest[];
}

/** The types of guards that files can loosen. */
export type GuardType =
  | 'protect'
  | 'lifecycle.protect'
  | 'guarded'
  | 'thresholds'
  | 'access_thresholds'
  | 'access_tests'
  | 'grants'
  | 'allow';

/** The name of a guard in `Guards.places`. */
export const placeName = (guard: GuardType, name: string): string => `${guard} ${name}`;

/** An applied guard that the files remove or loosen. */
export interface LoosenedGuard {
  readonly guard: GuardType;
  /** The name of the guard in `--allow LOOSENS_GUARDS=`. */
  readonly name: string;
  /** The value in the files, in words that follow the name of the guard. */
  readonly change: string;
  /** The place where the guard was written; for an added entry of `allow`, where it is written now. */
  readonly at?: Span;
  /** Whether a flag removes the guard in this plan. */
  readonly allowed_by?: 'flag';
}

/** The guards with several limits. The name of a limit begins with the name of its guard, such as `grants.max`. */
const IS_PATH: ReadonlySet<GuardType> = new Set(['thresholds', 'access_thresholds', 'grants']);

/** `protect group/engineers is removed`. */
export function loosenedText({ guard, name, change }: LoosenedGuard): string {
  return visible(`${IS_PATH.has(guard) ? name : `${guard} ${name}`} ${change}`);
}

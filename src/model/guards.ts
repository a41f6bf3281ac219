// The guards of a folder: what a plan must not do unless a person accepts it by name.
import type { AccessThresholds, GuardedAccess } from './access/accessGates.ts';
import type { AccessTest } from './access/accessTest.ts';
import type { Span } from './diagnostic.ts';
import type { GrantLimits } from './grantLimits.ts';
import { visible } from './text/visible.ts';

/** The number of objects of one kind that a run may delete without `--allow`. */
export interface Threshold {
  /** The maximum number. */
  readonly deletes?: number;
  /** The maximum share of the live objects, from 0 to 1, if there are at least ten. */
  readonly share?: number;
}

/** By the plural of the kind, `default` for the others. */
export type Thresholds = Readonly<Record<string, Threshold>>;

/** The guards that the project files and the other files of a folder declare. */
export interface Guards {
  /** Objects, as `kind/key` or `kind/id:<id>`, that are never deleted or replaced. */
  readonly protect: readonly string[];
  readonly guarded: readonly GuardedAccess[];
  readonly thresholds: Thresholds;
  readonly accessThresholds: AccessThresholds;
  readonly accessTests: readonly AccessTest[];
  /** The limits of grants in each project file that has some: all of them hold. */
  readonly grants: readonly GrantLimits[];
  /** Hazards that are accepted in every run: each of them loosens all other guards. */
  readonly allow: readonly string[];
  /** Where the guards are written, by the text of `placeName`, as far as this is known. */
  readonly places: ReadonlyMap<string, Span>;
}

/**
 * The guards of other folders of the account, which count in every run: they are about the account. Limits for deletions are about
 * the objects of a folder, and what one folder accepts is accepted for that folder only.
 */
export interface GuardsElsewhere {
  /** The folder that protects an object, by `kind/key` or `kind/id:<id>`. */
  readonly protect: ReadonlyMap<string, string>;
  /** Each with its folder. */
  readonly guarded: readonly GuardedAccess[];
  readonly accessThresholds: AccessThresholds;
  /** Each with its folder. */
  readonly accessTests: readonly AccessTest[];
}

/** The loosened guard. */
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

/** A guard that was applied, and that the files remove or loosen. */
export interface LoosenedGuard {
  readonly guard: GuardType;
  /** What `--allow LOOSENS_GUARDS=` names. */
  readonly name: string;
  /** The value in the files, in words that follow its name. */
  readonly change: string;
  /** Where it was written; for an added entry of `allow`, where it is. */
  readonly at?: Span;
  /** A flag takes it away in this plan. */
  readonly allowed_by?: 'flag';
}

/** The guards that have their name in the name of the limit, such as `grants.max`. */
const IS_PATH: ReadonlySet<GuardType> = new Set(['thresholds', 'access_thresholds', 'grants']);

/** `protect group/engineers is removed`. */
export function loosenedText({ guard, name, change }: LoosenedGuard): string {
  return visible(`${IS_PATH.has(guard) ? name : `${guard} ${name}`} ${change}`);
}

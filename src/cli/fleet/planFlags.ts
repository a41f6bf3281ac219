// The flags that determine what the plans of a fleet do. They are saved with the plans, so that a
// plan can be made again on any machine.
import { isObject, type Json, type JsonObject } from '../../model/value.ts';
import type { FleetPlanFlags } from './planAccounts.ts';

const KEPT = [
  'prune',
  'allow',
  'resolve',
  'rotate',
  'forget',
  'tests',
  'newAccess',
  'kinds',
  'only',
  'except',
  'withDependencies',
  'base',
  'recordBase',
  'first',
  'strict',
  'dialect',
  'var',
] as const satisfies readonly (keyof FleetPlanFlags)[];

/**
 * Flags that matter only before the apply. A later plan with these flags would repeat their effect.
 */
const ONCE: ReadonlySet<string> = new Set(['rotate', 'first', 'forget', 'resolve']);

type Kept = Pick<FleetPlanFlags, (typeof KEPT)[number]>;

/** The flags as a document. */
export const planFlagsOf = (flags: FleetPlanFlags): JsonObject =>
  Object.fromEntries(
    KEPT.flatMap(name => (flags[name] === undefined ? [] : [[name, json(flags[name])]])),
  );

// A flag as JSON. Flags are strings, numbers, and lists and objects of these.
const json = (value: unknown): Json => value as Json;

/** The flags in a document that `planFlagsOf` made. */
export const planFlagsIn = (document: Json | undefined): Kept =>
  ({ prune: 'none', ...(isObject(document) ? document : {}) }) as unknown as Kept;

/** The recorded flags for the plan after the apply. That plan must be empty. */
export const planFlagsAfter = (document: Json | undefined): Kept =>
  planFlagsIn(
    isObject(document)
      ? Object.fromEntries(Object.entries(document).filter(([name]) => !ONCE.has(name)))
      : undefined,
  );

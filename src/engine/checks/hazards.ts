// Adds the hazards to the actions of a plan. A person must allow each hazard by its code before a run (docs/design.md#hazards).
import type { KindTable } from '../../kinds/kind.ts';
import type { Allowance } from '../../model/allowance.ts';
import type { Change } from '../../model/change.ts';
import type { HazardCode } from '../../model/codes.ts';
import { flagNamesOf, type NamedByFlags } from '../../model/flagNames.ts';
import type { Address, KindName } from '../../model/names.ts';
import type { Action, Hazard } from '../../model/plan.ts';
import { quoted } from '../../model/text/visible.ts';
import { secretShownBy } from '../actions/secretShownBy.ts';
import { sideFor } from '../conflicts/resolution.ts';
import type { FoundHazard, FoundHazards } from '../types/hazard.ts';
import type { Resolution } from '../types/settings.ts';

/** The inputs of hazards, in addition to the ordered actions. */
export interface HazardContext extends Acceptance {
  readonly kinds: KindTable;
  readonly changes: readonly Change[];
  /** The kinds with too many deletes in the plan, each with a description. */
  readonly overThreshold: ReadonlyMap<KindName, string>;
  /** Deletes that complete a replacement which an unfinished apply started. */
  readonly superseded?: ReadonlySet<Address>;
  /**
   * Deletes of objects with a unique value that a created object takes later. The key is the
   * address of the deleted object; the value is the address of the created object.
   */
  readonly gaps: ReadonlyMap<Address, Address>;
  /**
   * Hazards of any action, including creates: hazards of waiting objects, and of objects that
   * become open to everybody.
   */
  readonly ofAny?: readonly FoundHazards[];
  /** Hazards that depend on more than the verb of an action. */
  readonly hazards: readonly FoundHazards[];
}

/**
 * The actions with their hazards. If a plan deletes too many objects of a kind, only the first of these deletes has the hazard.
 */
export function withHazards(actions: readonly Action[], context: HazardContext): Action[] {
  const byAddress = new Map(context.changes.map(change => [change.address, change]));
  const along = Map.groupBy(context.changes, change => change.with);
  const unreported = new Map(context.overThreshold);
  // A two-step change reports its hazards once, on its first action.
  const reported = new Set<Address>();
  const dangersOf = (address: Address): FoundHazard[] => {
    if (reported.has(address)) return [];
    reported.add(address);
    return context.hazards.flatMap(found => found.get(address) ?? []);
  };
  const said = new Set<Address>();
  const ofAny = (address: Address): readonly FoundHazard[] => {
    if (said.has(address)) return [];
    said.add(address);
    return (context.ofAny ?? []).flatMap(found => found.get(address) ?? []);
  };
  return actions.map(planned => {
    const change = byAddress.get(planned.address);
    const children = along.get(planned.address) ?? [];
    const action = children.length > 0 ? notEnded(planned) : planned;
    const found = [
      ...[action, ...children].flatMap(({ address }) => ofAny(address)),
      ...revealing(action, context),
      ...(action.verb === 'delete' && change ? leaving(change, children, unreported, context) : []),
      ...(action.verb === 'create' ? [] : [action, ...children]).flatMap(({ address }) =>
        dangersOf(address),
      ),
    ];
    if (found.length === 0) return action;
    const hazards = found.map(hazard => ({ ...hazard, allowed: false }));
    return accepted({ ...action, hazards }, context);
  });
}

// The action without `ended`, because `ended` allows only the deletion of the ended object itself.
function notEnded({ ended: _, ...action }: Action): Action {
  return action as Action;
}

/** The hazards that a person accepts, by code or with another flag. */
export interface Acceptance {
  readonly allow: readonly Allowance[];
  /** Which side wins where the files and the account both changed. */
  readonly resolve?: readonly Resolution[];
  /** Whether there is a place for one-time secrets. */
  readonly hasSink: boolean;
}

/** An action with the newly accepted hazards marked as allowed. Earlier marks remain. */
export function accepted<T extends Action>(
  action: T,
  { allow, hasSink, resolve = [] }: Acceptance,
): T {
  const isAccepted = (code: HazardCode) =>
    (code === 'REVEALS_SECRET' && hasSink) ||
    (code === 'DELETES_OBJECT' && action.ended === true) ||
    (code === 'CONFLICT' && sideFor(resolve, flagNamesOf(named(action))) === 'desired') ||
    allow.some(one => accepts(one, code, action));
  const hazards = action.hazards.map(hazard => ({
    ...hazard,
    allowed: hazard.allowed || isAccepted(hazard.code),
  }));
  return { ...action, hazards };
}

function revealing(action: Action, { kinds }: HazardContext): FoundHazard[] {
  const secret = secretShownBy(action, kinds.get(action.kind));
  if (secret === undefined) return [];
  const what = action.verb === 'create' ? 'creating' : 'renewing';
  const message = `${what} ${action.address} shows its ${quoted(secret)} only once; store it with --secrets-to`;
  return [{ code: 'REVEALS_SECRET', message }];
}

function leaving(
  change: Change,
  children: readonly Change[],
  unreported: Map<KindName, string>,
  context: HazardContext,
): FoundHazard[] {
  return [
    ...(change.type === 'replace'
      ? replacing(change, context)
      : deleting(change, children, context)),
    ...[change, ...children].flatMap(({ kind }) => tooMany(kind, unreported)),
  ];
}

function replacing({ address, kind }: Change, { kinds }: HazardContext): FoundHazard[] {
  const replaces: FoundHazard = {
    code: 'REPLACES_OBJECT',
    message: `${address} is deleted and created again: its id changes`,
  };
  if (kinds.get(kind)?.replace === 'create-first') return [replaces];
  return [
    replaces,
    { code: 'GAP', message: `${address} does not exist between the delete and the create` },
  ];
}

function deleting(
  { address }: Change,
  children: readonly Change[],
  { gaps, superseded }: HazardContext,
): FoundHazard[] {
  if (superseded?.has(address))
    return [
      {
        code: 'REPLACES_OBJECT',
        message: `${address} is deleted: an unfinished apply has created its replacement`,
      },
    ];
  const count = children.length;
  const along = count > 0 ? `, and ${count} object${count > 1 ? 's' : ''} with it` : '';
  const deletes: FoundHazard = { code: 'DELETES_OBJECT', message: `${address} is deleted${along}` };
  const heir = gaps.get(address);
  if (heir === undefined) return [deletes];
  const message = `${address} must be deleted before ${heir} is created: for a moment neither exists`;
  return [deletes, { code: 'GAP', message }];
}

function tooMany(kind: KindName, unreported: Map<KindName, string>): FoundHazard[] {
  const message = unreported.get(kind);
  unreported.delete(kind);
  return message === undefined ? [] : [{ code: 'OVER_THRESHOLD', message }];
}

const named = ({ kind, key, partOf }: Action): NamedByFlags => ({ kind, key, partOf });

function accepts(allowance: Allowance, code: HazardCode, action: Action): boolean {
  const { object } = allowance;
  return (
    allowance.code === code && (object === undefined || flagNamesOf(named(action)).includes(object))
  );
}

/** The `--allow` flags that the plan needs; empty if it may be carried out already. */
export function missingAllowances(
  actions: readonly Action[],
): { code: HazardCode; hazard: Hazard; action: Action }[] {
  return actions.flatMap(action =>
    action.hazards
      .filter(hazard => !hazard.allowed)
      .map(hazard => ({ code: hazard.code, hazard, action })),
  );
}

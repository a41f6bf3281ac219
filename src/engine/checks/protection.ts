// Protected objects. No file and no flag can delete or replace them.
import { LOOSENS_GUARDS } from '../../model/acceptedGuards.ts';
import type { Diagnostic, Span } from '../../model/diagnostic.ts';
import { flagNamesOf } from '../../model/flagNames.ts';
import { addressOf, idInKey, idKey } from '../../model/key.ts';
import type { Key, KindName } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { quoted } from '../../model/text/visible.ts';
import { isOwnUser, OWN_USER } from '../pruning/ownUser.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { Pairing } from '../types/pairing.ts';
import type { PlanContext } from '../types/planContext.ts';
import type { FormerProtection } from './loosenedProtection.ts';

/**
 * The objects that the files or other folders of the account protect, or that were protected at the
 * last apply.
 */
export interface Protected {
  /** The protect list of the files. */
  readonly listed: ReadonlySet<string>;
  /** The entries of other folders, each with its folder. */
  readonly elsewhere: ReadonlyMap<string, string>;
  readonly former: FormerProtection;
  /**
   * Returns the keys of the declared objects, in all folders, if the server stores the object as
   * one of their parts.
   */
  readonly wholesOf: (called: Called) => readonly Key[];
}

interface Called {
  readonly kind: KindName;
  readonly key: Key;
}

/**
 * Errors for deletes and replacements of protected objects. An object is protected by its kind, by
 * its declaration in the files or in the base, or by an entry `kind/key` or `kind/id:<id>` of a
 * list. `key` may be the name in the plan, in the account or in the base. A rename of the object or
 * of its parent is refused if the new name is not in the list, because the next plan could delete
 * the object.
 */
export function protectedFaults(
  objects: readonly ObjectChange[],
  { pairs, bystanders, unpaired }: Pick<Pairing, 'pairs' | 'bystanders' | 'unpaired'>,
  list: Protected,
  context: PlanContext,
): Diagnostic[] {
  const going = objects.filter(({ change: { type } }) => type === 'delete' || type === 'replace');
  const gone = new Set(going.map(({ live }) => live));
  const places = new Map([...pairs, ...bystanders].map(({ desired, live }) => [live, desired.at]));
  const staying = [...places.keys(), ...unpaired].filter(live => !gone.has(live));
  return [
    ...going.flatMap(object => takenAway(object, list, context)),
    ...staying
      .filter(live => !givesNameBack(live, staying, list, context))
      .flatMap(live => renamedOff(live, places.get(live), list, context)),
  ];
}

function takenAway(object: ObjectChange, list: Protected, context: PlanContext): Diagnostic[] {
  const { change, desired, droppedFrom } = object;
  const protection = protectionOf(object, list, context);
  if (protection === undefined) return [];
  const { is, hint } = protection;
  const message = `${change.address} is ${is} and would be ${change.type}d`;
  return [fault(message, hint, (desired ?? droppedFrom)?.at)];
}

// Whether the plan reverts an exchange of names in the account. If it does, the base knows another
// object under the protected name, and the list contains the id of that object. This object has the
// protected name only until the plan is applied.
function givesNameBack(
  live: Live,
  staying: readonly Live[],
  { listed, elsewhere }: Protected,
  context: PlanContext,
): boolean {
  if (context.keyOf(live) === live.key) return false;
  return staying.some(other => {
    const isItsName =
      other !== live && other.kind === live.kind && context.keyOf(other) === live.key;
    const byId = `${other.kind}/${idKey(other.id)}`;
    return isItsName && (listed.has(byId) || elsewhere.has(byId));
  });
}

// Refuses a rename if the list contains the name of the object in the account, but none of its
// names after the plan.
function renamedOff(
  live: Live,
  at: Span | undefined,
  { listed, elsewhere, former, wholesOf }: Protected,
  context: PlanContext,
): Diagnostic[] {
  const { kind, id } = live;
  const key = context.keyOf(live);
  if (key === live.key || idInKey(key) !== null) return [];
  const partOf = context.wholeOf({ kind, key });
  const isListed = (name: string) =>
    listed.has(name) || elsewhere.has(name) || former.listed.has(name);
  if (flagNamesOf({ kind, key, id, partOf }).some(isListed)) return [];
  const entry = namesWithWholes(live, wholesOf).find(isListed);
  if (entry === undefined) return [];
  const message = `${quoted(entry)} is protected and would be renamed to ${addressOf(kind, key)}, which is not protected`;
  const folder = elsewhere.get(entry);
  const adding = (list: string) => `add ${quoted(`${kind}/${key}`)} to the protect list of ${list}`;
  const hint = listed.has(entry)
    ? adding('the project file')
    : folder === undefined
      ? laterOr(entry)
      : adding(quoted(folder));
  return [fault(message, hint, at)];
}

// The hint for protection that the same change removes.
const laterOr = (name: string): string =>
  `the same change removes that protection: first apply a change that removes only the protection, without --kinds, --only and --except, and apply the rest in a later change; or add --allow ${shellWord(`${LOOSENS_GUARDS}=${name}`)}`;

function fault(message: string, hint: string, at: Span | undefined): Diagnostic {
  return { code: 'PROTECTED', severity: 'error', message, ...(at && { at }), hint };
}

/** The name of an object, and the names of the objects of which it is a part. */
const namesWithWholes = (
  { kind, key }: Called,
  wholesOf: Protected['wholesOf'],
): readonly string[] =>
  [key, ...wholesOf({ kind, key })].flatMap(one => flagNamesOf({ kind, key: one }));

/** All names of an object: in the plan, in the account and in the base. */
function allNamesOf(
  { change, desired, live }: ObjectChange,
  { wholesOf }: Protected,
  { formerNames }: PlanContext,
): readonly string[] {
  const keys = [live?.key, desired?.key, formerNames.get(change.address)];
  const others = keys.flatMap(key =>
    key === undefined ? [] : namesWithWholes({ kind: change.kind, key }, wholesOf),
  );
  return [...flagNamesOf(change), ...others];
}

function protectionOf(
  object: ObjectChange,
  list: Protected,
  context: PlanContext,
): { readonly is: string; readonly hint: string } | undefined {
  const { listed, elsewhere, former } = list;
  const { change, desired, live, droppedFrom } = object;
  const { kind } = change;
  if (live && isOwnUser(context.kind(kind), live))
    return { is: OWN_USER, hint: 'use the token of another user for this' };
  const takingAway = (what: string, is = 'protected') => ({
    is,
    hint: `if this is intended, first remove ${what} in a separate change`,
  });
  if ([desired, droppedFrom].some(one => one?.lifecycle.protect))
    return takingAway('lifecycle.protect');
  const names = allNamesOf(object, list, context);
  const entry = names.find(name => listed.has(name));
  if (entry !== undefined)
    return takingAway(`${quoted(entry)} from the protect list of the project file`);
  const other = names.find(name => elsewhere.has(name));
  const folder = other === undefined ? undefined : elsewhere.get(other);
  if (other !== undefined && folder !== undefined)
    return takingAway(
      `${quoted(other)} from what ${quoted(folder)} protects`,
      `protected by ${quoted(folder)}`,
    );
  const gone = names.find(name => former.listed.has(name));
  if (gone !== undefined) return { is: FORMER, hint: laterOr(gone) };
  const name = formerlyProtected(object, former, context);
  return name === undefined ? undefined : { is: FORMER, hint: laterOr(name) };
}

const FORMER = 'protected as the files were last applied';

/**
 * The name under which the object was protected when the files were last applied. Undefined if it
 * was not protected, or if a flag removes the protection.
 */
function formerlyProtected(
  { change, live }: ObjectChange,
  { objects }: FormerProtection,
  { wholeOf, formerNames }: PlanContext,
): string | undefined {
  const { kind, key, address } = change;
  const addresses = [address, ...(live ? [addressOf(kind, live.key)] : [])];
  if (!addresses.some(one => objects.has(one))) return undefined;
  return `${kind}/${wholeOf({ kind, key }) ?? formerNames.get(address) ?? key}`;
}

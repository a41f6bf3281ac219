// Deletions that a plan does not carry out. If the files became the next base, no record would show
// that these files created the objects.

import { isKeptByAccount } from '../../kinds/identity/keptByAccount.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf, idInKey } from '../../model/key.ts';
import type { Address, Key, KindName } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import { exactPattern } from '../../model/objectName.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { quoted } from '../../model/text/visible.ts';
import { nameLive } from '../pairing/namedObjects.ts';
import { clashOf, namedBy } from '../scope/selection.ts';
import type { Wholes } from '../scope/wholes.ts';
import type { Meant, Pairing, RecordedIds } from '../types/pairing.ts';
import type { PlanContext } from '../types/planContext.ts';
import type { IsSelected } from '../types/selection.ts';
import type { PruneMode } from '../types/settings.ts';
import { isAnotherById } from './anotherById.ts';
import type { DeclaredBy } from './declaredElsewhere.ts';
import { meansLive } from './meansLive.ts';
import type { Pruning } from './prune.ts';

/** An object by its name. */
interface Called {
  readonly kind: KindName;
  readonly key: Key;
}

/** An object of a base that the files no longer declare, and that stays in the account. */
export interface Unpruned extends Called {
  /** Why the plan does not delete the object; absent if only a flag is missing. */
  readonly because?: string | undefined;
}

/** The facts that decide which objects stay. */
export interface StayingRules {
  readonly kinds: KindTable;
  /** The pairing of the run with this base. */
  readonly pairing: Pairing;
  readonly pruning: Pruning;
  readonly isSelected: IsSelected;
  /** Returns the other folder that declares an object now. */
  readonly declaredBy: DeclaredBy;
  /** The objects that were forgotten. */
  readonly isForgotten: IsSelected;
  readonly meant: Meant | undefined;
  readonly recordedIds: RecordedIds | undefined;
}

/** The note for settings of a base that the files no longer declare. */
export function unmanagedSettings(left: readonly Unpruned[], kinds: KindTable): Diagnostic[] {
  const settings = left.filter(({ kind }) => isKeptByAccount(kinds.get(kind)));
  if (settings.length === 0) return [];
  const message = `no longer managed, and left as they are in the account: ${addressesOf(settings).join(', ')}`;
  return [{ code: 'SETTINGS_UNMANAGED', severity: 'note', message }];
}

/** The objects of a base that stay although no file declares them. Includes settings, but not forgotten objects. */
export function unpruned(
  {
    kinds,
    pairing,
    pruning,
    isSelected,
    declaredBy,
    isForgotten,
    meant = new Map(),
    recordedIds,
  }: StayingRules,
  context: PlanContext,
): Unpruned[] {
  const gone = new Set(pruning.deletes.map(({ live }) => live));
  const held = new Map(
    pruning.leftAlone.flatMap(({ id, reason, because }) =>
      reason === 'referenced' ? [[id, because] as const] : [],
    ),
  );
  const isDeclared = declaredIn(pairing);
  const staying = pairing.unpaired
    .filter(live => !gone.has(live) && live.reserved === undefined)
    .filter(live => declaredBy(live) === undefined)
    .filter(live => {
      const name = nameOf(live, isDeclared, context);
      // The id in the base may show that the live object is a different object, or that the object
      // was deleted.
      const isOther =
        (meant.has(name) && meant.get(name) !== live.id) ||
        isAnotherById(live, { meant, recordedIds }, context);
      const former = context.base.get(name);
      return former !== undefined && meansLive(former, live) && !isOther;
    })
    .map(live => ({ kind: live.kind, key: context.keyOf(live), because: held.get(live.id) }));
  // For objects outside the run, the next base keeps the declarations of the bases.
  return staying.filter(
    object =>
      kinds.get(object.kind)?.neverPruned !== true && isSelected(object) && !isForgotten(object),
  );
}

/** Objects that may be forgotten: in the account or a base, and declared by no file. */
export function forgettable(
  base: readonly Desired[],
  pairing: Pairing,
  context: PlanContext,
): Called[] {
  const isDeclared = declaredIn(pairing);
  const known = [...base, ...context.base.values()].map(({ kind, key }) => ({ kind, key }));
  const live = pairing.unpaired.map(one => ({ kind: one.kind, key: context.keyOf(one) }));
  return [...known.filter(({ kind, key }) => !isDeclared(addressOf(kind, key))), ...live];
}

function declaredIn({ pairs, creates, bystanders }: Pairing): (address: Address) => boolean {
  const declared = [...pairs, ...bystanders].map(({ desired }) => desired);
  const addresses = new Set([...declared, ...creates].map(({ kind, key }) => addressOf(kind, key)));
  return address => addresses.has(address);
}

// The address of a live object by its plain name, if no declared object has that name. Objects that
// share a name have a number after it, and the plain name may denote any of them.
function nameOf(
  live: Live,
  isDeclared: (address: Address) => boolean,
  context: PlanContext,
): Address {
  const called = context.addressOf(live);
  if (idInKey(context.keyOf(live)) === null) return called;
  const { key } = nameLive(context.kind(live.kind), live, context.naming);
  const own = key === null ? called : addressOf(live.kind, key);
  return isDeclared(own) ? called : own;
}

/** Errors for objects that no record would contain any more if the files became the next base. */
export function unprunedFaults(
  lost: readonly Unpruned[],
  mode: PruneMode,
  { kinds, wholes }: { readonly kinds: KindTable; readonly wholes: Wholes },
): Diagnostic[] {
  return lost.map(({ kind, key, because }) => {
    const whole = { kind, key: wholes.keyOf({ kind, key }) };
    const name = exactPattern(whole, kinds.get(kind)?.depth ?? 1);
    const forget = `stop managing it with --forget ${shellWord(name)}`;
    const isDeletable = kinds.get(kind)?.verbs.has('delete') === true;
    const isFlagMissing = mode !== 'removed' && because === undefined && isDeletable;
    const why = because === undefined ? '' : `: ${because}`;
    return {
      code: 'REMOVAL_NOT_PRUNED',
      severity: 'error',
      message: `${addressOf(kind, key)} is no longer declared and stays in the account${why}`,
      hint: isFlagMissing
        ? `delete it with --prune removed, or ${forget}`
        : because === undefined
          ? forget
          : `include what refers to it in the run, or delete that first; otherwise ${forget}`,
    };
  });
}

/** Errors for names in `--forget` that match no object, or only objects that the files still declare. */
export function forgetFaults(
  names: readonly string[],
  known: readonly Called[],
  { kinds, wholes }: { readonly kinds: KindTable; readonly wholes: Wholes },
): Diagnostic[] {
  return names.flatMap((name): Diagnostic[] => {
    const clash = clashOf(name, known, kinds);
    if (clash) return [clash];
    if (known.some(namedBy([name], kinds, wholes))) return [];
    const message = `${quoted(name)} cannot be forgotten: neither the base nor the account has an undeclared object of that name`;
    const hint = 'write kind/name as in the last version of the files; `*` matches any text';
    return [{ code: 'SELECTION_UNKNOWN', severity: 'error', message, hint }];
  });
}

/** The addresses of objects, sorted and without duplicates. */
export function addressesOf(objects: readonly Called[]): readonly Address[] {
  return [...new Set(objects.map(({ kind, key }) => addressOf(kind, key)))].sort();
}

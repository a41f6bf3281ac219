// Members that joined a set by enrolment, such as machines in a group. No file declares these
// members, so they are lost if the set is deleted or replaced.
import { addressOf } from '../../model/key.ts';
import type { Address } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import { declaredIn, type OtherFolder } from '../../model/otherFolder.ts';
import { isList, type Json } from '../../model/value.ts';
import { replacementFields } from '../diff/replacement.ts';
import { declaredFields } from '../pairing/planContext.ts';
import type { RenameHint } from '../renames/renameHints.ts';
import type { FoundHazard, FoundHazards } from '../types/hazard.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { PlanContext } from '../types/planContext.ts';

/**
 * The number of undeclared members that a set loses, by the address of the set. A member does not
 * count if a likely successor of the set, or another folder of the account, declares it.
 */
export function memberLosses(
  objects: readonly ObjectChange[],
  hints: readonly RenameHint[],
  others: readonly OtherFolder[],
  context: PlanContext,
): FoundHazards {
  const elsewhere = Map.groupBy(declaredIn(others), ({ kind, key }) => addressOf(kind, key));
  return new Map(
    objects.flatMap((object): [Address, FoundHazard[]][] => {
      const lost = lostMembers(object, { hints, elsewhere }, context);
      if (lost === 0) return [];
      const { address, type } = object.change;
      const who = lost === 1 ? '1 member' : `${lost} members`;
      const verb = type === 'delete' ? 'deleted' : 'replaced';
      const message = `${who} of ${address} joined by enrolment: no file declares ${lost === 1 ? 'it, and it loses its' : 'them, and they lose their'} membership when the set is ${verb}`;
      return [[address, [{ code: 'LOSES_MEMBERS', message }]]];
    }),
  );
}

function lostMembers(
  { change, live, desired }: ObjectChange,
  {
    hints,
    elsewhere,
  }: {
    readonly hints: readonly RenameHint[];
    readonly elsewhere: ReadonlyMap<Address, readonly Desired[]>;
  },
  context: PlanContext,
): number {
  if (!live || (change.type !== 'delete' && change.type !== 'replace')) return 0;
  const kind = context.kind(change.kind);
  const before = context.fieldsOf(live);
  const address = context.addressOf(live);
  const former = context.base.get(address);
  const successor = hints.find(hint => hint.live === live)?.desired;
  const declared = [desired, former, successor, ...(elsewhere.get(address) ?? [])]
    .filter(one => one !== undefined)
    .map(one => declaredFields(one, context));
  const after =
    change.type === 'replace' ? replacementFields(kind, change.after ?? {}, live, context) : {};
  const kept = [...declared, after];
  return [...kind.shape.fields.values()]
    .filter(({ shared, writtenAs }) => shared && writtenAs === undefined)
    .map(({ name }) => {
      const known = new Set(kept.flatMap(fields => textsOf(fields[name])));
      return textsOf(before[name]).filter(text => !known.has(text)).length;
    })
    .reduce((sum, count) => sum + count, 0);
}

const textsOf = (value: Json | undefined): string[] =>
  isList(value) ? value.map(item => JSON.stringify(item)) : [];

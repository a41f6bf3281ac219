// Changes that are hazards by what the kind says of their fields: each with the number of objects that it is about.
import type { Danger } from '../../kinds/kind.ts';
import { isEmpty } from '../../kinds/values/canonical.ts';
import { hasMoved } from '../../kinds/values/moves.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import { addressOf } from '../../model/key.ts';
import { type Address, type Key, kindName } from '../../model/names.ts';
import { quoted } from '../../model/text/visible.ts';
import { type Fields, isList, type Json } from '../../model/value.ts';
import type { AccountState, StateObject } from '../types/accountState.ts';
import type { FoundHazard, FoundHazards } from '../types/hazard.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { DraftPlan } from './draftPlan.ts';

/** The hazards of changes, by the address of the changed object. */
export function dangers(
  plan: Pick<DraftPlan, 'changes' | 'before' | 'after' | 'context'>,
): FoundHazards {
  return new Map(
    plan.changes.flatMap((object): [Address, FoundHazard[]][] => {
      const kind = plan.context.kind(object.change.kind);
      const found = kind.dangers.flatMap(danger => hazardOf(danger, object, plan));
      return found.length === 0 ? [] : [[object.change.address, found]];
    }),
  );
}

function hazardOf(
  danger: Danger,
  { change: { address, fields: changed } }: ObjectChange,
  { before, after, context }: Pick<DraftPlan, 'before' | 'after' | 'context'>,
): FoundHazard[] {
  const { field, code, says } = danger;
  if (!changed.some(({ path }) => path[0] === field)) return [];
  const from = before.objects.get(address);
  const to = after.objects.get(address);
  if (!from || !to || !hasMoved(danger.when, from.fields[field], to.fields[field])) return [];
  const count = countOf(danger, { from, to, before }, context);
  if (count === 0 && danger.evenNone !== true) return [];
  const { noun, plural } = context.kind(kindName(danger.counts.kind));
  const who =
    count === undefined
      ? `an unknown number of ${plural}`
      : `${count} ${count === 1 ? noun : plural}`;
  return [{ code, message: `${quoted(field)} of ${address} changes: ${says} (${who})` }];
}

// Undefined if the account does not show them.
function countOf(
  danger: Danger,
  { from, to, before }: { from: StateObject; to: StateObject; before: AccountState },
  { kind: kindOf }: Pick<DraftPlan['context'], 'kind'>,
): number | undefined {
  const { counts, field, when } = danger;
  const name = kindName(counts.kind);
  if (before.unread.has(name)) return undefined;
  const { through } = counts;
  if (through === undefined)
    return [...before.objects.values()].filter(
      one => one.kind === name && hasAll(one, counts.having),
    ).length;
  const shape = kindOf(from.kind).shape.fields.get(field)?.shape;
  const membersOf = (value: Json | undefined): Set<string> =>
    new Set(
      (shape ? refsIn(shape, value) : []).flatMap(({ kind, key }) => {
        const set = before.objects.get(addressOf(kind, key as Key))?.fields[through];
        return isList(set) ? set.map(String) : [];
      }),
    );
  const old = membersOf(from.fields[field]);
  const now = membersOf(to.fields[field]);
  return (when === 'loses' ? old.difference(now) : now.difference(old)).size;
}

function hasAll({ fields, live }: StateObject, names: readonly string[] = []): boolean {
  const all: Fields = { ...live?.serverFields, ...fields };
  return names.every(name => all[name] === true || (all[name] !== false && !isEmpty(all[name])));
}

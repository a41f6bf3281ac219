// Members that join or leave a set to which a setting refers. This is the same hazard as a change
// of the setting. The kind of the setting declares the hazard. A setting that was not read causes
// no hazard.
import type { Danger } from '../../kinds/kind.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, Key } from '../../model/names.ts';
import { kindName } from '../../model/names.ts';
import { quoted } from '../../model/text/visible.ts';
import type { StateObject } from '../types/accountState.ts';
import type { FoundHazard, FoundHazards } from '../types/hazard.ts';
import type { PlanInAccount } from '../types/planInAccount.ts';
import { addressesIn, concernedIn, isInEffect, membersIn, whoIn } from './dangerousChanges.ts';

/** A setting before and after a plan, and the hazard that its kind declares for one of its lists of sets. */
interface Setting {
  readonly address: Address;
  readonly from: StateObject;
  readonly to: StateObject;
  readonly danger: Danger;
}

/** The hazards of members that join or leave such sets, by the address of the changed set. */
export function dangerousMembers(plan: PlanInAccount): FoundHazards {
  const found = new Map<Address, FoundHazard[]>();
  for (const setting of settingsIn(plan))
    for (const { set, hazard } of hazardsOf(setting, plan))
      found.set(set, [...(found.get(set) ?? []), hazard]);
  return found;
}

const settingsIn = ({ before, after, context }: PlanInAccount): readonly Setting[] =>
  [...before.objects].flatMap(([address, from]) => {
    const to = after.objects.get(address);
    const dangers = context.kind(from.kind).dangers;
    const own = dangers.filter(({ counts }) => counts.through !== undefined && !counts.in);
    return to === undefined ? [] : own.map(danger => ({ address, from, to, danger }));
  });

interface Found {
  readonly set: Address;
  readonly hazard: FoundHazard;
}

function hazardsOf({ address, from, to, danger }: Setting, plan: PlanInAccount): readonly Found[] {
  const { changes, before, after, context } = plan;
  const { field, code, says, counts, when } = danger;
  const { through = '' } = counts;
  if (!isInEffect(danger, to.fields)) return [];
  const shape = context.kind(from.kind).shape.fields.get(field)?.shape;
  const then = addressesIn(shape, from.fields[field]);
  const now = addressesIn(shape, to.fields[field]);
  // A member that is also in another set of the list is not affected.
  const was = membersIn(before, then, through);
  const is = membersIn(after, now, through);
  const isChanged = (set: Address) =>
    changes.some(
      ({ change }) =>
        change.address === set && change.fields.some(({ path }) => path[0] === through),
    );
  const kind = context.kind(kindName(counts.kind));
  return then
    .filter(set => now.includes(set) && isChanged(set))
    .flatMap((set): Found[] => {
      const own = { was: membersIn(before, [set], through), is: membersIn(after, [set], through) };
      const moved = when === 'loses' ? own.was.difference(is) : own.is.difference(was);
      const objects = [...moved].flatMap(
        key => before.objects.get(addressOf(kind.name, key as Key)) ?? [],
      );
      if (objects.length === 0) return [];
      const who = whoIn(objects, kind, counts.names === true);
      const sentence = `${quoted(through)} of ${set} changes, which ${quoted(field)} of ${address} names: ${says}`;
      const message = `${sentence} (${who})`;
      return [{ set, hazard: { code, message, says: sentence, concerned: concernedIn(objects) } }];
    });
}

// The set members that a declaration no longer contains, under their names in the account. A
// machine that somebody renamed is still the member that the base identifies by its id. Another
// object that now has the name is not the member.
import type { Field, Kind } from '../../kinds/kind.ts';
import type { EndedMembers } from '../../model/ending.ts';
import { addressOf, idInKey } from '../../model/key.ts';
import type { Desired } from '../../model/object.ts';
import { type Fields, type Json, listOf, type Path } from '../../model/value.ts';
import { declaredFields, formerFields } from '../pairing/planContext.ts';
import type { Pair } from '../types/pairing.ts';
import type { FolderOf, PlanContext } from '../types/planContext.ts';

/**
 * The shared sets of a declaration in the base. Members that the files no longer declare get the
 * current names of their objects. Members that the files or other folders still declare keep their
 * names, so that a member is not removed only because its name resolves to no object.
 */
export function formerSets(desired: Desired, former: Desired, context: PlanContext): Fields {
  const [base = {}] = formerFields(former, context);
  const byIds = context.fieldsByIds.get(addressOf(former.kind, former.key));
  if (byIds === undefined) return base;
  const whole = declaredFields({ ...desired, fields: desired.whole ?? desired.fields }, context);
  const sets = sharedSets(context.kind(desired.kind)).flatMap(({ name }) => {
    const names = listOf(former.fields[name]);
    const ids = listOf(byIds[name]);
    const declared = new Set([...listOf(whole[name]), ...theirs(desired, name)].map(textOf));
    const mapped = names.map((member, i) => {
      const now = ids[i] ?? member;
      return [member, now].some(one => declared.has(textOf(one))) ? member : now;
    });
    return names.length === 0 ? [] : [[name, mapped] as const];
  });
  const fields = { ...former.fields, ...Object.fromEntries(sets) };
  return declaredFields({ ...former, fields }, context);
}

/** The ended members of shared sets that these files declared before, with the current names of their objects. */
export function endedSets(pair: Pair, context: PlanContext): Fields {
  const { ended } = pair.desired;
  return ended ? setsOf(pair, context.ownMembers(ended, pair).own, context) : {};
}

/** The ended members of shared sets that stay, because somebody else added them or another folder declares them. */
export function stayingMembers(pair: Pair, context: PlanContext): readonly StayingMembers[] {
  const { desired, live } = pair;
  const { ended } = desired;
  if (!ended) return [];
  const { exact = [], ignore = [] } = desired.lifecycle;
  const now = context.fieldsOf(live);
  const heldAmong = (found: readonly EndedMembers[], folder?: FolderOf): StayingMembers[] =>
    Object.entries(setsOf(pair, found, context)).flatMap(([name, value]): StayingMembers[] => {
      if (exact.includes(name) || ignore.includes(name)) return [];
      const there = new Set(listOf(now[name]).map(textOf));
      const names = listOf(value)
        .filter(member => there.has(textOf(member)))
        .map(String);
      return names.length === 0 ? [] : [{ list: [name], names, ...(folder && { folder }) }];
    });
  const { others, shared } = context.ownMembers(ended, pair);
  return [...heldAmong(others), ...shared.flatMap(one => heldAmong([one], one.folder))];
}

/** Members of one list, and the folder that also declares them. */
export interface StayingMembers {
  readonly list: Path;
  readonly names: readonly string[];
  readonly folder?: FolderOf;
}

function setsOf(
  { desired: { kind } }: Pair,
  found: readonly EndedMembers[],
  context: PlanContext,
): Fields {
  const sets = sharedSets(context.kind(kind)).map(field => {
    const own = found.filter(({ list }) => list.length === 1 && list[0] === field.name);
    const names = own.flatMap(one => [...one.names]);
    return [field.name, names.map(member => currentName(field, member, context))] as const;
  });
  return Object.fromEntries(sets);
}

function currentName(
  { shape }: Field,
  member: string,
  { naming, keyOfRecorded }: PlanContext,
): string {
  const ref = shape.type === 'list' && shape.items.type === 'scalar' ? shape.items.ref : undefined;
  if (ref === undefined) return member;
  return idInKey(member) === null
    ? (keyOfRecorded(ref, member) ?? member)
    : naming.keyOf(ref, member);
}

const sharedSets = ({ shape }: Kind): readonly Field[] =>
  [...shape.fields.values()].filter(({ shared }) => shared);

const theirs = ({ elsewhere }: Desired, name: string): readonly Json[] => listOf(elsewhere?.[name]);

const textOf = (member: Json): string => JSON.stringify(member);

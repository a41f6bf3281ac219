// Determines which members of a set the files declare, if an earlier run wrote the set and a later
// run follows. The later files decide.
import type { Kind } from '../../../kinds/kind.ts';
import { idKey } from '../../../model/key.ts';
import type { RemoteId } from '../../../model/names.ts';
import type { Plan } from '../../../model/plan.ts';
import type { BaseContent, RecordedObject } from '../../../model/recordedBase.ts';
import { isList } from '../../../model/value.ts';
import type { RunNames } from '../turns/runNames.ts';
import { memberKind } from '../turns/sentMembers.ts';
import type { DeclaredIn } from './declaredMembers.ts';
import { type KnownSets, knownSets } from './memberSets.ts';

/** Two plans for the same files. */
interface BothPlans {
  readonly earlier: Plan;
  readonly sets: KnownSets;
  readonly plan: Plan;
  readonly names: RunNames;
}

/**
 * Returns the declared members. A member in the earlier files that is not in the later files counts
 * as removed, and so do members that either plan removes.
 */
export function declaredLater({ earlier, sets, plan, names }: BothPlans): DeclaredIn {
  const before = recordedMembers(earlier.base?.content);
  const now = recordedMembers(plan.base?.content);
  const later = knownSets(plan, names);
  return (kind, id, field) => {
    const removing = sets.declared(kind, id, field);
    const planned = later.declared(kind, id, field);
    const listed = now?.(kind, id, field);
    const wanted = planned.wanted.union(listed?.members ?? new Set<string>());
    const former = before?.(kind, id, field).members ?? new Set<string>();
    const dropped = listed ? former.difference(listed.members) : new Set<string>();
    return {
      isWhole: planned.isWhole || listed?.isExact === true,
      isExact: planned.isExact || listed?.isExact === true,
      wanted,
      // A member in the later files may be added, whoever removed it during the earlier run.
      added: wanted,
      removed: removing.removed.union(planned.removed).union(dropped).difference(wanted),
    };
  };
}

/** The members of a set that a base lists. */
interface ListedMembers {
  /** As `id:<value>`. Members whose ids the base does not contain are left out. */
  readonly members: ReadonlySet<string>;
  readonly isExact: boolean;
}

type ListedIn = (kind: Kind, id: RemoteId, field: string) => ListedMembers;

// Undefined if the plan records no base, because in that case only its actions show what is
// declared.
function recordedMembers(content: BaseContent | undefined): ListedIn | undefined {
  if (content === undefined) return undefined;
  const { ids = [], objects } = content;
  const idOf = new Map(ids.map(({ kind, key, id }) => [`${kind} ${key}`, id]));
  return (kind, id, field) => {
    const own = objects.filter(
      one => one.kind === kind.name && idOf.get(`${one.kind} ${one.key}`) === id,
    );
    const ref = memberKind(kind, field);
    const members = own
      .flatMap(object => namesIn(object, field))
      .flatMap(name => {
        const member = idOf.get(`${ref} ${name}`);
        return member === undefined ? [] : idKey(member);
      });
    const isExact = own.some(({ lifecycle }) => lifecycle?.exact?.includes(field) === true);
    return { members: new Set(members), isExact };
  };
}

function namesIn({ fields }: RecordedObject, field: string): readonly string[] {
  const members = fields[field];
  return isList(members) ? members.map(String) : [];
}

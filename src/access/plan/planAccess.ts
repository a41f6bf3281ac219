// The access diff of a plan: the difference between the access in the account now and after the
// plan.
import {
  type AccessChangeEntry,
  type IdleEntry,
  NOT_ABOUT_ACCESS,
  type PlanAccess,
  type RightEntry,
} from '../../model/access/planAccess.ts';
import type { Address } from '../../model/names.ts';
import type { Plan } from '../../model/plan.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { unreadText } from '../ask/answer.ts';
import { memberSetNamer } from '../ask/memberSetNames.ts';
import type { AccessChange } from '../diff/accessChange.ts';
import type { Target } from '../flows/targets.ts';
import { and, count, or } from '../sets/bits.ts';
import type { AccessState } from '../state/accessState.ts';
import { effectiveChanges, leadingIn, partsIn } from './causes.ts';
import { causesByOmission } from './causesByOmission.ts';
import { type ComparedAccess, causesOf, entryOf } from './changeEntry.ts';
import type { Comparison } from './comparison.ts';
import { destinationIdsOf } from './destinationIds.ts';
import { flowCount } from './flowCount.ts';
import { byGain, gainsOf } from './gains.ts';
import { idleChanges, idleGrants } from './idleChanges.ts';
import { shownMembersOf } from './shownMembers.ts';

/** What is needed to describe the changes of access by a plan. */
interface ComparedPlan extends ComparedAccess {
  /** Returns the changes of the plan that affect where targets lead. */
  readonly leading: (targets: readonly Target[]) => readonly Address[];
}

/** Prepares the description of changes of access; undefined if no access changes. */
export function comparedAccessIn(
  plan: Pick<Plan, 'changes'>,
  { stateBefore, stateAfter, moved, before, after, changes: changesOf, parts }: Comparison,
): ComparedPlan | undefined {
  const { changes } = changesOf();
  if (changes.length === 0) return undefined;
  const effective = effectiveChanges(stateBefore, stateAfter, { ...plan, moved });
  const namers = { before: memberSetNamer(before.world), after: memberSetNamer(after.world) };
  const involved = [before, after].map(reaches => partsIn(reaches, effective));
  const ways = [before, after].map(reaches => leadingIn(reaches, effective));
  const leading = (targets: readonly Target[]) => [...new Set(ways.flatMap(way => way(targets)))];
  return { before, after, namers, involved, causes: causesByOmission(parts, changes), leading };
}

/** The rights that a plan gives. */
interface GivenRights {
  readonly rights: readonly RightEntry[];
  /** The changes that give the rights, in addition to changes of the objects that the rights name. */
  readonly causing?: readonly Address[];
}

/** The changes of access by a plan. */
export function planAccess(
  plan: Pick<Plan, 'changes'>,
  comparison: Comparison,
  both = comparedAccessIn(plan, comparison),
  { rights, causing = [] }: GivenRights = { rights: [] },
): PlanAccess {
  const { stateBefore, before, after, isSame, changes: changesOf } = comparison;
  const { areFlowsCounted = true } = comparison;
  const unread = unreadText(stateBefore);
  const found = changesOf();
  const listed = <T>(of: (change: AccessChange, states: ComparedAccess) => T): readonly T[] =>
    both === undefined ? [] : found.changes.map(change => of(change, both));
  const gains = listed(gainsOf).flat().sort(byGain);
  // A change that gives a right has an effect, even if it opens no port.
  const causes = new Set([
    ...listed(causesOf).flatMap(one => one.causes),
    ...rights.map(({ object }) => object),
    ...causing,
  ]);
  const idle = idleEntries(plan, comparison, causes);
  const given = rights.length > 0 && { rights };
  if (isNew(stateBefore)) {
    const rest = {
      ...nothingChanges({ changes: [] }),
      ...(areFlowsCounted && flowCount([after])),
      ...idle,
      ...given,
    };
    return { ...rest, status: 'new-account', unread, gains };
  }
  const changes = listed(entryOf).toSorted(byChange);
  const members = shownMembersOf(changes, { before, after });
  const destinations = both ? destinationIdsOf(found.changes, Object.values(both.namers)) : {};
  const ids = {
    ...(Object.keys(members).length > 0 && { group_machines: members }),
    ...(Object.keys(destinations).length > 0 && { destination_ids: destinations }),
  };
  return {
    status: changes.length === 0 && rights.length === 0 ? 'unchanged' : 'changed',
    machines: count(and(found.sources, or(before.world.today, after.world.today))),
    // If the states are equal, all flows are equal, so counting one state is enough.
    ...(areFlowsCounted && flowCount(isSame() ? [after] : [before, after])),
    pairs: { gained: found.gained, lost: found.lost },
    ...idle,
    ...given,
    unread,
    changes,
    ...ids,
    gains,
    steps: [],
  };
}

/**
 * The changes without effect, and how many there are. For a new account, only those of policies and
 * routes, because everything else in it is new.
 */
function idleEntries(
  plan: Pick<Plan, 'changes'>,
  { stateBefore, stateAfter, moved, before, after, isSame }: Comparison,
  causes: ReadonlySet<string>,
) {
  const idle = plan.changes.filter(
    one => !causes.has(one.address) && !(one.with !== undefined && causes.has(one.with)),
  );
  const isFresh = isNew(stateBefore);
  if (idle.length === 0 || isSame()) return idleParts(isFresh ? [] : notAboutAccess(idle));
  // If another rule makes a rule ineffective, this must also be true after a machine begins to
  // route.
  const states = { before, after: after.withRouters() };
  const effective = effectiveChanges(stateBefore, stateAfter, { ...plan, moved });
  const explain = isFresh ? idleGrants : idleChanges;
  return idleParts(explain(idle, { states, effective }));
}

const notAboutAccess = (changes: Plan['changes']): readonly IdleEntry[] =>
  changes.length === 0
    ? []
    : [
        {
          changes: changes.map(({ address }) => address).sort(compareTexts),
          reason: NOT_ABOUT_ACCESS,
        },
      ];

/** The number of changes without effect, which is the number of changes with a reason. */
const idleParts = (entries: readonly IdleEntry[]) => ({
  without_effect: entries.reduce((sum, { changes }) => sum + changes.length, 0),
  ...(entries.length > 0 && { no_effect: entries }),
});

/** The access of a plan without changes. `state`: the account, if it was read. */
export function nothingChanges(
  { changes }: Pick<Plan, 'changes'>,
  state?: AccessState,
): PlanAccess {
  return {
    status: 'unchanged',
    machines: 0,
    ...idleParts(notAboutAccess(changes)),
    pairs: { gained: 0, lost: 0 },
    unread: state ? unreadText(state) : [],
    changes: [],
    gains: [],
    steps: [],
  };
}

// Whether the account contains only the objects of a new account: the group All, the policy Default, and users.
function isNew({
  machines,
  groups,
  policies,
  checks,
  networks,
  routes,
  unread,
}: AccessState): boolean {
  const others = [...machines, ...checks, ...networks, ...routes];
  return (
    unread.size === 0 &&
    others.length === 0 &&
    groups.every(({ isAll }) => isAll) &&
    policies.every(({ key }) => key === 'Default')
  );
}

const ORDER: readonly AccessChangeEntry['change'][] = ['gained', 'lost', 'changed'];

/** Compares changes of access, for the order in which a plan lists them. */
export function byChange(one: AccessChangeEntry, other: AccessChangeEntry): number {
  const [first, second] = [one, other].map(({ change }) => ORDER.indexOf(change));
  if (first !== second) return (first ?? 0) - (second ?? 0);
  const text = ({ from, to, protocol }: AccessChangeEntry) => `${from}\n${to}\n${protocol}`;
  return compareTexts(text(one), text(other));
}

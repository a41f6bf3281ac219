// The account before and after a plan, ready to be compared.
import type { KindTable } from '../../kinds/kind.ts';
import type { ShownChange, Since } from '../../model/change.ts';
import type { KindName } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import type { Plan } from '../../model/plan.ts';
import { type AccessChanges, accessChanges, noChanges } from '../diff/accessChanges.ts';
import { areasIn } from '../diff/areas.ts';
import { changesBetween } from '../diff/stateChanges.ts';
import { type Reaches, reachesOf } from '../flows/reaches.ts';
import { rowPool } from '../sets/rowPool.ts';
import type { AccessState } from '../state/accessState.ts';
import { mayBeOpen } from '../state/internet.ts';
import { stateOfLive, unreadParts } from '../state/ofLive.ts';
import { areSameForAccess } from '../state/sameAccess.ts';
import { stateOf } from '../state/stateOf.ts';
import { frameOf } from '../world/world.ts';
import { accountAfter } from './carriedOut.ts';
import { effectiveChanges, reasonsIn } from './causes.ts';
import type { MovedSet } from './draft.ts';
import type { PartsOfPlan } from './leftOut.ts';

export interface PlannedAccount {
  readonly kinds: KindTable;
  /** Everything of the account that access depends on. */
  readonly live: readonly Live[];
  readonly unavailable: ReadonlyMap<KindName, string>;
  readonly plan: PlannedChanges;
  /** What has happened to the account before the plan begins, which the comparison leaves out. */
  readonly begun?: PlannedChanges | undefined;
  /** Whether the base of the plan is one of which nothing says that it was applied, such as a revision. */
  readonly isBaseUnapplied?: boolean;
  /** What is assumed to happen to the account besides the plan, in each of its states. */
  readonly assumed?: (state: AccessState) => AccessState;
  /** Whether the plan has every secret whose value is not the one that was sent last. */
  readonly areSecretsCompared?: boolean;
}

type PlannedChanges = Pick<Plan, 'actions' | 'changes' | 'pins'>;

export interface Comparison {
  readonly stateBefore: AccessState;
  readonly stateAfter: AccessState;
  /** Sets whose members the server moves itself. */
  readonly moved: readonly MovedSet[];
  readonly before: Reaches;
  readonly after: Reaches;
  /** Whether both states are the same in everything that access depends on. Computed on demand. */
  readonly isSame: () => boolean;
  /** Computed on demand. */
  readonly changes: () => AccessChanges;
  /** The account after a part of the plan. */
  readonly parts: PartsOfPlan;
  /** The account before the plan, without what somebody changed in it since the base and the plan repairs. Computed on demand. */
  readonly repaired: () => Reaches;
  /** Whether the plan distinguishes changes of the files from changes of the account, which requires a base. */
  readonly knowsRepairs: boolean;
  /** Whether it does not for want of a base that was applied. */
  readonly isBaseUnapplied?: boolean;
  /** Whether the flows that stay are counted, if it is not said otherwise: that takes longer than to find those that change. */
  readonly areFlowsCounted?: boolean;
}

/** The two states of an account. */
export function comparison(account: PlannedAccount): Comparison {
  const { kinds, live, unavailable, plan, begun, isBaseUnapplied = false } = account;
  const { assumed = (state: AccessState) => state } = account;
  // The actions of a plan write objects in the form of the server, including parts.
  const { objects, moved } = accountAfter(kinds, live, plan);
  const stateAfter = assumed(stateOf(objects, unreadParts(unavailable)));
  const stateBefore = assumed(
    begun
      ? stateOf(accountAfter(kinds, live, begun).objects, unreadParts(unavailable))
      : stateOfLive(live, unavailable),
  );
  const states = [stateBefore, stateAfter] as const;
  const frame = frameOf(...states, mayBeOpen([...live, ...plan.actions]));
  const pool = rowPool();
  const both = { before: reachesOf(frame.first, pool), after: reachesOf(frame.last, pool) };
  const reasons = () => reasonsIn(states, effectiveChanges(...states, { ...plan, moved }));
  let same: boolean | undefined;
  const isSame = () => {
    same ??= areSameForAccess(...states);
    return same;
  };
  let found: AccessChanges | undefined;
  const changes = () => {
    // Of many plans no part matters to access: then nothing has to be computed.
    found ??= isSame() ? noChanges() : accessChanges(both.before, both.after, reasons());
    return found;
  };
  const areaOf = areasIn(frame);
  const parts: PartsOfPlan = {
    addresses: [...new Set(plan.actions.map(({ address }) => address))],
    after: both.after,
    without: left => {
      const actions = plan.actions.filter(({ address }) => !left.has(address));
      const done = begun ? joinedPlans(begun, { ...plan, actions }) : { ...plan, actions };
      const part = accountAfter(kinds, live, done);
      const state = assumed(stateOf(part.objects, unreadParts(unavailable)));
      const area = areaOf(changesBetween(stateAfter, state));
      return { reaches: reachesOf(frame.between(state), pool), area };
    },
  };
  // What was merged and never applied is in such a base, and the account without it looks changed by hand.
  const repairs = isBaseUnapplied ? NO_REPAIRS : repairsIn(plan);
  let withRepairs: Reaches | undefined;
  const repaired = () => {
    const others = plan.actions.filter(({ address }) => !repairs.has(address));
    withRepairs ??=
      repairs.size === 0
        ? both.before
        : parts.without(new Set(others.map(({ address }) => address))).reaches;
    return withRepairs;
  };
  const hasBase = plan.changes.some(one => sincesOf(one).length > 0);
  const knowsRepairs = hasBase && !isBaseUnapplied;
  const ends = { stateBefore: states[0], stateAfter, moved, ...both };
  return {
    ...ends,
    isSame,
    changes,
    parts,
    repaired,
    knowsRepairs,
    ...(hasBase && { isBaseUnapplied }),
  };
}

// Objects that both delete are gone after the first.
const joinedPlans = (first: PlannedChanges, second: PlannedChanges): PlannedChanges => ({
  actions: [...first.actions, ...second.actions],
  changes: [...first.changes, ...second.changes],
  pins: [...first.pins, ...second.pins],
});

const NO_REPAIRS: ReadonlySet<string> = new Set();

// The changes of which the files have not changed anything since the base.
function repairsIn({ changes }: Pick<Plan, 'changes'>): ReadonlySet<string> {
  const repairs = changes.filter(one => {
    const all = sincesOf(one);
    return all.length > 0 && all.every(since => since === 'drift');
  });
  return new Set(repairs.map(({ address }) => address));
}

const sincesOf = ({ since, fields }: ShownChange): readonly Since[] =>
  [since, ...fields.map(one => one.since)].filter(one => one !== undefined);

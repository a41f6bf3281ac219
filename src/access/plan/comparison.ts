// The account before and after a plan, prepared for a comparison.
import type { KindTable } from '../../kinds/kind.ts';
import type { ShownChange, Since } from '../../model/change.ts';
import type { Address, KindName } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import type { Plan } from '../../model/plan.ts';
import { type AccessChanges, accessChanges, noChanges } from '../diff/accessChanges.ts';
import { areasIn } from '../diff/areas.ts';
import { changesBetween } from '../diff/stateChanges.ts';
import { type Reaches, reachesOf } from '../flows/reaches.ts';
import { once } from '../routed/computedOnce.ts';
import { type RowPool, rowPool } from '../sets/rowPool.ts';
import type { AccessState } from '../state/accessState.ts';
import { mayBeOpen } from '../state/internetPorts.ts';
import { withRenewedLogins } from '../state/logins.ts';
import { areSameForAccess } from '../state/sameAccess.ts';
import { stateOf } from '../state/stateOf.ts';
import { stateOfLive, unreadParts } from '../state/stateOfLive.ts';
import { type Frame, frameOf } from '../world/world.ts';
import { accountAfter } from './accountAfter.ts';
import { effectiveChanges, reasonsIn } from './causes.ts';
import type { PartsOfPlan } from './causesByOmission.ts';
import type { MovedSet } from './draft.ts';

export interface PlannedAccount {
  readonly kinds: KindTable;
  /** The objects of the account on which access depends. */
  readonly live: readonly Live[];
  readonly unavailable: ReadonlyMap<KindName, string>;
  readonly plan: PlannedChanges;
  /**
   * Changes that are made to the account before the plan begins. Both states contain them, so the
   * comparison does not show them.
   */
  readonly begun?: PlannedChanges | undefined;
  /**
   * Returns all changes of the account up to its state after the plan, without the given changes of
   * the plan. If absent, these are the changes in `begun` and all other changes of the plan.
   */
  readonly changesWithout?: (left: ReadonlySet<Address>) => PlannedChanges;
  /**
   * Whether no record shows that the base of the plan was applied. For example, the base may be a
   * revision.
   */
  readonly isBaseUnapplied?: boolean;
  /** Applies assumed changes to each state of the account. The plan does not make these changes. */
  readonly assumed?: (state: AccessState) => AccessState;
  /**
   * Whether the plan contains every secret whose value differs from the value that was last sent.
   */
  readonly areSecretsCompared?: boolean;
}

/** The part of a plan on which the account after it depends. */
export type PlannedChanges = Pick<Plan, 'actions' | 'changes' | 'pins'>;

export interface Comparison {
  readonly stateBefore: AccessState;
  readonly stateAfter: AccessState;
  /** Sets whose members the server moves on its own. */
  readonly moved: readonly MovedSet[];
  readonly before: Reaches;
  readonly after: Reaches;
  /** Whether both states are equal in everything on which access depends. Computed on demand. */
  readonly isSame: () => boolean;
  /** The changes of access. Computed on demand. */
  readonly changes: () => AccessChanges;
  /** Computes the account after a part of the plan. */
  readonly parts: PartsOfPlan;
  /**
   * The account before the plan, but without changes that somebody made in the account since the
   * base and that the plan reverts. Computed on demand.
   */
  readonly repaired: () => Reaches;
  /**
   * Whether the plan distinguishes changes of the files from changes of the account. This requires
   * an applied base.
   */
  readonly knowsRepairs: boolean;
  /** Whether `knowsRepairs` is false because no record shows that the base was applied. */
  readonly isBaseUnapplied?: boolean;
  /**
   * Whether to count the flows that do not change; the caller may override this. Counting takes
   * longer than finding the flows that change.
   */
  readonly areFlowsCounted?: boolean;
}

/** The two states of an account. */
export function comparison(account: PlannedAccount): Comparison {
  const { live, plan, isBaseUnapplied = false } = account;
  const { stateBefore, stateAfter, moved } = statesOf(account);
  const states = [stateBefore, stateAfter] as const;
  const frame = frameOf(...states, mayBeOpen([...live, ...plan.actions]));
  const pool = rowPool();
  const before = reachesOf(frame.first, pool);
  const after = reachesOf(frame.last, pool);
  const reasons = () => reasonsIn(states, effectiveChanges(...states, { ...plan, moved }));
  const isSame = once(() => areSameForAccess(...states));
  const parts = partsOf(account, { stateAfter, before, after, frame, pool });
  const hasBase = plan.changes.some(one => sincesOf(one).length > 0);
  return {
    stateBefore,
    stateAfter,
    moved,
    before,
    after,
    isSame,
    // Many plans do not affect access. For these plans, nothing more is computed.
    changes: once(() => (isSame() ? noChanges() : accessChanges(before, after, reasons()))),
    parts,
    repaired: once(() => repairedIn(account, before, parts)),
    knowsRepairs: hasBase && !isBaseUnapplied,
    ...(hasBase && { isBaseUnapplied }),
  };
}

function statesOf(
  account: PlannedAccount,
): Pick<Comparison, 'stateBefore' | 'stateAfter' | 'moved'> {
  const { live, unavailable, plan, begun } = account;
  const after = stateWith(plan, account);
  return {
    stateBefore: begun
      ? stateWith(begun, account).state
      : assumedIn(account, stateOfLive(live, unavailable)),
    stateAfter: after.state,
    moved: after.moved,
  };
}

// The actions of a plan write objects in the form of the server, including parts.
function stateWith(
  plan: PlannedChanges,
  account: PlannedAccount,
): { readonly state: AccessState; readonly moved: readonly MovedSet[] } {
  const { objects, moved } = accountAfter(account.kinds, account.live, plan);
  const state = stateOf(objects, unreadParts(account.unavailable));
  return { state: assumedIn(account, state), moved };
}

function assumedIn({ assumed }: PlannedAccount, state: AccessState): AccessState {
  const renewed = withRenewedLogins(state);
  return assumed ? assumed(renewed) : renewed;
}

/**
 * The account after the plan, and what is needed to compare it with the account after parts of the
 * plan.
 */
interface WholePlan extends Pick<Comparison, 'stateAfter' | 'before' | 'after'> {
  readonly frame: Frame;
  readonly pool: RowPool;
}

function partsOf(
  account: PlannedAccount,
  { stateAfter, before, after, frame, pool }: WholePlan,
): PartsOfPlan {
  const { plan, changesWithout = left => othersThan(left, account) } = account;
  const areaOf = areasIn(frame);
  return {
    addresses: [...new Set(plan.actions.map(({ address }) => address))],
    before,
    after,
    without: left => {
      const { state } = stateWith(changesWithout(left), account);
      const area = areaOf(changesBetween(stateAfter, state));
      return { reaches: reachesOf(frame.between(state), pool), area };
    },
  };
}

function othersThan(
  left: ReadonlySet<Address>,
  { plan, begun }: Pick<PlannedAccount, 'plan' | 'begun'>,
): PlannedChanges {
  const part = { ...plan, actions: plan.actions.filter(({ address }) => !left.has(address)) };
  return begun ? joinedPlans(begun, part) : part;
}

function repairedIn(
  { plan, isBaseUnapplied = false }: PlannedAccount,
  before: Reaches,
  parts: PartsOfPlan,
): Reaches {
  // An unapplied base may contain merged changes that were never applied. The account does not
  // contain them, so they would look like manual changes of the account.
  const repairs = isBaseUnapplied ? NO_REPAIRS : repairsIn(plan);
  if (repairs.size === 0) return before;
  const others = plan.actions.filter(({ address }) => !repairs.has(address));
  return parts.without(new Set(others.map(({ address }) => address))).reaches;
}

// If both plans delete an object, it no longer exists when the second plan runs.
const joinedPlans = (first: PlannedChanges, second: PlannedChanges): PlannedChanges => ({
  actions: [...first.actions, ...second.actions],
  changes: [...first.changes, ...second.changes],
  pins: [...first.pins, ...second.pins],
});

const NO_REPAIRS: ReadonlySet<string> = new Set();

// The addresses of changes that only revert the account: the files have not changed these objects
// since the base.
function repairsIn({ changes }: Pick<Plan, 'changes'>): ReadonlySet<string> {
  const repairs = changes.filter(one => {
    const all = sincesOf(one);
    return all.length > 0 && all.every(since => since === 'drift');
  });
  return new Set(repairs.map(({ address }) => address));
}

const sincesOf = ({ since, fields }: ShownChange): readonly Since[] =>
  [since, ...fields.map(one => one.since)].filter(one => one !== undefined);

// The access of a plan, evaluated once. Every gate, every report and the exit code use this
// evaluation.
import type { AccessGuards } from '../../model/access/accessGates.ts';
import type { DeclaredSender } from '../../model/access/judgedWith.ts';
import { type PlanAccess, type RightEntry, rightText } from '../../model/access/planAccess.ts';
import type { Address } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import type { Plan } from '../../model/plan.ts';
import type { Target } from '../flows/targets.ts';
import { causesOf } from '../plan/changeEntry.ts';
import { type Comparison, comparison, type PlannedAccount } from '../plan/comparison.ts';
import { comparedAccessIn, nothingChanges, planAccess } from '../plan/planAccess.ts';
import { rightsOf } from '../plan/rights.ts';
import { sentElsewhere } from '../plan/sentElsewhere.ts';
import { sentOtherwise } from '../plan/sentOtherwise.ts';
import { sentSecrets } from '../plan/sentSecrets.ts';
import { sourceRights } from '../plan/sharedSources.ts';
import {
  mayBecomeReady,
  mayBecomeRouted,
  stateWhenReady,
  stateWhenRouted,
} from '../plan/stateWhenReady.ts';
import { type Bits, intersect } from '../sets/bits.ts';
import { answeringRights } from './answeringRights.ts';
import { exposingRights } from './exposingRights.ts';
import { forwardingRights } from './forwardingRights.ts';
import { localUserRights } from './localUserRights.ts';
import { changeAnswers } from './nameservers.ts';
import { proxyRights } from './proxyRights.ts';
import { type Redirected, redirectedServices } from './redirectedServices.ts';
import { changesOfNames, requestRights } from './requestRights.ts';
import { type ResetLocks, resetLocks } from './resetLocks.ts';
import { secretPlaceRights } from './secretPlaces.ts';

/** The access before and after a plan, and the changes that the plan makes to it. */
export interface Evaluation {
  readonly states: Comparison;
  readonly access: PlanAccess;
  /** The rights of `access` that depend on the account, not only on the changes of the plan. */
  readonly rightsInAccount: readonly RightEntry[];
  /**
   * The services open to everybody that reach other addresses because a name resolves
   * differently. Computed on demand.
   */
  readonly redirected: () => Redirected;
  /**
   * Returns the changes of the plan that cause some sources to gain or lose access to targets.
   * `isThere`: whether the access still leads to the object in question after a part of the plan.
   * If `isThere` is given, changes of names and machines that lead to the object are causes too.
   */
  readonly causesOf: (
    concerned: Concerned,
    what: 'gained' | 'lost',
    isThere?: (part: Pick<Comparison, 'before' | 'after'>) => boolean,
  ) => readonly string[];
  /**
   * The evaluation as if all machines were approved and all agents updated; undefined if this makes
   * no difference. Computed on demand.
   */
  readonly whenReady: () => StatesWhenReady | undefined;
  /** Like `whenReady`, and as if each empty group of routing machines had a machine. */
  readonly whenRouted: () => StatesWhenReady | undefined;
  /** The services whose locks may have a different secret than before. Computed on demand. */
  readonly resetLocks: () => readonly ResetLocks[];
}

/** The account before and after a plan, with all machines approved and all agents updated. */
export type StatesWhenReady = Pick<Evaluation, 'states' | 'causesOf'>;

interface Concerned {
  readonly sources: Bits;
  readonly targets: readonly Target[];
}

/** Facts about a plan from the files. */
export interface KnownOfFiles {
  /** The declarations in the files. They show which object has the source of a secret. */
  readonly declared?: readonly Desired[];
  /** What the declared objects of the account send to addresses. */
  readonly senders?: readonly DeclaredSender[];
  /** The rights that the plan showed when it was made. They replace the rights that depend only on its changes. */
  readonly shown?: readonly RightEntry[] | undefined;
}

/** An account with a plan, and the changes for which rights are determined. */
type AccountWithPlan = PlannedAccount & { readonly plan: Pick<Plan, 'changes'> };

/** Evaluates the account before and after a plan. */
export function evaluatedPlan(
  account: AccountWithPlan,
  guards: AccessGuards | undefined,
  known: KnownOfFiles = {},
): Evaluation {
  const { plan } = account;
  const states = comparison(account);
  const compared = comparedAccessIn(plan, states);
  const sent = sentSecrets(account.kinds, plan, account.areSecretsCompared === true);
  const guarded = guards?.guarded ?? [];
  const given = givenRights(states, account, { ...known, guarded, sent });
  const { rights, inAccount } = given;
  const access =
    plan.actions.length === 0
      ? {
          ...nothingChanges(plan, states.stateBefore),
          ...(rights.length > 0 && { status: 'changed' as const, rights }),
        }
      : planAccess(plan, states, compared, given);
  const later = (
    assumed: NonNullable<PlannedAccount['assumed']>,
    mayDiffer: typeof mayBecomeReady,
  ) => onDemand(() => statesLater({ ...account, assumed }, states, mayDiffer));
  return {
    states,
    access,
    rightsInAccount: inAccount,
    redirected: () => redirectedServices(states, plan),
    causesOf: causesIn(states, compared),
    whenReady: later(stateWhenReady, mayBecomeReady),
    whenRouted: later(stateWhenRouted, mayBecomeRouted),
    resetLocks: () => resetLocks(account.kinds, plan.changes, sent, states.stateAfter),
  };
}

/** The inputs for the rights of a plan, besides the account. */
interface RightsKnown extends KnownOfFiles {
  readonly guarded: AccessGuards['guarded'];
  readonly sent: ReturnType<typeof sentSecrets>;
}

/** The rights that a plan gives. */
interface GivenRights {
  readonly rights: readonly RightEntry[];
  /** The rights that depend on the account, not only on the changes of the plan. */
  readonly inAccount: readonly RightEntry[];
  /** The changes that give rights to objects that the plan does not change. */
  readonly causing: readonly Address[];
}

function givenRights(
  states: Comparison,
  account: AccountWithPlan,
  { guarded, sent, ...known }: RightsKnown,
): GivenRights {
  const { plan } = account;
  const { inAccount, causing } =
    plan.actions.length === 0
      ? NO_RIGHTS
      : rightsInAccount(states, account, guarded, known.senders ?? []);
  const ofChanges = known.shown ?? [
    ...rightsOf(account.kinds, plan.changes, guarded, sent),
    ...sourceRights(account.kinds, plan, known.declared ?? []),
    ...sentElsewhere(account.kinds, plan),
    ...sentOtherwise(account.kinds, plan),
  ];
  const given = [...ofChanges, ...inAccount];
  return { rights: known.shown ? eachRightOnce(given) : given, inAccount, causing };
}

const NO_RIGHTS: Omit<GivenRights, 'rights'> = { inAccount: [], causing: [] };

function rightsInAccount(
  states: Comparison,
  account: AccountWithPlan,
  guarded: AccessGuards['guarded'],
  senders: readonly DeclaredSender[],
): Omit<GivenRights, 'rights'> {
  const { changes } = account.plan;
  const ofPlaces = secretPlaceRights(states, account, senders);
  const ofRequests = requestRights(states, account, guarded);
  const ofAnswers = answeringRights(states, account, guarded);
  const ofNames = ofRequests.some(isOfOthers(changes));
  return {
    inAccount: [
      ...ofPlaces.map(({ entry }) => entry),
      ...forwardingRights(states, changes, guarded),
      ...ofAnswers,
      ...localUserRights(states, account.live, changes),
      ...ofRequests,
      ...exposingRights(states, account),
      ...proxyRights(states, account, guarded),
    ],
    causing: [
      ...ofPlaces.flatMap(({ causes }) => causes),
      ...(ofNames ? changesOfNames(changes).map(({ address }) => address) : []),
      ...(ofAnswers.some(isOfOthers(changes)) ? changesOfAnswers(changes) : []),
    ],
  };
}

// The changes that may make a nameserver answer although the plan does not change this nameserver.
const changesOfAnswers = (changes: Plan['changes']): readonly Address[] =>
  changes.flatMap(one => (changeAnswers([one]) ? one.address : []));

// Whether a right belongs to an object that a plan does not change.
const isOfOthers =
  (changes: Plan['changes']) =>
  ({ object }: RightEntry): boolean =>
    !changes.some(({ address }) => address === object);

/** The rights, each once, because a right that the plan showed may also be given now. */
export function eachRightOnce(rights: readonly RightEntry[]): readonly RightEntry[] {
  const byText = new Map(rights.map(one => [`${one.right} ${rightText(one)}`, one]));
  return [...byText.values()];
}

// Wraps `find` so that it runs at most once, whatever it returns.
function onDemand<T>(find: () => T): () => T {
  let found: { readonly value: T } | undefined;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}

function statesLater(
  account: PlannedAccount & { readonly plan: Pick<Plan, 'changes'> },
  { before, after }: Comparison,
  mayDiffer: typeof mayBecomeReady,
): StatesWhenReady | undefined {
  if (![before, after].some(({ world }) => mayDiffer(world))) return undefined;
  const states = comparison(account);
  return { states, causesOf: causesIn(states, comparedAccessIn(account.plan, states)) };
}

function causesIn(
  states: Comparison,
  compared: ReturnType<typeof comparedAccessIn>,
): Evaluation['causesOf'] {
  const { before, parts } = states;
  const partWithout = memoizedBy((left: readonly Address[]) => ({
    before,
    after: parts.without(new Set(left)).reaches,
  }));
  return ({ sources, targets }, what, isThere) => {
    const keys = new Set(targets.map(targetKey));
    const concerned = states
      .changes()
      .changes.filter(
        change =>
          (what === 'gained' ? change.gains : change.loses) &&
          intersect(change.sources, sources) &&
          change.targets.some(target => keys.has(targetKey(target))),
      );
    const causes = concerned.flatMap(change =>
      compared === undefined ? [] : causesOf(change, compared).causes,
    );
    // If no access changes, any of these changes may be the cause.
    const leading = compared === undefined ? parts.addresses : compared.leading(targets);
    const concernedToo = isThere === undefined ? [] : [...new Set(leading)];
    const others = concernedToo.filter(
      one => !causes.includes(one) && parts.addresses.includes(one),
    );
    const isNeeded = (left: readonly Address[]) => !isThere?.(partWithout(left));
    const alone = others.slice(0, MOST_LEADING).filter(one => isNeeded([one]));
    // If several changes lead to the object, none of them may be necessary alone. In that case, all
    // of them are causes.
    const together = alone.length === 0 && others.length > 1 && isNeeded(others) ? others : [];
    return [...new Set([...causes, ...alone, ...together])].sort();
  };
}

/**
 * The maximum number of changes of names and machines that are left out one by one to find causes.
 */
const MOST_LEADING = 50;

function memoizedBy<T>(of: (left: readonly Address[]) => T): (left: readonly Address[]) => T {
  const known = new Map<string, T>();
  return left => {
    const name = left.join('\n');
    const found = known.get(name) ?? of(left);
    known.set(name, found);
    return found;
  };
}

/** A value that identifies a target in both states. */
export const targetKey = (target: Target): string | number =>
  target.type === 'machine' ? target.index : target.id;

// Adds the access diff and the gates to a plan, and orders its actions so that nobody loses access
// temporarily. Reads the rest of the account.

import { type Evaluation, evaluatedPlan } from '../../access/gates/evaluation.ts';
import { type FormerAccess, formerAccess, withFormer } from '../../access/gates/formerAccess.ts';
import type { MeantNames } from '../../access/gates/meantObjects.ts';
import { movedIn } from '../../access/gates/movingNotes.ts';
import { nameMoves } from '../../access/gates/nameMoves.ts';
import { declaredSenders } from '../../access/gates/secretPlaces.ts';
import { accessNotes } from '../../access/plan/notes.ts';
import { nothingChanges } from '../../access/plan/planAccess.ts';
import { accessSteps } from '../../access/replay/accessSteps.ts';
import { orderedPlan } from '../../access/replay/planOrder.ts';
import type { Replayed } from '../../access/replay/planStates.ts';
import { requestsToReadBack } from '../../engine/actions/readingBack.ts';
import { labelledIdsIn } from '../../engine/plan/labelledIds.ts';
import type { Planned } from '../../engine/plan/plan.ts';
import { identityName } from '../../kinds/identity/identity.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { hazardsIn } from '../../model/access/accessFindings.ts';
import type { AccessGuards } from '../../model/access/accessGates.ts';
import type { DeclaredSender, EndingRule } from '../../model/access/judgedWith.ts';
import type { PlanAccess } from '../../model/access/planAccess.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { LabelledId } from '../../model/idLabels.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { Plan } from '../../model/plan.ts';
import type { AccessSettings } from './accessSettings.ts';
import { withAccountHazards } from './accountHazards.ts';
import { endingAmong, endingRules, evaluationAfterEnds, rulesEnding } from './endsOfPlan.ts';
import { givingEnds } from './givingEnds.ts';
import {
  findingsAboutGuards,
  gatesAtRest,
  type JudgedPlan,
  type Judging,
  judgedPlan,
} from './judgedPlan.ts';
import { type FilesToJudge, judgedWithOf } from './judgedWith.ts';
import { meantGuards } from './meantGuards.ts';
import { kindsNarrowedBy } from './narrowedByEnds.ts';
import { type AccountForAccess, type ReadableAccount, readForPlan } from './readForAccess.ts';
import { temporaryNotes } from './temporaryServices.ts';
import { lostNow, openWhileWaiting } from './whileWaiting.ts';

/** A plan, the function that reorders its actions, and the objects that its names denote. */
export type ComputedPlan = Pick<Planned, 'plan' | 'rearrange' | 'arrived' | 'waits'> &
  Omit<MeantNames, 'missing'>;

/**
 * Adds the access diff and the gates to a plan, and orders its actions so that access stays within bounds. The rest of the
 * account is read only if the plan changes something, a guard exists, a test must be judged, or the caller asks for the states
 * before and after.
 */
export async function withAccess(
  computed: ComputedPlan,
  readable: ReadableAccount,
  settings: AccessSettings,
): Promise<Plan> {
  const { plan, arrived } = computed;
  const written = formerAccess({ ...settings, byFlag: settings.allowances.byFlag }, undefined);
  if (hasErrors(plan.diagnostics)) return withLoosened(plan, written);
  // Waiting objects count now, because whoever approves the files also approves the access that
  // these objects give later, when the group exists.
  const foreseen = arrived && !hasErrors(arrived.diagnostics) ? arrived : plan;
  if (foreseen.actions.length === 0 && !isAccessAsked(settings))
    return withLoosened(atRest(plan, settings), written);
  const account = await readToJudge(foreseen, readable, { settings, written });
  return judgedInAccount({ ...computed, foreseen, written }, account, settings);
}

const NOTHING_ACCEPTED = { allow: [], hasSink: false };

// Whether the access of a plan without changes is needed.
const isAccessAsked = ({ guards, onStates, ...settings }: AccessSettings): boolean =>
  isTested(settings) || (guards?.guarded ?? []).length > 0 || onStates !== undefined;

const isTested = ({ areTestsJudged, tests }: Pick<AccessSettings, 'areTestsJudged' | 'tests'>) =>
  areTestsJudged && tests.length > 0;

function atRest(plan: Plan, settings: AccessSettings): Plan {
  const gates = gatesAtRest(settings);
  return { ...plan, access: nothingChanges(plan), ...(gates && { gates }) };
}

/** The account in which a plan is judged. */
interface AccountToJudge extends AccountForAccess {
  readonly kinds: KindTable;
  /** Objects that machines created temporarily. They are not in `live`. */
  readonly temporary: readonly Live[];
}

async function readToJudge(
  foreseen: Plan,
  readable: ReadableAccount,
  { settings, written }: { readonly settings: AccessSettings; readonly written: FormerAccess },
): Promise<AccountToJudge> {
  const { kinds } = readable;
  const { desired, temporaryIn } = settings;
  const account = await readForPlan(readable, foreseen, {
    tests: [...settings.tests, ...written.tests],
    guarded: [...(settings.guards?.guarded ?? []), ...written.guarded],
    areJoinersAsked:
      settings.guards !== undefined || written.guarded.length > 0 || isTested(settings),
    areNames:
      isAccessAsked(settings) ||
      settings.guards?.noNewAccess === true ||
      written.guarded.length > 0,
    narrowing: kindsNarrowedBy(kinds, settings.endings),
  });
  const undeclared = notDeclared(account.live, desired, kinds);
  const temporary = (await temporaryIn?.(undeclared)) ?? [];
  const live = account.live.filter(one => !temporary.includes(one));
  return { ...account, kinds, live, temporary };
}

/** A plan before it is judged. */
interface PlanToJudge extends ComputedPlan {
  /** The plan as if everything for which it waits existed. */
  readonly foreseen: Plan;
  /**
   * The guards of the last apply and of other folders, before their names are resolved in the
   * account.
   */
  readonly written: FormerAccess;
}

function judgedInAccount(
  computed: PlanToJudge,
  account: AccountToJudge,
  settings: AccessSettings,
): Plan {
  const { plan } = computed;
  const { live, kinds, temporary, notOffered, requests } = account;
  const seen = foreseenAccess(computed, account, settings);
  const { states } = seen.evaluation;
  const { actions, access, planned } = inSafeOrder(seen, computed.rearrange);
  settings.onStates?.(states.stateBefore, states.stateAfter, () =>
    accessSteps(seen.account, actions),
  );
  const gated = gatedPlan(computed, seen, settings);
  const { gates, guards } = gated;
  const giving = givingEnds({ ...seen.account, notOffered }, settings.endings);
  if (settings.endings) settings.onGivingEnds?.(giving.causes);
  const called = allCalled(plan, labelledIdsIn(live, kinds));
  const { notes, moved } = movesIn(seen, guards?.guarded);
  const judgedWith = judgedWithOf({ ...plan, access }, account, factsToKeep(seen, gated, settings));
  return {
    ...withLoosened(plan, gated.judging.meant.former),
    ...(called.length > 0 && { called }),
    actions: withHazardsOf(actions, hazardousActions(seen, settings)),
    access: { ...access, ...moved },
    ...(judgedWith && { judgedWith }),
    ...(gates && { gates: { ...gates, ...(guards && { guards }) } }),
    diagnostics: [
      ...plan.diagnostics,
      ...(seen.open?.diagnostics ?? []),
      ...temporaryNotes(temporary),
      ...accessNotes(access, gates && hazardsIn(gates.findings)),
      ...findingsAboutGuards(gated.judging, notes),
      ...gated.warnings,
      ...gated.diagnostics,
      ...giving.diagnostics,
    ],
    requests: { ...plan.requests, planned, made: plan.requests.made + requests },
  };
}

// The actions of the plan, with the hazards that the account and the evaluation show.
function hazardousActions(
  { account, evaluation }: Pick<Foreseen, 'account' | 'evaluation'>,
  { acceptance = NOTHING_ACCEPTED }: AccessSettings,
): Plan['actions'] {
  const opened = { rights: evaluation.rightsInAccount, redirected: evaluation.redirected() };
  return withAccountHazards(account.plan, account, { ...acceptance, ...opened });
}

/** The gates of a plan, and the facts with which they were judged. */
interface GatedPlan extends JudgedPlan {
  readonly judging: Judging;
  /** The rules that files end. */
  readonly rules: readonly EndingRule[];
}

// Judges the gates of the plan after everything for which it waits exists.
function gatedPlan(
  { plan, idOf, ids, meant }: PlanToJudge,
  { future, evaluation }: Foreseen,
  settings: AccessSettings,
): GatedPlan {
  const { desired, endings } = settings;
  const { states } = evaluation;
  const names = { idOf, ids, meant, missing: plan.missing ?? [] };
  const rules = rulesEnding(states.stateAfter, endingRules(desired, future.kinds));
  const judging = {
    evaluation,
    afterEnds: evaluationAfterEnds(future, endings),
    isEnding: endingAmong(rules),
    meant: meantGuards(settings, names, states),
    isAtRest: future.plan.actions.length === 0,
  };
  return { judging, rules, ...judgedPlan(judging, settings) };
}

// What only the files say, for judging the saved plan again.
const factsToKeep = (
  { account, senders }: Foreseen,
  { rules }: GatedPlan,
  { desired: declared }: AccessSettings,
): FilesToJudge => ({
  senders,
  areSecretsCompared: account.areSecretsCompared,
  isBaseUnapplied: account.isBaseUnapplied,
  declared,
  endingRules: rules,
});

// The names and addresses that a plan leads elsewhere, now and after nothing waits any more.
function movesIn(
  { evaluation, future, now, account }: Foreseen,
  guarded: AccessGuards['guarded'] | undefined,
) {
  const notes = nameMoves(evaluation.states, future, guarded);
  const before = now ? nameMoves(now.states, account, guarded) : [];
  const moved = movedIn([...notes, ...before]);
  return { notes, moved: moved.length > 0 ? { moved_names: moved } : {} };
}

/** The account with a plan, and facts about its base and its secrets. */
type AccountOfPlan = Replayed & {
  readonly areSecretsCompared: boolean;
  readonly isBaseUnapplied: boolean;
};

/** The changes of a plan as if everything for which it waits existed, and its current changes. */
interface Foreseen {
  /** The account with the current plan. */
  readonly account: AccountOfPlan;
  /** The account with the future plan. */
  readonly future: AccountOfPlan;
  readonly senders: readonly DeclaredSender[];
  readonly open: ReturnType<typeof openWhileWaiting> | undefined;
  readonly evaluation: Evaluation;
  readonly changed: PlanAccess;
  /** The evaluation of the current changes, if they differ from the future changes. */
  readonly now: Evaluation | undefined;
}

function foreseenAccess(
  { plan, foreseen: later, waits, written }: PlanToJudge,
  { kinds, live, unavailable }: AccountToJudge,
  settings: AccessSettings,
): Foreseen {
  const { guards, desired: declared } = settings;
  const { isBaseUnapplied = false, areSecretsCompared = false } = settings;
  const account = { kinds, live, unavailable, plan, isBaseUnapplied, areSecretsCompared };
  const senders = declaredSenders({ ...account, plan: later }, declared);
  const open = later === plan ? undefined : openWhileWaiting({ ...account, begun: later }, waits);
  // If the plan is refused, it shows only its current effect on the account.
  const foreseen = open?.isOpen ? plan : later;
  const future = { ...account, plan: foreseen };
  const former = withFormer(guards, written);
  const evaluation = evaluatedPlan(future, former, { declared, senders });
  const now = foreseen === plan ? undefined : evaluatedPlan(account, former, { declared, senders });
  const changed = now ? lostNow(evaluation.access, now.access) : evaluation.access;
  return { account, future, senders, open, evaluation, changed, now };
}

// The actions of a plan in the best order for access. In a new account, nobody can lose access temporarily.
function inSafeOrder(
  { account, changed }: Pick<Foreseen, 'account' | 'changed'>,
  rearrange: Planned['rearrange'],
) {
  const { plan, kinds } = account;
  const isMoot = plan.actions.length === 0 || changed.status === 'new-account';
  const { actions, access } = isMoot
    ? { actions: plan.actions, access: {} }
    : orderedPlan(account, rearrange);
  const readBack = requestsToReadBack(actions, kinds) - requestsToReadBack(plan.actions, kinds);
  const planned = plan.requests.planned + readBack;
  return { actions, access: { ...changed, ...access }, planned };
}

// The actions in their order, with the hazards that the same actions have in another list.
function withHazardsOf(actions: Plan['actions'], hazardous: Plan['actions']): Plan['actions'] {
  const byId = new Map(hazardous.map(({ id, hazards }) => [id, hazards]));
  return actions.map(action => ({ ...action, hazards: byId.get(action.id) ?? action.hazards }));
}

const withLoosened = (plan: Plan, { loosened }: FormerAccess): Plan =>
  loosened.length === 0 ? plan : { ...plan, loosened: [...(plan.loosened ?? []), ...loosened] };

// All objects with known names. If the account was read completely, it contains more of these
// objects than the plan.
function allCalled({ called = [] }: Plan, more: readonly LabelledId[]): readonly LabelledId[] {
  const known = new Set(called.map(({ kind, id }) => `${kind} ${id}`));
  return [...called, ...more.filter(({ kind, id }) => !known.has(`${kind} ${id}`))];
}

// The live objects whose names no file declares.
function notDeclared(
  live: readonly Live[],
  desired: readonly Desired[],
  kinds: KindTable,
): readonly Live[] {
  const declared = new Set(desired.map(({ kind, key }) => `${kind} ${key}`));
  return live.filter(one => {
    const kind = kinds.get(one.kind);
    const name = kind && identityName(kind, one.fields);
    return !declared.has(`${one.kind} ${name ?? ''}`);
  });
}

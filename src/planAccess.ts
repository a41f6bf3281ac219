// The access diff of a plan with its gates, and the access state of a live account: both read the rest of the account.
import { unreadText } from './access/ask/answer.ts';
import { findingsNow, unguardedTargets } from './access/gates/accepted.ts';
import { evaluated } from './access/gates/evaluation.ts';
import { type GateSettings, gatesOf, inStableOrder } from './access/gates/gates.ts';
import { accessNotes } from './access/plan/notes.ts';
import { nothingChanges } from './access/plan/planAccess.ts';
import { orderedPlan } from './access/replay/planOrder.ts';
import type { Replayed } from './access/replay/planStates.ts';
import type { AccessState } from './access/state/accessState.ts';
import { stateOfFiles } from './access/state/ofFiles.ts';
import { ACCESS_KINDS, stateOfLive } from './access/state/ofLive.ts';
import {
  type FetchedAccount,
  type FetchOptions,
  fetchAccount,
  type Widening,
} from './api/account/fetch.ts';
import type { ReadTransport } from './api/transport/transport.ts';
import { requestsToReadBack } from './engine/actions/readingBack.ts';
import type { Planned } from './engine/plan/plan.ts';
import type { KindTable } from './kinds/kind.ts';
import type { DialectChoice } from './kinds/traits.ts';
import { hazardsIn } from './model/access/accessFindings.ts';
import type { AccessGates } from './model/access/accessGates.ts';
import type { PlanAccess } from './model/access/planAccess.ts';
import { type Diagnostic, hasErrors } from './model/diagnostic.ts';
import type { ActionId, KindName } from './model/names.ts';
import type { Desired } from './model/object.ts';
import type { Plan } from './model/plan.ts';

/** Receives the states of an account before and after a plan. */
export type OnStates = (before: AccessState, after: AccessState) => void;

/** The gates of a plan's access, and the declared objects. */
export interface AccessSettings extends Omit<GateSettings, 'declared'> {
  readonly desired: readonly Desired[];
  readonly onStates?: OnStates;
}

/**
 * Adds the access diff and the gates to a plan, and orders its actions so that access stays within bounds. The rest of the
 * account is read only if something changes, a test must be judged, or `onStates` receives the states before and after.
 */
export async function withAccess(
  { plan, rearrange }: Pick<Planned, 'plan' | 'rearrange'>,
  kinds: KindTable,
  { widen }: Pick<Widening, 'widen'>,
  { desired, onStates, ...settings }: AccessSettings,
): Promise<Plan> {
  if (hasErrors(plan.diagnostics)) return plan;
  const isAtRest = plan.actions.length === 0;
  const isJudged = settings.areTestsJudged && settings.tests.length > 0;
  if (isAtRest && !isJudged && onStates === undefined) {
    const gates = gatesAtRest(settings);
    return { ...plan, access: nothingChanges(plan), ...(gates && { gates }) };
  }
  const { objects: live, unavailable, requests } = await widen(accessKinds(kinds));
  const account = { kinds, live, unavailable, plan };
  const evaluation = evaluated(account, settings.guards);
  onStates?.(evaluation.states.stateBefore, evaluation.states.stateAfter);
  const { actions, access, planned } = inSafeOrder(account, evaluation.access, rearrange);
  // Only the existence of the names matters, and that does not depend on the dialect.
  const declared = () => stateOfFiles(desired, objects => objects);
  const guards = isAtRest ? undefined : settings.guards;
  const { gates, diagnostics } = gatesOf(evaluation, { ...settings, guards, declared });
  const notes = accessNotes(access, gates && hazardsIn(gates.findings));
  const warnings = unguardedTargets(settings.allowances.byFlag, settings.guards?.guarded ?? []);
  return {
    ...plan,
    actions,
    access,
    ...(gates && { gates: { ...gates, ...(settings.guards && { guards: settings.guards }) } }),
    diagnostics: [...plan.diagnostics, ...notes, ...warnings, ...diagnostics],
    requests: { ...plan.requests, planned, made: plan.requests.made + requests },
  };
}

// The actions of a plan in the best order for access. In a new account nobody can lose access temporarily.
function inSafeOrder(account: Replayed, changed: PlanAccess, rearrange: Planned['rearrange']) {
  const { plan, kinds } = account;
  const isMoot = plan.actions.length === 0 || changed.status === 'new-account';
  const { actions, access } = isMoot
    ? { actions: plan.actions, access: {} }
    : orderedPlan(account, rearrange);
  const readBack = requestsToReadBack(actions, kinds) - requestsToReadBack(plan.actions, kinds);
  const planned = plan.requests.planned + readBack;
  return { actions, access: { ...changed, ...access }, planned };
}

// A plan without changes has no hazards and grants nothing.
function gatesAtRest({
  tests,
  guards,
}: Pick<AccessSettings, 'tests' | 'guards'>): AccessGates | undefined {
  if (tests.length === 0 && guards === undefined) return undefined;
  return {
    ...(tests.length > 0 && { tests: { tests: inStableOrder(tests) } }),
    ...(guards && { guards }),
    findings: [],
  };
}

/** How the gates of a saved plan are judged again. */
export interface JudgingAgain extends FetchOptions {
  readonly dialect: DialectChoice;
  readonly areTestsJudged: boolean;
  readonly noNewAccess: boolean;
  readonly allowances: GateSettings['allowances'];
  /** Actions that an earlier run of the plan has completed. */
  readonly done: ReadonlySet<ActionId>;
}

/** The gates of a saved plan on the current account; never weaker than those of the plan. */
export async function gatesNow(
  plan: Plan,
  kinds: KindTable,
  transport: ReadTransport,
  { areTestsJudged, noNewAccess, allowances, done, ...options }: JudgingAgain,
): Promise<{ readonly gates?: AccessGates | undefined; readonly findings: readonly Diagnostic[] }> {
  const saved: AccessGates = plan.gates ?? { findings: [] };
  const tests = saved.tests?.tests ?? [];
  const isJudged = areTestsJudged && saved.tests?.verdicts !== undefined && tests.length > 0;
  const guards = noNewAccess ? { guarded: [], ...saved.guards, noNewAccess: true } : saved.guards;
  const actions = plan.actions.filter(({ id }) => !done.has(id));
  if (!isJudged && (guards === undefined || actions.length === 0))
    return { gates: plan.gates, findings: [] };
  const { objects: live, unavailable, findings } = await readAccess(kinds, transport, options);
  if (hasErrors(findings)) return { findings };
  const rest = { actions, changes: plan.changes, pins: plan.pins };
  const evaluation = evaluated({ kinds, live, unavailable, plan: rest }, guards);
  // In a new account that an earlier run has started, nobody relied on access before that run.
  const isBegun = done.size > 0 && plan.access?.status === 'new-account';
  const access: PlanAccess = isBegun
    ? { ...evaluation.access, status: 'new-account' }
    : evaluation.access;
  const settings = { tests, areTestsJudged: isJudged, guards, allowances };
  const { gates, diagnostics } = gatesOf({ ...evaluation, access }, settings);
  const found: AccessGates = gates ?? { findings: [] };
  return {
    findings: [...findings, ...unreadFindings(evaluation.states.stateBefore), ...diagnostics],
    gates: { ...found, findings: findingsNow(saved.findings, found.findings) },
  };
}

// The gates name the lists only. No report of access says here why they could not be read.
function unreadFindings(state: AccessState): readonly Diagnostic[] {
  return unreadText(state).map(text => ({
    code: 'KIND_UNAVAILABLE',
    severity: 'warning',
    message: `access cannot be judged as a whole without ${text}`,
  }));
}

/** The access state of an account, and the findings about its dialect; with an error among them there is no state. */
interface FoundState {
  readonly findings: readonly Diagnostic[];
  readonly state?: AccessState;
}

/** Reads the part of an account that access depends on, whatever the files declare. */
export async function accessStateOf(
  kinds: KindTable,
  transport: ReadTransport,
  options: FetchOptions & { readonly dialect: DialectChoice },
): Promise<FoundState> {
  const { objects, unavailable, findings } = await readAccess(kinds, transport, options);
  if (hasErrors(findings)) return { findings };
  return { findings, state: stateOfLive(objects, unavailable) };
}

function readAccess(
  kinds: KindTable,
  transport: ReadTransport,
  options: FetchOptions,
): Promise<FetchedAccount> {
  const wanted = accessKinds(kinds);
  const parents = new Map([...wanted].map(name => [name, 'all' as const]));
  return fetchAccount(transport, kinds, { kinds: wanted, parents }, options);
}

const accessKinds = (kinds: KindTable): ReadonlySet<KindName> =>
  new Set([...kinds.keys()].filter(name => ACCESS_KINDS.has(name)));

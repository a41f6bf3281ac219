// Judges the gates of a saved plan again, in the account at the time of the apply.

import { unreadText } from '../../access/ask/answer.ts';
import { checkedSelector } from '../../access/ask/selector.ts';
import { findingsNow } from '../../access/gates/acceptedAccess.ts';
import { type Evaluation, evaluatedPlan } from '../../access/gates/evaluation.ts';
import { type GateSettings, gatesOf } from '../../access/gates/gates.ts';
import { nameMoves } from '../../access/gates/nameMoves.ts';
import type { AccessState } from '../../access/state/accessState.ts';
import type { FetchOptions } from '../../api/account/fetch.ts';
import type { DialectChoice } from '../../kinds/traits.ts';
import { withOpenHostsOnly } from '../../kinds/values/secretHosts.ts';
import type { AccessGates, AccessGuards } from '../../model/access/accessGates.ts';
import type { AccessTest } from '../../model/access/accessTest.ts';
import type { GivenAccess } from '../../model/access/planAccess.ts';
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import type { ActionId, KindName } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import type { Plan } from '../../model/plan.ts';
import type { UnreadAccount } from '../unreadAccount.ts';
import { accessSince, givenBy, NOTHING_SINCE } from './accessSince.ts';
import {
  hazardsSince,
  kindsOfHazards,
  kindsOfServing,
  servingFaultsNow,
} from './accountHazards.ts';
import { endingAmong, evaluationAfterEnds, writtenObject } from './endsOfPlan.ts';
import { givingEnds } from './givingEnds.ts';
import { mayChangeAccess } from './mayChangeAccess.ts';
import { kindsNarrowedBy } from './narrowedByEnds.ts';
import { type AccountForAccess, readForSavedPlan } from './readForAccess.ts';

/** The settings for judging the gates of a saved plan again. */
export interface JudgingAgain extends FetchOptions {
  readonly dialect: DialectChoice;
  readonly areTestsJudged: boolean;
  readonly noNewAccess: boolean;
  readonly used?: GateSettings['used'];
  readonly allowances: GateSettings['allowances'];
  /** The actions that an earlier run of the plan completed. */
  readonly done: ReadonlySet<ActionId>;
  /** The access that a person saw after the plan was made. It replaces the access in the plan. */
  readonly shown?: GivenAccess | undefined;
  /** Whether changes of access are evaluated even if no gate needs them. */
  readonly isShown?: boolean;
}

/** The gates of a saved plan in the current account, and the differences from what the plan showed. */
export interface GatesNow {
  readonly gates?: AccessGates | undefined;
  readonly findings: readonly Diagnostic[];
  /** Access that the plan would now give, but did not show. */
  readonly gained?: readonly string[];
  /** Access that the plan would now remove, but did not show. */
  readonly lost?: readonly string[];
  /** Names and addresses that the plan would now make lead elsewhere, but did not show. */
  readonly moved?: readonly string[];
  /** The changes of access that the plan makes now; undefined if they were not evaluated. */
  readonly given?: GivenAccess;
  /** Hazards of the actions that the plan did not show, or that it showed for other objects. */
  readonly hazards?: readonly string[];
}

/** The gates of a saved plan in the current account. They are never weaker than the gates in the plan. */
export async function gatesNow(
  plan: Plan,
  account: UnreadAccount,
  { areTestsJudged, noNewAccess, used, allowances, done, ...options }: JudgingAgain,
): Promise<GatesNow> {
  const again = judgedAgain(plan, { areTestsJudged, noNewAccess, used, done });
  const { actions, isGuarded, guards } = again;
  const needed = neededAgain(plan, account.kinds, again, { ...options, done });
  if (!needed.isRead) return { gates: plan.gates, findings: [] };
  const { shown, ends, narrowing, concerned } = needed;
  const ports = plan.judgedWith?.declared_ports ?? [];
  const asked = askedAgain(again, narrowing);
  const saved = { changes: plan.changes, actions, asked, concerned, ports };
  const read = await readForSavedPlan(account, saved, options);
  if (hasErrors(read.findings)) return { findings: read.findings };
  const rest = await restNow(plan, actions, { account, read });
  const giving = givingEnds({ ...rest, notOffered: read.notOffered }, ends, {
    isBegun: done.size > 0,
  });
  // A replacement would delete first, and then fail.
  const faults = [...servingFaultsNow(rest, rest.plan), ...giving.diagnostics];
  if (hasErrors(faults)) return { findings: [...read.findings, ...faults] };
  const evaluation = evaluatedAgain(plan, rest, guards);
  const hazards = done.size === 0 ? hazardsSince(plan, rest) : [];
  const judged = isGuarded
    ? gatesAgain(plan, { ...again, rest, evaluation }, { allowances, used, done })
    : { gates: plan.gates, findings: [] };
  const given = givenBy(evaluation, nameMoves(evaluation.states, rest, guards?.guarded));
  const now = { access: given, findings: judged.gates?.findings ?? [] };
  const then = shown && { access: shown, findings: plan.gates?.findings ?? [] };
  const findings = [...(isGuarded ? read.findings : []), ...faults, ...judged.findings];
  const since = then ? accessSince(then, now, evaluation.states) : NOTHING_SINCE;
  return { gates: judged.gates, findings, ...since, given, hazards };
}

/** What a saved plan is compared with, and what has to be read for that. */
interface NeededAgain {
  /** The access that was shown; undefined if the access now is not compared with it. */
  readonly shown: GivenAccess | undefined;
  readonly ends: ReturnType<typeof endsLeft>;
  /** The kinds whose objects take access away from members that the ends remove. */
  readonly narrowing: ReadonlySet<KindName>;
  /** The kinds on which hazards and errors of the actions depend. */
  readonly concerned: ReadonlySet<string>;
  /** Whether the account is read at all. */
  readonly isRead: boolean;
}

function neededAgain(
  plan: Plan,
  kinds: UnreadAccount['kinds'],
  { actions, isGuarded, mayChange }: JudgedAgain,
  { done, isShown, ...given }: Pick<JudgingAgain, 'done' | 'isShown' | 'shown'>,
): NeededAgain {
  // In the middle of a run, there may be less access than before the run.
  const shown = mayChange
    ? (given.shown ?? (done.size === 0 ? plan.access : undefined))
    : undefined;
  const ends = endsLeft(plan, actions);
  const narrowing = kindsNarrowedBy(kinds, ends);
  const hazardous = done.size === 0 ? kindsOfHazards(kinds, actions) : new Set<string>();
  const concerned = hazardous.union(kindsOfServing(kinds, actions)).union(narrowing);
  const isCompared = shown !== undefined || (isShown === true && mayChange);
  const isRead = isGuarded || isCompared || concerned.size > 0;
  return { shown, ends, narrowing, concerned, isRead };
}

// What a saved plan is asked about access.
function askedAgain(
  { tests, guards, isTested, isGuarded }: JudgedAgain,
  narrowing: ReadonlySet<KindName>,
): Parameters<typeof readForSavedPlan>[1]['asked'] {
  const guarded = guards?.guarded ?? [];
  const isAsked = isTested || guarded.length > 0 || guards?.noNewAccess === true;
  const areNames = isGuarded && isAsked;
  return { tests, guarded, areJoinersAsked: isGuarded, areNames, narrowing };
}

const evaluatedAgain = (
  { access, judgedWith = {} }: Plan,
  rest: RestOfPlan,
  guards: AccessGuards | undefined,
): Evaluation =>
  evaluatedPlan(rest, guards, {
    senders: judgedWith.senders ?? [],
    shown: access && (access.rights ?? []),
  });

// The removals of ended objects that remain to be carried out.
function endsLeft(
  { endings }: Plan,
  actions: Plan['actions'],
): Pick<Plan, 'actions' | 'pins'> | undefined {
  const { actions: all = [], pins = [] } = endings?.alone ?? {};
  const left = new Set(actions.map(writtenObject));
  const ends = all.filter(one => left.has(writtenObject(one)));
  return ends.length === 0 ? undefined : { actions: ends, pins };
}

// The rest of a plan in the account as it is now, with what the plan knew of the files.
async function restNow(
  { changes, pins, judgedWith = {} }: Plan,
  actions: Plan['actions'],
  { account, read }: { readonly account: UnreadAccount; readonly read: AccountForAccess },
): Promise<RestOfPlan> {
  const { kinds } = account;
  const named = withOpenHostsOnly(read.live, kinds, judgedWith.open_hosts ?? []);
  return {
    kinds,
    live: await withoutTemporary(named, actions, account),
    unavailable: read.unavailable,
    plan: { actions, changes, pins },
    isBaseUnapplied: judgedWith.base_unapplied === true,
    areSecretsCompared: judgedWith.secrets_compared === true,
  };
}

type RestOfPlan = Parameters<typeof evaluatedPlan>[0];

/** The remaining actions of a plan in the current account, and what they change there. */
interface RestNow extends JudgedAgain {
  readonly rest: RestOfPlan;
  readonly evaluation: Evaluation;
}

// The gates of a plan, compared with its findings when it was made.
function gatesAgain(
  plan: Plan,
  { tests, isTested, guards, rest, evaluation }: RestNow,
  { allowances, used, done }: Pick<JudgingAgain, 'allowances' | 'used' | 'done'>,
): Required<Pick<GatesNow, 'gates' | 'findings'>> {
  const afterEnds = evaluationAfterEnds(rest, plan.endings?.alone);
  const isEnding = endingAmong(plan.judgedWith?.ending_rules ?? []);
  // During a run, the plan may have deleted the object that a guard names.
  const isDeclared = done.size > 0 ? undefined : declaredOnly(guards?.guarded ?? []);
  const ends = { afterEnds, isEnding };
  const settings = {
    tests,
    areTestsJudged: isTested,
    guards,
    allowances,
    used,
    isDeclared,
    ...ends,
  };
  const isBegun = done.size > 0 && plan.access?.status === 'new-account';
  const { gates, diagnostics } = gatesOf(isBegun ? inNewAccount(evaluation) : evaluation, settings);
  const findings = findingsNow(plan.gates?.findings ?? [], gates?.findings ?? []);
  return {
    findings: [...unreadFindings(evaluation.states.stateBefore), ...diagnostics],
    gates: { ...gates, findings },
  };
}

// The objects that only the files had when the plan was made. Tests fail anyway if an object that
// they name no longer exists.
function declaredOnly(guarded: AccessGuards['guarded']): NonNullable<GateSettings['isDeclared']> {
  const provided = new Set(
    guarded.flatMap(({ from, to, unprovided }) =>
      unprovided ? [] : [to, from ?? []].flat().map(text => checkedSelector(text).text),
    ),
  );
  return ({ text }) => !provided.has(text);
}

/** The parts of a saved plan that are judged again. */
interface JudgedAgain {
  readonly tests: readonly AccessTest[];
  /**
   * Whether the tests are judged. A plan that was made without tests is judged without tests again.
   */
  readonly isTested: boolean;
  readonly guards: AccessGuards | undefined;
  /** Whether tests or guards can refuse the plan. */
  readonly isGuarded: boolean;
  /** The actions that remain to be carried out. */
  readonly actions: Plan['actions'];
  /** Whether the access may differ now from the access that the plan showed. */
  readonly mayChange: boolean;
}

function judgedAgain(
  plan: Plan,
  {
    areTestsJudged,
    noNewAccess,
    used,
    done,
  }: Pick<JudgingAgain, 'areTestsJudged' | 'noNewAccess' | 'used' | 'done'>,
): JudgedAgain {
  const saved: AccessGates = plan.gates ?? { findings: [] };
  const tests = saved.tests?.tests ?? [];
  const isTested = areTestsJudged && saved.tests?.verdicts !== undefined && tests.length > 0;
  const guards = noNewAccess ? { guarded: [], ...saved.guards, noNewAccess: true } : saved.guards;
  const actions = plan.actions.filter(({ id }) => !done.has(id));
  const isGated = guards !== undefined || used !== undefined;
  return {
    tests,
    isTested,
    guards,
    isGuarded: isTested || (isGated && actions.length > 0),
    actions,
    mayChange: mayChangeAccess(plan),
  };
}

// The account without temporary services. Services that the plan writes do not count as temporary.
async function withoutTemporary(
  objects: readonly Live[],
  actions: Plan['actions'],
  { kinds, transport }: UnreadAccount,
): Promise<readonly Live[]> {
  const written = new Set(actions.flatMap(one => (one.verb === 'create' ? [] : one.remoteId)));
  const { temporaryIn } = await import('../auditLog.ts');
  const others = objects.filter(({ id }) => !written.has(id));
  const temporary = await temporaryIn(others, kinds, transport);
  return objects.filter(one => !temporary.includes(one));
}

// If an earlier run has begun to fill a new account, the account still counts as new, because
// nobody relied on access before that run.
const inNewAccount = (evaluation: Evaluation): Evaluation => ({
  ...evaluation,
  access: { ...evaluation.access, status: 'new-account' },
});

// The findings about unread lists. They contain only the names of the lists, because there is no
// access report here that could explain why a list was not read.
function unreadFindings(state: AccessState): readonly Diagnostic[] {
  return unreadText(state).map(text => ({
    code: 'KIND_UNAVAILABLE',
    severity: 'warning',
    message: `access cannot be judged as a whole without ${text}`,
  }));
}

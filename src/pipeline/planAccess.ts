// The access diff of a plan with its gates, and the access state of a live account: both read the rest of the account.
import { unreadText } from '../access/ask/answer.ts';
import { findingsNow, meantAllowances, unguardedTargets } from '../access/gates/accepted.ts';
import { evaluated } from '../access/gates/evaluation.ts';
import { type FormerAccess, formerAccess, withFormer } from '../access/gates/formerAccess.ts';
import { aboutTheSame } from '../access/gates/formerVerdicts.ts';
import { gainedSince } from '../access/gates/gainedSince.ts';
import { type GateSettings, gatesOf, idleGuards, inStableOrder } from '../access/gates/gates.ts';
import { type MeantNames, meantObjects } from '../access/gates/meantObjects.ts';
import { missedNames, movedGuardedNames } from '../access/gates/movedNames.ts';
import { changeAnswers, kindsOfAnswers } from '../access/gates/nameservers.ts';
import { newAccessFindings } from '../access/gates/newAccess.ts';
import { kindsOfDomains } from '../access/gates/proxies.ts';
import { steeredNames } from '../access/gates/steeredNames.ts';
import { changeAddresses, takenAddresses } from '../access/gates/takenAddresses.ts';
import type { PlannedAccount } from '../access/plan/comparison.ts';
import { type Asked, IPV6_KINDS, mayMoveIpv6, movesIpv6 } from '../access/plan/ipv6Reads.ts';
import { accessNotes } from '../access/plan/notes.ts';
import { nothingChanges } from '../access/plan/planAccess.ts';
import { accessSteps } from '../access/replay/accessSteps.ts';
import { orderedPlan } from '../access/replay/planOrder.ts';
import type { Replayed } from '../access/replay/planStates.ts';
import type { AccessState } from '../access/state/accessState.ts';
import {
  INTERNET_KINDS,
  type InternetReads,
  internetReads,
  openKinds,
  SERVING_KINDS,
} from '../access/state/internet.ts';
import { stateOfFiles } from '../access/state/ofFiles.ts';
import { ACCESS_KINDS, stateOfLive } from '../access/state/ofLive.ts';
import { SERVICE } from '../access/state/services.ts';
import {
  callNames,
  changeNames,
  changeRecords,
  NAME_KINDS,
  offerDomains,
} from '../access/state/zones.ts';
import { withPlaces } from '../access/tests/decided.ts';
import { kindsOfCallers } from '../access/world/callingMachines.ts';
import {
  type FetchedAccount,
  type FetchOptions,
  fetchAndWiden,
  type Widening,
} from '../api/account/fetch.ts';
import type { ReadTransport } from '../api/transport/transport.ts';
import { requestsToReadBack } from '../engine/actions/readingBack.ts';
import { calledIn } from '../engine/plan/called.ts';
import type { Planned } from '../engine/plan/plan.ts';
import { propagatorsOf } from '../kinds/dialect/propagation.ts';
import { identityName } from '../kinds/identity/identity.ts';
import type { KindTable } from '../kinds/kind.ts';
import type { DialectChoice } from '../kinds/traits.ts';
import { flowText, hazardsIn } from '../model/access/accessFindings.ts';
import type { AccessGates } from '../model/access/accessGates.ts';
import type { AccessStep } from '../model/access/accessPicture.ts';
import type { PlanAccess } from '../model/access/planAccess.ts';
import type { Called } from '../model/called.ts';
import { type Diagnostic, hasErrors } from '../model/diagnostic.ts';
import type { Guards, GuardsElsewhere } from '../model/guards.ts';
import type { ActionId, KindName } from '../model/names.ts';
import type { Desired, Live } from '../model/object.ts';
import type { Plan, ShownAction } from '../model/plan.ts';
import { nameText, visible } from '../model/text/visible.ts';

/** Receives the states of an account before and after a plan, and the access after each step of its apply, on demand. */
export type OnStates = (
  before: AccessState,
  after: AccessState,
  steps: () => readonly AccessStep[] | undefined,
) => void;

/** The gates of a plan's access, and the declared objects. */
export interface AccessSettings extends Omit<GateSettings, 'declared'> {
  readonly desired: readonly Desired[];
  /** The guards that were last applied, which count as well. */
  readonly applied?: Guards;
  /** The guards of other folders of the account, which count as well. */
  readonly elsewhere?: GuardsElsewhere;
  readonly onStates?: OnStates;
  /** Whether the base is a revision or a folder: nothing says that it was applied. */
  readonly isBaseUnapplied?: boolean;
  /** Whether the plan has every secret whose value is not the one that was sent last. */
  readonly areSecretsCompared?: boolean;
  /** Of these objects, those that machines made for a time: they are listed, and not judged. */
  readonly temporaryIn?: (objects: readonly Live[]) => Promise<readonly Live[]>;
  /** What ends alone would do to the account; absent if nothing has ended. */
  readonly endings?: Pick<Plan, 'actions' | 'changes' | 'pins'> | undefined;
}

/**
 * Adds the access diff and the gates to a plan, and orders its actions so that access stays within bounds. The rest of the
 * account is read only if something changes, something is guarded, a test must be judged, or `onStates` receives the states before and after.
 */
export async function withAccess(
  {
    plan,
    rearrange,
    arrived,
    ...names
  }: Pick<Planned, 'plan' | 'rearrange' | 'arrived'> & Omit<MeantNames, 'missing'>,
  kinds: KindTable,
  { widen }: Pick<Widening, 'widen'>,
  { desired, onStates, ...settings }: AccessSettings,
): Promise<Plan> {
  const run = { ...settings, byFlag: settings.allowances.byFlag };
  const written = formerAccess(run, undefined);
  if (hasErrors(plan.diagnostics)) return withLoosened(plan, written);
  // Waiting objects count now: approving the files approves the access that they give once the group exists.
  const foreseen = arrived && !hasErrors(arrived.diagnostics) ? arrived : plan;
  const isAtRest = foreseen.actions.length === 0;
  const isJudged = settings.areTestsJudged && settings.tests.length > 0;
  const isGuarded = (settings.guards?.guarded ?? []).length > 0;
  if (isAtRest && !isJudged && !isGuarded && onStates === undefined) {
    const gates = gatesAtRest(settings);
    const rest = { ...plan, access: nothingChanges(plan), ...(gates && { gates }) };
    return withLoosened(rest, written);
  }
  const asked = {
    tests: [...settings.tests, ...written.tests],
    guarded: [...(settings.guards?.guarded ?? []), ...written.guarded],
    areNames: isJudged || isGuarded || written.guarded.length > 0 || onStates !== undefined,
  };
  const whole = await wholeAccount(kinds, widen, foreseen, asked);
  const { unavailable, requests } = whole;
  const undeclared = notDeclared(whole.live, desired, kinds);
  const temporary = (await settings.temporaryIn?.(undeclared)) ?? [];
  const live = whole.live.filter(one => !temporary.includes(one));
  const areSecretsCompared = settings.areSecretsCompared === true;
  const account = { kinds, live, unavailable, plan, areSecretsCompared };
  const isBaseUnapplied = settings.isBaseUnapplied === true;
  const evaluation = evaluated(
    { ...account, plan: foreseen, isBaseUnapplied },
    withFormer(settings.guards, written),
  );
  const { states } = evaluation;
  const { endings } = settings;
  const given = endings ? accessOfEnds({ ...account, plan: endings }) : [];
  const meant = meantObjects(
    { ...names, missing: plan.missing ?? [] },
    states.stateBefore,
    states.stateAfter,
  );
  const { before, after } = states;
  const said = formerAccess(run, { before, after, meant: meant.selector });
  const former = { ...meant.guards(said), tests: meant.tests(said.tests) };
  const own = settings.guards && meant.guards(settings.guards);
  const { actions, access, planned } = inSafeOrder(account, evaluation.access, rearrange);
  onStates?.(states.stateBefore, states.stateAfter, () => accessSteps(account, actions));
  // Only the existence of the names matters, and that does not depend on the dialect.
  const declared = () => stateOfFiles(desired, objects => objects);
  // A plan without changes breaks nothing that was applied.
  const judged = isAtRest
    ? { ...settings, tests: meant.tests(settings.tests), guards: undefined }
    : {
        ...settings,
        guards: withFormer(own, former),
        tests: [...meant.tests(settings.tests), ...aboutTheSame(former.tests, states)],
      };
  const byFlag = meantAllowances(run.byFlag, judged.guards?.guarded);
  const allowances = { ...settings.allowances, byFlag };
  const begun = endings && endsOf(endings, live);
  const afterEnds =
    begun && evaluated({ ...account, plan: foreseen, begun, isBaseUnapplied }, undefined);
  const judging = { ...judged, allowances, declared, lost: meant.lost, afterEnds };
  const found = gatesOf(evaluation, judging);
  const { diagnostics, missing } = found;
  const judgedGates = found.gates ?? (isAtRest ? gatesAtRest(settings) : undefined);
  const gates = judgedGates && placedGates(judgedGates, desired);
  const guards = judged.guards ?? own;
  const notes = accessNotes(access, gates && hazardsIn(gates.findings));
  const guarded = guards?.guarded ?? [];
  const moved = isAtRest
    ? []
    : [
        ...movedGuardedNames(states, { ...account, plan: foreseen }, guarded),
        ...missedNames(states, foreseen.changes, guarded),
        ...steeredNames(states, foreseen.changes, guarded),
        ...takenAddresses(states),
      ];
  const idle = isAtRest ? idleGuards(states, own ?? { guarded: [] }) : [];
  const { tests } = judged;
  const nameable = { guarded, tests, missing };
  const warnings = unguardedTargets(byFlag, nameable);
  const called = allCalled(plan, calledIn(live, kinds));
  return {
    ...withLoosened(plan, former),
    ...(called.length > 0 && { called }),
    actions,
    access,
    ...(gates && { gates: { ...gates, ...(guards && { guards }) } }),
    diagnostics: [
      ...plan.diagnostics,
      ...temporaryNotes(temporary),
      ...notes,
      ...moved,
      ...idle,
      ...warnings,
      ...diagnostics,
      ...given,
    ],
    requests: { ...plan.requests, planned, made: plan.requests.made + requests },
  };
}

// Failed tests say where files write what decides them.
function placedGates(gates: AccessGates, desired: readonly Desired[]): AccessGates {
  const { tests } = gates;
  if (tests?.verdicts === undefined) return gates;
  return { ...gates, tests: { ...tests, verdicts: withPlaces(tests.verdicts, () => desired) } };
}

// The live objects of which no file declares the name.
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

const temporaryNotes = (temporary: readonly Live[]): readonly Diagnostic[] =>
  temporary.map(({ kind, id, fields }) => ({
    code: 'SERVICE_TEMPORARY',
    severity: 'note',
    message: `a machine made ${kind} ${nameText(String(fields.domain ?? id))} for a time: it is listed, and no guard or access test judges it`,
    hint: 'switch `peer_expose_enabled` off in the account settings if machines must not publish ports',
  }));

/** The errors for ends that would give somebody access. */
function accessOfEnds(account: PlannedAccount): readonly Diagnostic[] {
  const given = newAccessFindings(evaluated(account, undefined)).filter(
    ({ what }) => what === 'gained',
  );
  return given.map(finding => ({
    code: 'END_GIVES_ACCESS',
    severity: 'error',
    message: `what has ended would give access if it were removed: ${visible(flowText(finding))} ${finding.detail}`,
    hint: `look at ${finding.causes.join(', ') || 'what has ended'}: something in the account turns its end into access`,
  }));
}

// Everything of the account that the access of a plan depends on. `areNames`: whether somebody asks for addresses, which domains
// lead to.
async function wholeAccount(
  kinds: KindTable,
  widen: Widening['widen'],
  { changes, actions }: Plan,
  asked: Asked & { readonly areNames: boolean },
) {
  const reads = internetReads(changes);
  const nested = new Set(
    [...reads.parents].flatMap(([kind, some]) => (some === 'all' ? kind : [])),
  );
  const others = [...reads.kinds].filter(kind => !reads.parents.has(kind) || nested.has(kind));
  const settings = propagatorKinds(kinds, actions);
  const wanted = ACCESS_KINDS.union(new Set(others)).union(settings);
  const first = await widen(kindsNamed(kinds, wanted));
  // The files may declare a machine of which the account has ports, without a change of these.
  const { kinds: serving } = internetReads([], first.objects);
  const offered = [...first.objects, ...actions];
  const calling = kindsOfCallers(first.objects, actions);
  const overlay = mayMoveIpv6(actions, first.objects, asked) ? IPV6_KINDS : calling;
  const settled = await more(first, kindsNamed(kinds, overlay), widen);
  const isNamed = offerDomains(offered)
    ? asked.areNames ||
      callNames(offered) ||
      changeNames(actions) ||
      movesIpv6(actions, settled.objects)
    : (asked.areNames && (changeAnswers(actions) || changeRecords(actions))) ||
      changeAddresses(actions);
  const names = isNamed ? NAME_KINDS : NO_KINDS;
  const served = kindsOfDomains(changes).union(kindsOfAnswers(actions));
  const domains = asked.guarded.length > 0 ? served : NO_KINDS;
  const left = kindsNamed(kinds, serving.difference(reads.kinds).union(names).union(domains));
  const account = await more(settled, left, widen);
  return {
    live: account.objects,
    unavailable: unreadOf(account, reads.kinds.union(serving).union(names)),
    requests: account.requests,
  };
}

// The account with more kinds; `requests` are those of both.
async function more(
  account: FetchedAccount,
  left: ReadonlySet<KindName>,
  widen: Widening['widen'],
): Promise<FetchedAccount> {
  if (left.size === 0) return account;
  const found = await widen(left);
  return { ...found, requests: account.requests + found.requests };
}

const NO_KINDS: ReadonlySet<string> = new Set();

// Of what opens ports to the internet, and of names, only what concerns the run counts as unread. A server that does not offer it has
// none.
function unreadOf(
  { unavailable, notOffered }: Pick<FetchedAccount, 'unavailable' | 'notOffered'>,
  concerned: ReadonlySet<string>,
): FetchedAccount['unavailable'] {
  const counts = (kind: KindName) =>
    !(INTERNET_KINDS.has(kind) || NAME_KINDS.has(kind) || kind === SERVICE) ||
    ((concerned.has(kind) || kind === SERVICE) && !notOffered?.has(kind));
  return new Map([...unavailable].filter(([kind]) => counts(kind)));
}

// The whole account has more objects than a plan needs.
function allCalled({ called = [] }: Plan, more: readonly Called[]): readonly Called[] {
  const known = new Set(called.map(({ kind, id }) => `${kind} ${id}`));
  return [...called, ...more.filter(({ kind, id }) => !known.has(`${kind} ${id}`))];
}

const withLoosened = (plan: Plan, { loosened }: FormerAccess): Plan =>
  loosened.length === 0 ? plan : { ...plan, loosened: [...(plan.loosened ?? []), ...loosened] };

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
  readonly used?: GateSettings['used'];
  readonly allowances: GateSettings['allowances'];
  /** Actions that an earlier run of the plan has completed. */
  readonly done: ReadonlySet<ActionId>;
}

/** The gates of a saved plan on the current account; never weaker than those of the plan. */
export async function gatesNow(
  plan: Plan,
  kinds: KindTable,
  transport: ReadTransport,
  { areTestsJudged, noNewAccess, used, allowances, done, ...options }: JudgingAgain,
): Promise<{
  readonly gates?: AccessGates | undefined;
  readonly findings: readonly Diagnostic[];
  /** Access that the plan gives now, and did not show. */
  readonly gained?: readonly string[];
}> {
  const saved: AccessGates = plan.gates ?? { findings: [] };
  const tests = saved.tests?.tests ?? [];
  const isJudged = areTestsJudged && saved.tests?.verdicts !== undefined && tests.length > 0;
  const guards = noNewAccess ? { guarded: [], ...saved.guards, noNewAccess: true } : saved.guards;
  const actions = plan.actions.filter(({ id }) => !done.has(id));
  const isGated = guards !== undefined || used !== undefined;
  const isGuarded = isJudged || (isGated && actions.length > 0);
  // In the middle of a run, access may be less than before it.
  const shown = done.size === 0 && mayChangeAccess(plan) ? plan.access : undefined;
  if (!isGuarded && shown === undefined) return { gates: plan.gates, findings: [] };
  const reads = internetReads(plan.changes);
  const asked = { tests, guarded: guards?.guarded ?? [] };
  const account = await readAccess(kinds, transport, options, { reads, actions, asked });
  const { objects, findings } = account;
  if (hasErrors(findings)) return { findings };
  const unavailable = unreadOf(account, reads.kinds.union(NAME_KINDS));
  const written = new Set(actions.flatMap(one => (one.verb === 'create' ? [] : one.remoteId)));
  const { temporaryIn } = await import('./planMissing.ts');
  const others = objects.filter(({ id }) => !written.has(id));
  const temporary = await temporaryIn(others, kinds, transport);
  const live = objects.filter(one => !temporary.includes(one));
  const rest = { actions, changes: plan.changes, pins: plan.pins };
  const evaluation = evaluated({ kinds, live, unavailable, plan: rest }, guards);
  const begun = plan.endings?.alone && endsOf(plan.endings.alone, live);
  const afterEnds = begun && evaluated({ kinds, live, unavailable, plan: rest, begun }, undefined);
  // In a new account that an earlier run has started, nobody relied on access before that run.
  const isBegun = done.size > 0 && plan.access?.status === 'new-account';
  const access: PlanAccess = isBegun
    ? { ...evaluation.access, status: 'new-account' }
    : evaluation.access;
  const settings = { tests, areTestsJudged: isJudged, guards, allowances, afterEnds, used };
  const gained = shown ? gainedSince(shown.gains, evaluation.access.gains) : [];
  if (!isGuarded) return { gates: plan.gates, findings: [], gained };
  const { gates, diagnostics } = gatesOf({ ...evaluation, access }, settings);
  const found: AccessGates = gates ?? { findings: [] };
  return {
    findings: [...findings, ...unreadFindings(evaluation.states.stateBefore), ...diagnostics],
    gates: { ...found, findings: findingsNow(saved.findings, found.findings) },
    gained,
  };
}

// Whether the access that a plan showed can have changed. In a new account nobody relied on access.
function mayChangeAccess({ access, actions, changes }: Plan): boolean {
  if (access === undefined || access.status === 'new-account') return false;
  const kinds = ACCESS_KINDS.union(internetReads(changes).kinds).union(SERVING_KINDS);
  return actions.some(({ kind }) => kinds.has(kind));
}

// What an earlier run removed has ended. What a plan deletes together with an ended object has not.
function endsOf({ actions, pins }: Pick<Plan, 'actions' | 'pins'>, live: readonly Live[]) {
  const known = new Set(live.map(({ kind, id }) => `${kind} ${id}`));
  const isThere = (action: ShownAction) =>
    action.verb === 'create' || known.has(`${action.kind} ${action.remoteId}`);
  return { actions: actions.filter(isThere), changes: [], pins };
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
  /** Objects that are identified by their ids in it. */
  readonly called?: readonly Called[];
}

/** Reads the part of an account that access depends on, whatever the files declare. */
export async function accessStateOf(
  kinds: KindTable,
  transport: ReadTransport,
  options: FetchOptions & { readonly dialect: DialectChoice },
): Promise<FoundState> {
  const wanted = kindsNamed(kinds, ACCESS_KINDS.union(SERVING_KINDS));
  const scope = { kinds: wanted, parents: everywhere(wanted) };
  const { snapshot, widen } = await fetchAndWiden(transport, kinds, scope, options);
  const { findings } = snapshot;
  if (hasErrors(findings)) return { findings };
  // The ports of each machine are a list of their own: without an object that serves them, none is open.
  const names = offerDomains(snapshot.objects) ? NAME_KINDS : new Set<string>();
  const calling = kindsOfCallers(snapshot.objects);
  const open = kindsNamed(kinds, openKinds(snapshot.objects).union(names).union(calling));
  const account = open.size === 0 ? snapshot : await widen(open);
  const unavailable = unreadOf(account, INTERNET_KINDS.union(names));
  const called = calledIn(account.objects, kinds);
  const { temporaryIn } = await import('./planMissing.ts');
  // An API body does not show whether a machine created a service, so the output says so, even if nothing is judged.
  const notes = temporaryNotes(await temporaryIn(account.objects, kinds, transport));
  const state = stateOfLive(account.objects, unavailable);
  return { findings: [...findings, ...notes], called, state };
}

async function readAccess(
  kinds: KindTable,
  transport: ReadTransport,
  options: FetchOptions,
  { reads, actions, asked }: ReadingAgain,
): Promise<FetchedAccount> {
  const settings = propagatorKinds(kinds, actions);
  const wanted = kindsNamed(kinds, ACCESS_KINDS.union(reads.kinds).union(settings));
  const parents = new Map([...wanted].map(name => [name, reads.parents.get(name) ?? 'all']));
  const scope = { kinds: wanted, parents };
  const { snapshot, widen } = await fetchAndWiden(transport, kinds, scope, options);
  if (hasErrors(snapshot.findings)) return snapshot;
  const isNamed = offerDomains([...snapshot.objects, ...actions]) || changeAnswers(actions);
  const names = isNamed ? NAME_KINDS : NO_KINDS;
  const calling = kindsOfCallers(snapshot.objects, actions);
  const overlay = mayMoveIpv6(actions, snapshot.objects, asked) ? IPV6_KINDS : calling;
  const answering = asked.guarded.length > 0 ? kindsOfAnswers(actions) : NO_KINDS;
  return await more(snapshot, kindsNamed(kinds, names.union(overlay).union(answering)), widen);
}

interface ReadingAgain {
  readonly reads: InternetReads;
  readonly actions: Plan['actions'];
  readonly asked: Asked;
}

// The kinds that say whether an update of such an object moves members of groups.
function propagatorKinds(kinds: KindTable, actions: Plan['actions']): ReadonlySet<string> {
  const moving = actions.filter(
    action =>
      action.verb === 'update' &&
      [...(kinds.get(action.kind)?.shape.fields.values() ?? [])].some(
        ({ name, movesMembers }) => movesMembers && name in action.fields,
      ),
  );
  const found = propagatorsOf(kinds, new Set(moving.map(({ kind }) => kind)));
  return new Set(found.map(({ name }) => name));
}

const everywhere = (names: ReadonlySet<KindName>) =>
  new Map([...names].map(name => [name, 'all' as const]));

const kindsNamed = (kinds: KindTable, names: ReadonlySet<string>): ReadonlySet<KindName> =>
  new Set([...kinds.keys()].filter(name => names.has(name)));

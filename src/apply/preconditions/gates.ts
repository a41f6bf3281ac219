// The access conditions of a plan before it is carried out: tests, guards, and accepted hazards.
import { acceptedAccess, allowancesByIds, findingsNow } from '../../access/gates/acceptedAccess.ts';
import { readTransport } from '../../api/transport/transport.ts';
import { accepted, missingAllowances } from '../../engine/checks/hazards.ts';
import { dialectNamed } from '../../kinds/dialect/dialects.ts';
import { hazardsIn, isAcceptable } from '../../model/access/accessFindings.ts';
import type { AccessGates } from '../../model/access/accessGates.ts';
import type { GivenAccess } from '../../model/access/planAccess.ts';
import type { EarlierRun } from '../../model/journal.ts';
import type { Plan } from '../../model/plan.ts';
import type { JudgingAgain } from '../../pipeline/access/gatesNow.ts';
import { gatesWithLabels } from '../../report/plan/planWithLabels.ts';
import { findingsRefusal, isRefusal, type Refusal } from '../refusal.ts';
import type { ApplyRequest } from '../request.ts';
import { isOfDialect } from './accountOfPlan.ts';

/** The gates of a plan, judged before a person was asked. */
export interface JudgedGates {
  readonly gates: AccessGates | undefined;
  /** What the plan changed at that time; absent if its access was not evaluated. */
  readonly given?: GivenAccess | undefined;
}

/**
 * The gates of a saved plan on the current account. Tests that the plan left out are left out
 * again, because the approver saw this.
 */
export async function gatesOnAccount(
  plan: Plan,
  request: ApplyRequest,
  earlier?: EarlierRun,
): Promise<JudgedGates | Refusal> {
  // An unfinished run has already changed the account, and its journal may not show which actions
  // it completed.
  const isComparable = earlier === undefined;
  const judged = await judgedOnAccount(plan, request, { earlier, isComparable });
  if (!isRefusal(judged)) request.host.tell({ note: 'judged', gates: judged.gates });
  return judged;
}

/**
 * The refusal if the account changed while a person was asked, so that the plan now does something
 * that it did not show. The account is read again and judged as for a saved plan. Flags such as
 * `--allow` accept only what was shown.
 */
export async function refusalSinceAsked(
  plan: Plan,
  { gates: then, given }: JudgedGates,
  request: ApplyRequest,
  earlier?: EarlierRun,
): Promise<Refusal | null> {
  const gates = then && { ...then, findings: acceptedIn(then, request) };
  const shown = given ?? plan.access;
  const judged = await judgedOnAccount(
    { ...plan, ...(gates && { gates }) },
    { ...request, allow: [] },
    { earlier, shown, isComparable: earlier === undefined || shown !== undefined },
  );
  if (isRefusal(judged))
    return judged.refused === 'access-since' ? { ...judged, isUnseen: true } : judged;
  const now = gatesWithLabels(judged.gates, plan);
  const refusal = accessRefusal(now);
  if (refusal?.refused === 'access') return { ...refusal, isUnseen: true };
  const missing = hazardsIn(now?.findings ?? []).filter(({ allowed }) => !allowed);
  return missing.length === 0 ? null : { refused: 'hazards', missing, isUnseen: true };
}

/** The facts against which a plan is judged. */
interface Judging {
  readonly earlier?: EarlierRun | undefined;
  /** The access that a person was shown. */
  readonly shown?: GivenAccess | undefined;
  /** Whether the plan is refused because of access and hazards that were not shown. */
  readonly isComparable: boolean;
}

async function judgedOnAccount(
  plan: Plan,
  request: ApplyRequest,
  judging: Judging,
): Promise<JudgedGates | Refusal> {
  const { kinds, connection, host } = request;
  const { gatesNow } = await import('../../pipeline/access/gatesNow.ts');
  const transport = readTransport(connection);
  const { gates, findings, given, ...found } = await gatesNow(
    plan,
    { kinds, transport },
    settingsOf(plan, request, judging),
  ).finally(() => host.tell({ note: 'read' }));
  const refusal = findingsRefusal(findings, host);
  if (refusal) return refusal;
  const { gained = [], lost = [], moved = [], hazards = [] } = judging.isComparable ? found : {};
  const isOther = gained.length + lost.length + moved.length + hazards.length > 0;
  // If a gate refuses the plan, this refusal is reported instead, because it explains more.
  const isRefused = (gates?.findings ?? []).some(one => one.allowed_by === undefined);
  if (isOther && !isRefused) return { refused: 'access-since', gained, lost, moved, hazards };
  return { gates, given };
}

function settingsOf(
  plan: Plan,
  { kinds, concurrency, host, confirm, used, ...request }: ApplyRequest,
  { earlier, shown }: Judging,
): JudgingAgain {
  const { areTestsJudged = true, mayGainAccess = true, allow = [] } = request;
  return {
    // A plan that does not depend on the dialect may have been made for an unknown dialect.
    dialect: isOfDialect(plan, kinds) ? dialectNamed(plan.dialect) : 'auto',
    concurrency,
    areTestsJudged,
    noNewAccess: !mayGainAccess,
    used,
    onProgress: (done, total) => host.tell({ note: 'reading', done, total }),
    allowances: { byFlag: allow, byProject: [] },
    done: new Set([...(earlier?.done.keys() ?? []), ...(earlier?.sent.keys() ?? [])]),
    shown,
    isShown: confirm !== undefined,
  };
}

/** The refusal if an access test fails, or if the plan gains access that must not be gained. */
export function accessRefusal(gates: AccessGates | undefined): Refusal | null {
  if (gates === undefined || gates.findings.every(isAcceptable)) return null;
  return { refused: 'access', gates };
}

/**
 * The refusal for hazards that neither the plan nor this request accepts. `gates` are evaluated on
 * the current account.
 */
export function hazardsRefusal(
  plan: Plan,
  gates: AccessGates | undefined,
  { allow = [], resolve = [], secrets }: Pick<ApplyRequest, 'allow' | 'resolve' | 'secrets'>,
): Refusal | null {
  const acceptance = { allow, resolve, hasSink: secrets.place !== undefined };
  const actions = plan.actions.map(action => accepted(action, acceptance));
  const ofAccess = hazardsIn(gates ? acceptedIn(gates, { allow }) : []);
  const missing = [
    ...missingAllowances(actions).map(({ hazard }) => hazard),
    ...ofAccess.filter(({ allowed }) => !allowed),
  ];
  return missing.length === 0 ? null : { refused: 'hazards', missing };
}

// The findings, with what this request accepts.
function acceptedIn(
  { findings, guards }: AccessGates,
  { allow = [] }: Pick<ApplyRequest, 'allow'>,
): AccessGates['findings'] {
  const byFlag = allowancesByIds(allow, guards?.guarded);
  return findingsNow(findings, acceptedAccess(findings, { byFlag, byProject: [] }));
}

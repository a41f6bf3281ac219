// The access conditions of a plan before it is carried out: tests, guards, and accepted hazards.
import { acceptedAccess, allowancesByIds, findingsNow } from '../../access/gates/acceptedAccess.ts';
import { readTransport } from '../../api/transport/transport.ts';
import { accepted, missingAllowances } from '../../engine/checks/hazards.ts';
import { dialectNamed } from '../../kinds/dialect/dialects.ts';
import { hazardsIn, isAcceptable } from '../../model/access/accessFindings.ts';
import type { AccessGates } from '../../model/access/accessGates.ts';
import type { EarlierRun } from '../../model/journal.ts';
import type { Plan } from '../../model/plan.ts';
import { findingsRefusal, type Refusal } from '../refusal.ts';
import type { ApplyRequest } from '../request.ts';
import { isOfDialect } from './account.ts';

/**
 * The gates of a saved plan on the account as it is now. Tests that the plan left out stay out, because the approver saw that
 * they were left out.
 */
export async function gatesOnAccount(
  plan: Plan,
  { areTestsJudged = true, mayGainAccess = true, allow = [], used, ...request }: ApplyRequest,
  earlier?: EarlierRun,
): Promise<{ readonly gates: AccessGates | undefined } | Refusal> {
  const isShown = plan.gates !== undefined || plan.access !== undefined;
  if (!isShown && mayGainAccess && used === undefined) return { gates: undefined };
  const { kinds, connection, concurrency, host } = request;
  const { tell } = host;
  const { gatesNow } = await import('../../pipeline/access/gatesNow.ts');
  const {
    gates,
    findings,
    gained = [],
  } = await gatesNow(
    plan,
    { kinds, transport: readTransport(connection) },
    {
      // A plan that does not depend on the dialect may have been made for an unknown dialect.
      dialect: isOfDialect(plan, kinds) ? dialectNamed(plan.dialect) : 'auto',
      concurrency,
      areTestsJudged,
      noNewAccess: !mayGainAccess,
      used,
      onProgress: (done, total) => tell({ note: 'reading', done, total }),
      allowances: { byFlag: allow, byProject: [] },
      done: new Set([...(earlier?.done.keys() ?? []), ...(earlier?.sent.keys() ?? [])]),
    },
  ).finally(() => tell({ note: 'read' }));
  const refusal = findingsRefusal(findings, host);
  if (refusal) return refusal;
  // An unfinished run changed the account itself, and its journal may not show which actions it completed.
  const [first, ...others] = earlier === undefined ? gained : [];
  // The refusal of a gate explains more.
  const isRefused = (gates?.findings ?? []).some(one => one.allowed_by === undefined);
  if (first !== undefined && !isRefused)
    return { refused: 'access-since', gained: [first, ...others] };
  tell({ note: 'judged', gates });
  return { gates };
}

/** The refusal if an access test fails, or if the plan gains access that must not be gained. */
export function accessRefusal(gates: AccessGates | undefined): Refusal | null {
  if (gates === undefined || gates.findings.every(isAcceptable)) return null;
  return { refused: 'access', gates };
}

/** The refusal for hazards that neither the plan nor this request accepts. `gates` are evaluated on the account as it is now. */
export function hazardsRefusal(
  plan: Plan,
  gates: AccessGates | undefined,
  { allow = [], resolve = [], secrets }: Pick<ApplyRequest, 'allow' | 'resolve' | 'secrets'>,
): Refusal | null {
  const acceptance = { allow, resolve, hasSink: secrets.place !== undefined };
  const actions = plan.actions.map(action => accepted(action, acceptance));
  const findings = gates?.findings ?? [];
  const byFlag = allowancesByIds(allow, gates?.guards?.guarded);
  const asked = acceptedAccess(findings, { byFlag, byProject: [] });
  const ofAccess = hazardsIn(findingsNow(findings, asked));
  const missing = [
    ...missingAllowances(actions).map(({ hazard }) => hazard),
    ...ofAccess.filter(({ allowed }) => !allowed),
  ];
  return missing.length === 0 ? null : { refused: 'hazards', missing };
}

// Checks whether an apply of a saved plan would begin, with the checks that an apply makes before
// its first write. Takes no lock and cannot write.
import { readPort } from '../api/account/port.ts';
import { readTransport } from '../api/transport/transport.ts';
import { kindsIn } from '../kinds/schema/table.ts';
import { hazardsIn } from '../model/access/accessFindings.ts';
import type { AccessGates } from '../model/access/accessGates.ts';
import { sortedByPosition } from '../model/byPosition.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { present } from '../model/errors.ts';
import type { ActionId } from '../model/names.ts';
import type { Fault } from '../model/outcome.ts';
import type { Action, Plan, ShownAction } from '../model/plan.ts';
import { hazardsOf, neededFlags } from '../report/plan/neededFlags.ts';
import type { PlanCheck, StaleAction } from '../report/plan/planCheck.ts';
import { gatesWithLabels } from '../report/plan/planWithLabels.ts';
import type { SavedPlan } from '../report/plan/savedPlan.ts';
import { notItsAccount } from './preconditions/accountOfPlan.ts';
import { declaredSince } from './preconditions/declaredSince.ts';
import { staleEnds } from './preconditions/endedSince.ts';
import { accessRefusal, gatesOnAccount } from './preconditions/gates.ts';
import { planOvertakenHere } from './preconditions/planOvertaken.ts';
import { isRefusal, type Refusal } from './refusal.ts';
import type { ApplyRequest } from './request.ts';
import type { CheckContext } from './run/turns/context.ts';
import { RecentLists } from './run/turns/recentLists.ts';
import { runNames } from './run/turns/runNames.ts';
import { staleActions } from './run/verify.ts';
import { secretOpener } from './secrets/opener.ts';

/** The request of an apply, without the settings that concern its writes. */
export type CheckRequest = Omit<
  ApplyRequest,
  'onError' | 'resolve' | 'journal' | 'recordBase' | 'confirm' | 'signal' | 'onEvent' | 'onRunning'
>;

/**
 * The actions of a plan from `openPlan` whose preconditions do not hold. Returns a refusal if the
 * plan is for another account, if an access test fails, or if a new hazard of access has appeared.
 * If no action is stale, it also refuses if a secret that identifies an object cannot be decrypted.
 */
export async function checkSaved(
  saved: SavedPlan,
  request: CheckRequest,
): Promise<PlanCheck | Refusal> {
  const { plan, digest, contentDigest } = saved;
  const over = staleEnds(plan, request.host);
  if (over) return over;
  const elsewhere = await notItsAccount(plan, request);
  if (elsewhere) return elsewhere;
  const { host, connection } = request;
  const overtaken = await planOvertakenHere(saved, { host, token: connection.token });
  if (overtaken) return overtaken;
  const since = await declaredSince(plan, request);
  if (isRefusal(since)) return since;
  if (since.unread.length > 0) return { refused: 'findings', findings: since.unread };
  const faults = await faultsOf(plan, request, since.faults);
  const stale = faults.flatMap(([action, fault]) => staleAction(action, fault));
  const check = { plan, digest, contentDigest, stale };
  // An apply evaluates access before it looks for stale objects. If the plan is stale, this check
  // reports the stale actions, not the access that has been gained since.
  const gates = await gatesOnAccount(plan, request);
  const labelled = isRefusal(gates) ? undefined : gatesWithLabels(gates.gates, plan);
  const refusal = isRefusal(gates)
    ? gates
    : (accessRefusal(labelled) ?? hazardsSince(plan, labelled));
  if (refusal && (stale.length === 0 || refusal.refused !== 'access-since')) return refusal;
  if (stale.length > 0) return { ...check, needs: neededBy(plan) };
  const unopened = faults.map(([action, fault]) => finding(plan, action, fault));
  if (unopened.length > 0) return { refused: 'secrets', findings: sortedByPosition(unopened) };
  const now = isRefusal(gates) ? undefined : gates.gates;
  return { ...check, needs: neededBy(now ? { ...plan, gates: now } : plan) };
}

// Returns the refusal for hazards that the plan did not show. Nobody was asked to accept them when
// the plan was made. An apply refuses them too, because only a new plan shows them.
function hazardsSince({ gates }: Plan, now: AccessGates | undefined): Refusal | null {
  const asked = hazardsIn(gates?.findings ?? []).filter(({ allowed }) => !allowed);
  const missing = hazardsIn(now?.findings ?? []).filter(
    ({ allowed, code, target }) =>
      !allowed && !asked.some(one => one.code === code && one.target === target),
  );
  return missing.length === 0 ? null : { refused: 'hazards', missing };
}

const neededBy = (plan: Plan): readonly string[] =>
  neededFlags(hazardsOf(plan).filter(({ allowed }) => !allowed));

// In the order of the plan.
async function faultsOf(
  plan: Plan,
  { kinds: known, connection, host: { now }, secrets, concurrency }: CheckRequest,
  forbidden: ReadonlyMap<ActionId, Fault>,
): Promise<readonly (readonly [ShownAction, Fault])[]> {
  const kinds = kindsIn(known, plan.dialect);
  const shared = {
    kinds,
    names: runNames(plan),
    lists: new RecentLists(readPort(readTransport(connection)), now),
    openSecret: secretOpener(secrets.sources(plan.folder, plan.layers)),
  };
  const contextOf = ({ kind }: Action): CheckContext => ({
    ...shared,
    kind: present(kinds.get(kind), `the kind ${kind}`),
  });
  const faults = await staleActions(plan, {
    contextOf,
    concurrency,
    earlier: undefined,
    skipsAddresses: true,
    forbidden,
  });
  return plan.actions.flatMap(action => {
    const fault = faults.get(action.id);
    return fault ? [[action, fault] as const] : [];
  });
}

const staleAction = ({ id, address }: ShownAction, { code, message }: Fault): StaleAction[] =>
  code === 'PLAN_STALE' ? [{ action: id, address, message }] : [];

function finding({ changes }: Plan, { address }: ShownAction, fault: Fault): Diagnostic {
  const at = changes.find(change => change.address === address)?.at;
  return {
    code: fault.code === 'SECRET_UNREADABLE' ? 'SECRET_UNREADABLE' : 'SECRET_UNDEFINED',
    severity: 'error',
    message: fault.message,
    ...(at && { at }),
    ...(fault.hint !== undefined && { hint: fault.hint }),
  };
}

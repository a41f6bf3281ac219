// What a plan changes about access, and the access state of a live account: the rest of the account is read for it.
import { accessNotes } from './access/plan/notes.ts';
import { nothingChanges, planAccess } from './access/plan/planAccess.ts';
import { orderedPlan } from './access/replay/planOrder.ts';
import type { AccessState } from './access/state/accessState.ts';
import { ACCESS_KINDS, stateOfLive } from './access/state/ofLive.ts';
import { type FetchOptions, fetchAccount, type Widening } from './api/account/fetch.ts';
import type { ReadTransport } from './api/transport/transport.ts';
import { requestsToReadBack } from './engine/actions/readingBack.ts';
import type { Planned } from './engine/plan/plan.ts';
import type { KindTable } from './kinds/kind.ts';
import type { DialectChoice } from './kinds/traits.ts';
import { type Diagnostic, hasErrors } from './model/diagnostic.ts';
import type { KindName } from './model/names.ts';
import type { Plan } from './model/plan.ts';

/**
 * The plan with what it changes about access, and its actions in the order that is best for access. The rest of the account
 * is read only if something changes.
 */
export async function withAccess(
  { plan, rearrange }: Planned,
  kinds: KindTable,
  { widen }: Pick<Widening, 'widen'>,
): Promise<Plan> {
  if (hasErrors(plan.diagnostics)) return plan;
  if (plan.actions.length === 0) return { ...plan, access: nothingChanges(plan) };
  const { objects: live, unavailable, requests } = await widen(accessKinds(kinds));
  const account = { kinds, live, unavailable, plan };
  const changed = planAccess(account);
  // A new account has nobody who could lack anything for a while.
  const isNew = changed.status === 'new-account';
  const ordered = isNew ? { actions: plan.actions, access: {} } : orderedPlan(account, rearrange);
  const access = { ...changed, ...ordered.access };
  const readBack =
    requestsToReadBack(ordered.actions, kinds) - requestsToReadBack(plan.actions, kinds);
  return {
    ...{ ...plan, actions: ordered.actions, access },
    diagnostics: [...plan.diagnostics, ...accessNotes(access)],
    requests: {
      ...plan.requests,
      made: plan.requests.made + requests,
      planned: plan.requests.planned + readBack,
    },
  };
}

/** The access state of an account, and what has to be said about its dialect; an error among that leaves no state. */
interface FoundState {
  readonly findings: readonly Diagnostic[];
  readonly state?: AccessState;
}

/** Reads what access depends on in an account, whatever files speak of. */
export async function accessStateOf(
  kinds: KindTable,
  transport: ReadTransport,
  options: FetchOptions & { readonly dialect: DialectChoice },
): Promise<FoundState> {
  const wanted = accessKinds(kinds);
  const parents = new Map([...wanted].map(name => [name, 'all' as const]));
  const scope = { kinds: wanted, parents };
  const { objects, unavailable, findings } = await fetchAccount(transport, kinds, scope, options);
  if (hasErrors(findings)) return { findings };
  return { findings, state: stateOfLive(objects, unavailable) };
}

const accessKinds = (kinds: KindTable): ReadonlySet<KindName> =>
  new Set([...kinds.keys()].filter(name => ACCESS_KINDS.has(name)));

// Creates a plan and carries it out under one lock, so that no other apply can run in between.
import type { LeftObjects } from '../model/leftObjects.ts';
import type { Plan } from '../model/plan.ts';
import type { Signer } from '../model/signer.ts';
import type { SharedRefs } from '../read/environment.ts';
import { type SavedPlan, savedPlan } from '../report/plan/savedPlan.ts';
import { applyPlan, underLock } from './applyPlan.ts';
import { beginJournal } from './beginJournal.ts';
import { tellOfCutOff } from './earlierRuns/foundJournal.ts';
import { memberRemovingRuns } from './earlierRuns/memberRemovingRuns.ts';
import { decidingFor } from './earlierRuns/runLeftovers.ts';
import { idleRun } from './earlierRuns/superseded.ts';
import {
  closable,
  closableEnds,
  closeAll,
  NONE,
  tellUnfinished,
  type Unfinished,
  uncountedLeft,
  unfinishedOf,
} from './earlierRuns/unfinished.ts';
import { knownByJournals, withKnown } from './earlierRuns/unfinishedHere.ts';
import type { BeforeLock, HeldAccountLock } from './lock/accountLock.ts';
import { type BeginsJournal, type Locked, withLock } from './lock/serverLock.ts';
import { otherTraffic } from './preconditions/accountOfPlan.ts';
import { planErrors, type Refusal } from './refusal.ts';
import type { Applied, ApplyRequest } from './request.ts';
import type { UnfinishedRun } from './run/concurrent/unfinishedRuns.ts';

/** The files, and the function that makes a plan for them. */
export interface MadePlan {
  readonly path: string;
  /**
   * Makes the plan. `shared`: the bases of the account at the remote of its lock, if there are any.
   * `left`: what unfinished applies created. These objects either count as declared by the base, or
   * are only used to resolve names.
   */
  readonly plan: (shared: SharedRefs | undefined, left: LeftObjects) => Promise<Plan>;
  /**
   * Whether nothing of earlier applies remains after this apply is complete, because it prunes and
   * is not limited to some objects.
   */
  readonly isWhole?: boolean;
}

/** Creates a plan for the files at `path` with `plan`, and carries it out. Returns the result, or a refusal. */
export async function planAndApply(
  made: MadePlan,
  request: ApplyRequest,
): Promise<Applied | Refusal> {
  const { path } = made;
  const { connection, host, secrets, journal, accountLock, isAnyServer, formerUrl } = request;
  const { url, token } = connection;
  const early = planningBeforeLock(made, request);
  const locked = { path, journal, accountLock, isAnyServer, formerUrl };
  const begun = { url, token, known: secrets.known, ...locked, begins: early?.begins };
  return withLock<Applied | Refusal>(begun, host, async lock => {
    const { store } = lock.account ?? {};
    if (!store) await tellOfCutOff({ path, url, lock }, host);
    const before = early?.planned();
    const isUsable = store?.isUnmoved === true;
    if (before && !isUsable) host.tell({ note: 'planned-again' });
    const own = underLock(request, lock);
    const planned = before && isUsable ? before : await plannedFor(made, own, lock);
    const { plan, digest } = planned.saved;
    host.tell({ note: 'planned', plan, digest });
    const refusal = planErrors(plan) ?? otherTraffic(plan, request);
    if (refusal) return refusal;
    const { started, ...unstarted } = lock;
    const held = { ...unstarted, ...(isUsable && started && { started }) };
    return carriedOut(planned, made, { request, own, lock: held });
  });
}

/** A request, the same request under the lock, and the lock. */
interface LockedRequest {
  readonly request: ApplyRequest;
  readonly own: ApplyRequest;
  readonly lock: Locked;
}

// Carries out a plan. Once it is complete, it closes and supersedes earlier runs of the same files.
async function carriedOut(
  { saved, unfinished, evicting, planReadAt }: Planned,
  { path, isWhole = false }: MadePlan,
  { request, own, lock }: LockedRequest,
): Promise<Applied | Refusal> {
  const { plan } = saved;
  const { host, onlyEnds } = own;
  const { store } = lock.account ?? {};
  const closed = isWhole ? closable(unfinished, plan) : onlyEnds ? closableEnds(unfinished) : [];
  const deciding = await decidingFor(closed, { path, kinds: request.kinds, host, plan });
  const onComplete = (run: string) => {
    if (!store || closed.length === 0) return undefined;
    const { now } = request.host;
    return closeAll({ own: closed }, run, { journals: store.journals, now, deciding });
  };
  const asked = { path, request: own, host, signer: lock.signer, journals: store?.journals };
  const closing = store ? closed.map(({ run }) => run) : [];
  const decided = new Set([...closing, ...unfinished.unproven.keys()]);
  const recordsBase = own.recordBase === true;
  const keptIdle = () => idleRun(plan, asked, { onlyEnds, recordsBase, decided });
  const locked = { ...saved, gates: plan.gates, planReadAt, lock, onComplete, keptIdle };
  return applyPlan({ ...locked, unfinished: evicting }, request);
}

/** A plan, and the earlier runs that affect it. */
interface Planned {
  readonly saved: SavedPlan;
  readonly unfinished: Unfinished;
  /** The earlier runs that may have removed members from sets. */
  readonly evicting: readonly UnfinishedRun[];
  /** When the account was read for the plan. */
  readonly planReadAt: number;
}

/**
 * Makes the plan before the lock is taken, so that the remote gets the lock and the journal with
 * the plan in one push. Undefined if a person must confirm first, because nobody else may continue
 * the run before the confirmation.
 */
function planningBeforeLock(
  made: MadePlan,
  request: ApplyRequest,
): { readonly begins: BeginsJournal; readonly planned: () => Planned | undefined } | undefined {
  if (request.confirm !== undefined) return undefined;
  let planned: Planned | undefined;
  const begins: BeginsJournal = async (signer, by, before) => {
    if (before === undefined) return undefined;
    const { host } = request;
    const { shared, longestWrite } = before;
    const reading = { ...request, host: { ...host, shared } };
    planned = await plannedFor(made, reading, { signer, account: { longestWrite, store: before } });
    const { plan } = planned.saved;
    if (planErrors(plan) || otherTraffic(plan, request) || plan.actions.length === 0)
      return undefined;
    return beginJournal(planned.saved, request, { signer, by });
  };
  return { begins, planned: () => planned };
}

/**
 * The signer and the state at the remote for making a plan, under the lock or before the lock is
 * taken.
 */
interface Planning {
  readonly signer: Signer;
  readonly account?: Pick<HeldAccountLock, 'longestWrite'> & {
    readonly store?: Pick<BeforeLock, 'shared' | 'journals'>;
  };
}

async function plannedFor(
  { path, plan: make, isWhole = false }: MadePlan,
  request: ApplyRequest,
  { signer, account }: Planning,
): Promise<Planned> {
  const { connection, kinds, host } = request;
  const { store } = account ?? {};
  const reading = { path, request };
  const unfinished = store ? await unfinishedOf(store.journals, signer, reading) : NONE;
  if (store) tellUnfinished(unfinished, { isWhole, request });
  const asked = { ...reading, host, signer, journals: store?.journals };
  const known = await knownByJournals(asked);
  const evicting = await memberRemovingRuns(asked, account);
  const planReadAt = host.now();
  const left = isWhole ? unfinished : uncountedLeft(unfinished);
  const plan = await make(store?.shared, withKnown(left, known));
  const planned = { ...plan, server: connection.url };
  return { saved: savedPlan(planned, kinds, host.now()), unfinished, evicting, planReadAt };
}

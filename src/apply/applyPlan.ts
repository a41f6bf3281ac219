// Carries out a plan: checks its gates, hazards and secrets, asks for confirmation, writes the
// journal, runs the actions and records the base.
import { join } from 'node:path';
import { TIMEOUT, writeTransport } from '../api/transport/transport.ts';
import { baseRef } from '../base/refName.ts';
import type { AccessGates } from '../model/access/accessGates.ts';
import type { AccessGain } from '../model/access/planAccess.ts';
import { allowanceText } from '../model/allowance.ts';
import type { EarlierRun } from '../model/journal.ts';
import { heldBack } from '../model/missingObjects.ts';
import type { ActionId, RemoteId } from '../model/names.ts';
import { type Fault, isRestoredFully, isSettled, type RunResult } from '../model/outcome.ts';
import type { Plan } from '../model/plan.ts';
import { gatesWithLabels } from '../report/plan/planWithLabels.ts';
import type { SavedPlan } from '../report/plan/savedPlan.ts';
import type { FoundJournal } from './earlierRuns/foundJournal.ts';
import { type RecordedRun, type Recording, recordRun } from './earlierRuns/recordedRun.ts';
import type { IdleRun } from './earlierRuns/superseded.ts';
import { stillUnfinished } from './earlierRuns/unfinished.ts';
import { keepingLock, keepingLockInPauses, type Locked } from './lock/serverLock.ts';
import { staleEnds } from './preconditions/endedSince.ts';
import { accessRefusal, hazardsRefusal, refusalSinceAsked } from './preconditions/gates.ts';
import { missingSecrets } from './preconditions/missingSecrets.ts';
import { tellPlanVariables } from './preconditions/planVariables.ts';
import { lastRecorded, olderBase } from './recordedBase/older.ts';
import {
  type BaseRecord,
  type CompletedPlan,
  type Recorder,
  recordApplied,
} from './recordedBase/record.ts';
import { unrecordable } from './recordedBase/recordable.ts';
import { basesAtRemote, storeAtRemote } from './recordedBase/storeAtRemote.ts';
import { unverifiedBase } from './recordedBase/verify.ts';
import { isRefusal, type Refusal } from './refusal.ts';
import type { Applied, ApplyRequest } from './request.ts';
import { carryOut } from './run/carryOut.ts';
import type { UnfinishedRun } from './run/concurrent/unfinishedRuns.ts';
import type { Journal } from './run/journal.ts';
import type { RunOptions } from './run/run.ts';
import { type SecretSources, secretOpener } from './secrets/opener.ts';
import { awaitedSecrets, openPlace } from './secrets/place.ts';
import { sentFingerprints } from './secrets/sentFingerprints.ts';

/** A plan under the lock, and the run that it continues or undoes. */
export interface LockedPlan extends SavedPlan {
  /** The tests and guards for the plan's access, evaluated on the current account. */
  readonly gates: AccessGates | undefined;
  /**
   * The access that the plan gives in the current account; undefined if the plan shows the same
   * access.
   */
  readonly gains?: readonly AccessGain[] | undefined;
  /** The time at which this process read the account for the plan; undefined for a saved plan. */
  readonly planReadAt?: number;
  readonly lock: Locked;
  readonly earlier?: EarlierRun;
  /**
   * The objects that an earlier run of the plan created; absent if this run continues that earlier
   * run.
   */
  readonly createdEarlier?: ReadonlySet<RemoteId>;
  /**
   * Actions that must not be carried out, because another folder now declares the objects that they
   * remove.
   */
  readonly forbidden?: ReadonlyMap<ActionId, Fault>;
  /**
   * Called with the id of the run once every action is done. The returned function reverts the
   * effect of the call if the base cannot be recorded.
   */
  readonly onComplete?: (run: string) => (() => void) | undefined;
  /** The journal of the run that this run continues. */
  readonly continues?: FoundJournal;
  /** The journal of the run that this run undoes. */
  readonly undoes?: string;
  /** The id of the run that this run undoes. */
  readonly undoesRun?: string | undefined;
  /**
   * Resolves to what the journal records about a run that has nothing to write; undefined if there
   * is no reason to keep a journal.
   */
  readonly keptIdle?: () => Promise<IdleRun | undefined>;
  /**
   * Earlier runs of the files that may have removed members from sets. This run does not continue
   * them.
   */
  readonly unfinished?: readonly UnfinishedRun[];
}

/**
 * Carries out a plan under a lock, from the point at which an earlier run of the plan stopped.
 * Returns the result or a refusal.
 */
export async function applyPlan(
  locked: LockedPlan,
  asked: ApplyRequest,
): Promise<Applied | Refusal> {
  const { plan, digest, lock } = locked;
  const request = underLock(asked, lock);
  const { host, confirm } = request;
  const secrets = await prepared(locked, request);
  if (isRefusal(secrets)) return secrets;
  if (plan.actions.length === 0) return withoutActions(locked, request, secrets);
  if (confirm) {
    if (!(await keepingLock(lock, host, () => confirm(plan, digest))))
      return { refused: 'not-confirmed' };
    // A person may take a long time to answer.
    const stale =
      staleEnds(plan, host) ?? (await refusalSinceAsked(plan, locked, request, locked.earlier));
    if (stale) return stale;
  }
  return recorded(locked, request, secrets);
}

// Returns the request with two changes for a run under the lock. Bases are read from the remote
// that has the lock. A write begins only if it ends while the lock is held.
/** The same request under a lock. */
export function underLock(request: ApplyRequest, { account }: Locked): ApplyRequest {
  if (account === undefined) return request;
  const { connection, host } = request;
  const { longestWrite, mayWrite, store } = account;
  const { timeout: asked = TIMEOUT } = connection;
  const timeout = Math.min(asked, longestWrite ?? asked);
  return {
    ...request,
    connection: { ...connection, mayWrite, timeout },
    host: { ...host, ...(store && { shared: store.shared }) },
  };
}

/** The sources of a run's secrets, and the functions that keep secrets during the run. */
type RunSecrets = { readonly inputs: SecretSources } & Pick<
  RunOptions,
  'keepSecret' | 'memory' | 'secrets'
>;

// Checks every precondition that needs no write. Returns the secrets that the run needs, or a refusal.
async function prepared(
  { plan, gates, earlier, lock }: LockedPlan,
  request: ApplyRequest,
): Promise<RunSecrets | Refusal> {
  const { kinds, host, secrets, recordBase } = request;
  tellPlanVariables(plan, host, secrets);
  const labelled = gatesWithLabels(gates, plan);
  const known = { host, signer: lock.signer, journals: lock.account?.store?.journals };
  const refusal =
    staleEnds(plan, host) ??
    accessRefusal(labelled) ??
    hazardsRefusal(plan, labelled, request) ??
    // Only a base that an apply has signed is accepted, because the base decides which objects are pruned.
    (await unsignedBase(plan, known)) ??
    (await olderBase(plan, {
      ...known,
      isRecording: recordBase === true,
      onUnusable: found => host.tell({ note: 'unusable-base-note', ...found }),
    })) ??
    (recordBase ? await unrecordable(plan, host) : null);
  if (refusal) return refusal;
  const inputs = secrets.sources(plan.folder, plan.layers);
  const fingerprints = await secrets.fingerprints?.();
  if (fingerprints && isRefusal(fingerprints)) return fingerprints;
  const memory = fingerprints && sentFingerprints(fingerprints, secretOpener(inputs));
  const keepSecret = await openPlace(secrets.place, awaitedSecrets(plan, kinds), [
    plan.folder,
    ...(plan.layers ?? []).map(layer => join(plan.folder, layer)),
  ]);
  if (keepSecret && isRefusal(keepSecret)) return keepSecret;
  const missing = await missingSecrets(plan, inputs, earlier, host);
  return missing ?? { inputs, memory, keepSecret, secrets: secrets.known };
}

// The refusal for an unverified base. For an unsigned base, the refusal contains the last base that can replace it.
async function unsignedBase(
  plan: Plan,
  known: Parameters<typeof lastRecorded>[2],
): Promise<Refusal | null> {
  const refusal = await unverifiedBase(plan, known.host, known.signer);
  const { account, base, folder } = plan;
  const isOwn = refusal?.commit === base?.recorded;
  if (refusal?.because !== 'not-signed' || !isOwn || account === undefined || !base?.content)
    return refusal;
  const last = await lastRecorded(folder, baseRef(account, base.content), known);
  return { ...refusal, folder, last };
}

/** The fields of a journal that describe the request of its run. */
export function headOf({
  connection,
  allow = [],
  recordBase: recordsBase = false,
  onlyEnds,
}: ApplyRequest) {
  const { url: server } = connection;
  return { server, allow: allow.map(allowanceText), recordsBase, ...(onlyEnds && { onlyEnds }) };
}

// Ends a run that has nothing to write. It leaves a journal only if it supersedes an earlier run or
// changes end times.
async function withoutActions(
  locked: LockedPlan,
  request: ApplyRequest,
  secrets: RunSecrets,
): Promise<Applied | Refusal> {
  const result = await run(locked, request, secrets);
  const kept = isEnded(locked, result, request) ? await locked.keptIdle?.() : undefined;
  if (!kept) {
    const base = await baseAfter(locked, result, request);
    return applied(locked, result, { ...(base && { base }) });
  }
  const recording = { ...recordingOf(locked, request), ...kept };
  const record = await recordRun(recording, { isKept: true }, request.host);
  if (isRefusal(record)) return record;
  try {
    return await closed(locked, result, { request, record });
  } finally {
    await record.release();
  }
}

const recordingOf = (locked: LockedPlan, request: ApplyRequest): Recording => {
  const { lock, undoes, undoesRun } = locked;
  return { saved: locked, lock, ...headOf(request), undoes, undoesRun };
};

// Records the base, and how the run ended.
async function closed(
  locked: LockedPlan,
  result: RunResult,
  { request, record }: { readonly request: ApplyRequest; readonly record: RecordedRun },
): Promise<Applied> {
  const base = await baseAfter(locked, result, request);
  const left = await record.close(result, base?.recorded);
  return applied(locked, result, { ...left, ...(base && { base }) });
}

// Carries out the plan and records each write in the journal before the write is sent.
async function recorded(
  locked: LockedPlan,
  request: ApplyRequest,
  secrets: RunSecrets,
): Promise<Applied | Refusal> {
  const { lock, continues } = locked;
  const { host, journal: file } = request;
  const record = await recordRun(recordingOf(locked, request), { file, continues }, host);
  if (isRefusal(record)) return record;
  try {
    const connection = keepingLockInPauses(request.connection, lock, host);
    const result = await run(locked, { ...request, connection }, secrets, record.journal);
    return await closed(locked, result, { request, record });
  } finally {
    await record.release();
  }
}

async function run(
  { plan, planReadAt, earlier, createdEarlier, forbidden, unfinished, lock }: LockedPlan,
  { kinds, connection, host, concurrency, onError, signal, onEvent, onRunning }: ApplyRequest,
  secrets: RunSecrets,
  journal?: Journal,
): Promise<RunResult> {
  const { now } = host;
  const ended = onRunning?.(plan, plan.actions.length - (earlier?.done.size ?? 0));
  try {
    return await carryOut({ kinds }, plan, writeTransport(connection), {
      ...secrets,
      concurrency,
      now,
      planReadAt,
      journal,
      earlier,
      createdEarlier,
      forbidden,
      unfinished,
      isHeld: () => lock.keep().catch(() => false),
      isOver: () => now() >= (connection.until ?? Number.POSITIVE_INFINITY),
      ...(onError && { onError }),
      ...(signal && { signal }),
      ...(onEvent && { onEvent }),
    });
  } finally {
    ended?.();
  }
}

// Whether no action of the plan remains to be carried out.
function isEnded({ plan }: LockedPlan, result: RunResult, { signal }: ApplyRequest): boolean {
  const isComplete = result.outcomes.every(isSettled) && heldBack(plan.diagnostics).length === 0;
  return isComplete && isRestoredFully(result) && signal?.aborted !== true;
}

async function baseAfter(
  locked: LockedPlan,
  result: RunResult,
  request: ApplyRequest,
): Promise<BaseRecord | undefined> {
  if (!isEnded(locked, result, request)) return undefined;
  const { plan, lock, continues, onComplete } = locked;
  const { outcomes } = result;
  const id = continues?.chain?.run ?? lock.account?.run;
  const takeBack = onComplete?.(id ?? '');
  const base = await baseOf({ plan, outcomes, run: id }, request, lock);
  if (base?.failure !== undefined) takeBack?.();
  return base;
}

function applied(
  { plan, document, digest, contentDigest }: LockedPlan,
  result: RunResult,
  more: Pick<Applied, 'base' | 'journal' | 'removedJournal' | 'isShortened' | 'sharedRun'>,
): Applied {
  return { plan, document, digest, contentDigest, result, isAlreadyApplied: false, ...more };
}

/** The result for a plan that an earlier run completed; `journal` is the journal of that run. */
export function alreadyApplied(
  { plan, document, digest, contentDigest }: SavedPlan,
  { done }: EarlierRun,
  journal: string,
): Applied {
  const outcomes = plan.actions.flatMap(({ id }) => done.get(id) ?? []);
  const result = { outcomes, requests: 0, written: 0 };
  return { plan, document, digest, contentDigest, result, isAlreadyApplied: true, journal };
}

/** Records the base of a completed plan if the request asks for it. */
export async function baseOf(
  {
    run: id,
    ...completed
  }: Pick<CompletedPlan, 'plan' | 'outcomes'> & {
    /** The id of the run that completed the plan. */
    readonly run: string | undefined;
  },
  { kinds, recordBase, host }: ApplyRequest,
  { signer, account }: Pick<Locked, 'signer' | 'account'>,
): Promise<BaseRecord | undefined> {
  if (!recordBase) return undefined;
  const { store } = account ?? {};
  const recorder = {
    host,
    signer,
    ...(store && {
      journals: store.journals,
      store: (place, base) => storeAtRemote(place, base, store, signer),
      remote: basesAtRemote(store, signer),
      unfinished: () =>
        stillUnfinished({ folder: completed.plan.folder, run: id }, store.journals, {
          signer,
          host,
        }),
    }),
  } satisfies Recorder;
  return recordApplied({ ...completed, kinds }, recorder);
}

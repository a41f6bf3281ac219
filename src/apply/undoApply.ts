// Undoes the apply in a journal. The undo is planned like any other plan, with warnings about what cannot be restored.

import { fetchAccount } from '../api/account/fetch.ts';
import { readTransport } from '../api/transport/transport.ts';
import { firstEnds } from '../engine/endings/givenEnds.ts';
import { labelledIdsIn } from '../engine/plan/labelledIds.ts';
import { type Undo, undo } from '../export/undo/undo.ts';
import { dialectNamed } from '../kinds/dialect/dialects.ts';
import type { DialectChoice } from '../kinds/traits.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { idLabeller, type LabelledId } from '../model/idLabels.ts';
import type { Desired } from '../model/object.ts';
import type { FormerEnd, Plan } from '../model/plan.ts';
import type { RecordedId } from '../model/recordedBase.ts';
import { nearPath } from '../read/files/nearPath.ts';
import { type SavedPlan, savedPlan } from '../report/plan/savedPlan.ts';
import { applyPlan, underLock } from './applyPlan.ts';
import { broughtBackBy } from './earlierRuns/broughtBack.ts';
import { createdElsewhere } from './earlierRuns/createdElsewhere.ts';
import { endsOfRun } from './earlierRuns/endsOfRun.ts';
import type { FoundJournal } from './earlierRuns/foundJournal.ts';
import { memberRemovingRun } from './earlierRuns/memberRemovingRuns.ts';
import type { LaterRuns } from './earlierRuns/overtaken.ts';
import { takesBackRun } from './earlierRuns/superseded.ts';
import { withUndoneBase } from './earlierRuns/undoneBase.ts';
import { createdBy } from './earlierRuns/unfinished.ts';
import type { Locked } from './lock/serverLock.ts';
import { asRun, isOfDialect, onItsAccount } from './preconditions/accountOfPlan.ts';
import { declaredSince } from './preconditions/declaredSince.ts';
import { notApproved } from './preconditions/openPlan.ts';
import { asServerKeeps, othersOf, unsignedBase } from './preconditions/otherFoldersNow.ts';
import { withEndsNotKept } from './recordedBase/endsNotKept.ts';
import { findingsRefusal, isRefusal, planErrors, type Refusal } from './refusal.ts';
import type { Applied, ApplyRequest } from './request.ts';

/** The desired state that undoes a run. */
export interface WayBack {
  readonly desired: readonly Desired[];
  /**
   * The base for the plan. It contains the members that the run added to shared sets, so that the
   * undo removes them.
   */
  readonly base: readonly Desired[];
  /** The folder of the files of the run. */
  readonly folder: string;
  /** The folders of the further layers, as paths relative to `folder`. */
  readonly layers?: readonly string[];
  readonly dialect: DialectChoice;
  /** A warning for each object that cannot be restored completely. */
  readonly warnings: readonly Diagnostic[];
}

/** The settings with which the undo is planned. */
export interface UndoPlanning {
  /** The dialect of the server, if the journal of the run does not contain it. By default `auto`. */
  readonly dialect?: DialectChoice | undefined;
  /** The digest of the plan whose run may be undone. If absent, any plan may be undone. */
  readonly approved?: string | undefined;
  /** Creates the plan, for example with `planDesired`, `prune: 'none'` and the base in `back`. */
  readonly plan: (back: WayBack) => Promise<Plan>;
}

/** Undoes the apply of a journal that `openJournal` has read. Returns the result, or a refusal. */
export async function undoApply(
  journal: FoundJournal,
  { dialect, approved, plan: make }: UndoPlanning,
  asked: ApplyRequest,
): Promise<Applied | Refusal> {
  const { path } = journal;
  const other = notApproved(journal, { file: shown(path, asked), approved });
  if (other) return other;
  return onItsAccount<Applied | Refusal>(asRun(journal), { ...asked, isUndo: true }, async lock => {
    const request = underLock(asked, lock);
    const { connection, kinds, host } = request;
    const { signer, account } = lock;
    const later = { journals: account?.store?.journals, host, signer };
    const run = journal.chain?.run;
    const by = run && (await broughtBackBy(run, later));
    if (run && by) return { refused: 'brought-back', run, by, folder: journal.plan.folder };
    const found = await wayBack(journal, dialect, { request, lock });
    if (isRefusal(found)) return found;
    const { endsFor, ...back } = found;
    if (back.warnings.length > 0) host.tell({ note: 'findings', findings: back.warnings });
    const planReadAt = host.now();
    const planned = withFormerEnds(await make(back), endsFor);
    const { desired } = back;
    const undoing = { plan: planned, desired, run, of: journal.plan };
    const undone = await withUndoneBase(undoing, request, lock);
    const { isRecorded, warnings } = undone;
    const known = withEndsNotKept(undone.plan, desired, undone.keeper);
    if (warnings.length > 0) host.tell({ note: 'findings', findings: warnings });
    const diagnostics = [...back.warnings, ...warnings, ...known.diagnostics];
    const unsaved = { ...known, server: connection.url, diagnostics };
    const saved = savedPlan(unsaved, kinds, host.now());
    const { plan, digest } = saved;
    host.tell({ note: 'planned', plan, digest });
    const refusal = planErrors(plan);
    if (refusal) return refusal;
    const isWhole = back.warnings.length === 0;
    const ofRun = { journal, isWhole, later, folder: back.folder };
    const carried = { request: { ...request, recordBase: isRecorded }, lock };
    return carriedOut({ ...saved, planReadAt }, ofRun, carried);
  });
}

/** A request under the lock. */
interface LockedRequest {
  readonly request: ApplyRequest;
  readonly lock: Locked;
}

/** The run that an undo reverts. */
interface UndoneRun {
  readonly journal: FoundJournal;
  /** Whether the undo restores everything. */
  readonly isWhole: boolean;
  readonly later: LaterRuns;
  readonly folder: string;
}

// Carries out the plan of an undo.
async function carriedOut(
  saved: SavedPlan & { readonly planReadAt: number },
  { journal, isWhole, later, folder }: UndoneRun,
  { request, lock }: LockedRequest,
): Promise<Applied | Refusal> {
  const { plan } = saved;
  const run = journal.chain?.run;
  // Determines which objects of other folders the server would delete together with an object of
  // the undo.
  const { base } = journal.plan;
  const since = await declaredSince(
    { ...plan, folder, ...(base && { base }) },
    request,
    lock.signer,
  );
  if (isRefusal(since)) return since;
  const { faults: forbidden } = since;
  // After the run is undone, no other run restores the members that it removed by accident, so the
  // undo restores them.
  const evicted = memberRemovingRun(journal, run ?? journal.path, lock.account);
  const unfinished = evicted && journal.ended !== 'complete' ? [evicted] : [];
  const keptIdle = async () =>
    isWhole && (await takesBackRun(journal, later)) ? { changesEnds: false } : undefined;
  const undoes = { undoes: shown(journal.path, request), undoesRun: run };
  const carried = { ...saved, gates: plan.gates, lock, forbidden, ...undoes };
  return applyPlan({ ...carried, unfinished, keptIdle }, request);
}

async function wayBack(
  journal: FoundJournal,
  chosen: DialectChoice | undefined,
  { request, lock }: LockedRequest,
): Promise<(WayBack & Pick<RunEnds, 'endsFor'>) | Refusal> {
  const { plan, entries, path } = journal;
  const { signer } = lock;
  const { kinds, connection, concurrency, host, secrets } = request;
  const dialect = isOfDialect(plan, kinds) ? dialectNamed(plan.dialect) : (chosen ?? 'auto');
  const everything = {
    kinds: new Set(kinds.keys()),
    parents: new Map([...kinds.keys()].map(name => [name, 'all' as const])),
  };
  const options = { concurrency, dialect };
  const account = await fetchAccount(readTransport(connection), kinds, everything, options);
  const refusal = findingsRefusal(account.findings, host);
  if (refusal) return refusal;
  const { objects } = account;
  const others = await othersOf(plan, request);
  const isLost = journal.isCopy === true && journal.isCutOff;
  const proven = await provenBy(journal, { isLost, request, lock });
  const now = { kinds, secrets, plan: { ...plan, dialect: account.dialect }, live: objects };
  const { desired, base, lost, unproven, kept } = undo({
    kinds,
    plan,
    entries,
    objects,
    unread: new Set(account.unavailable.keys()),
    proven,
    isLost,
    now: host.now(),
    others: asServerKeeps(others, now),
    file: shown(path, request),
  });
  const unsigned = await unsignedBase(kept, plan, host, signer);
  if (unsigned) return unsigned;
  const labels = [...labelledIdsIn(objects, kinds), ...(plan.called ?? [])];
  const warnings = warningsAbout({ lost, unproven }, labels);
  const { folder, layers } = plan;
  const after = { kinds, created: proven, live: objects };
  const endsFor = (made: Plan) => endsOfRun(journal, made, after);
  return { desired, base, folder, ...(layers && { layers }), dialect, warnings, endsFor };
}

interface RunEnds {
  /** The end times that the run gave, for the plan that undoes it. */
  readonly endsFor: (undo: Plan) => readonly FormerEnd[];
}

function withFormerEnds(plan: Plan, endsFor: RunEnds['endsFor']): Plan {
  const ends = firstEnds([...(plan.formerEnds ?? []), ...endsFor(plan)]);
  return ends.length === 0 ? plan : { ...plan, formerEnds: ends };
}

// The warnings about what an undo cannot restore, and about what the run may have created.
function warningsAbout(
  { lost, unproven }: Pick<Undo, 'lost' | 'unproven'>,
  labels: readonly LabelledId[],
): readonly Diagnostic[] {
  const speak = idLabeller(labels);
  return [
    ...lost.map(
      (what): Diagnostic => ({ code: 'UNDO_PARTIAL', severity: 'warning', message: speak(what) }),
    ),
    ...unproven.map(
      (what): Diagnostic => ({
        code: 'UNDO_UNPROVEN',
        severity: 'warning',
        message: speak(what),
        hint: 'look for it in the account; if the run created it, delete it there',
      }),
    ),
  ];
}

async function provenBy(
  journal: FoundJournal,
  { isLost, request, lock }: LockedRequest & { readonly isLost: boolean },
): Promise<readonly RecordedId[]> {
  const found = await createdBy(journal, request, isLost);
  const { store } = lock.account ?? {};
  if (!isLost || !store || found.length === 0) return found;
  const texts = (await store.journals.all()).map(({ text }) => text);
  const isCreatedElsewhere = createdElsewhere(texts, lock.signer);
  return found.filter(({ id }) => !isCreatedElsewhere(id, journal.chain?.run ?? ''));
}

const shown = (path: string, { host }: ApplyRequest): string => nearPath(host.cwd, path);

// Finds unfinished applies and what they left. The machine of such an apply may no longer exist. So
// the journal at the remote must keep the objects that it created from being forgotten.
import { readTransport } from '../../api/transport/transport.ts';
import { declaredObject } from '../../base/recordedObjects.ts';
import { baseRef } from '../../base/refName.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { kindsIn } from '../../kinds/schema/table.ts';
import { begunIn, createdIn, earlierRun } from '../../model/journal.ts';
import { addressOf } from '../../model/key.ts';
import type { LeftObjects, LeftReplacement, ProvablyCreated } from '../../model/leftObjects.ts';
import type { LockRecord } from '../../model/lockRecord.ts';
import type { RemoteId } from '../../model/names.ts';
import type { Action, Plan } from '../../model/plan.ts';
import type { RecordedId } from '../../model/recordedBase.ts';
import type { ReportedRun, StoppedBy } from '../../model/reportedRun.ts';
import type { Signer } from '../../model/signer.ts';
import { type Fields, isObject } from '../../model/value.ts';
import { isAncestor } from '../../read/git/history.ts';
import { storedBase } from '../../read/git/storedBases.ts';
import { isEndForged } from '../../report/run/forgedEnd.ts';
import {
  awaitsBase,
  isOfEnds,
  journalEnd,
  type ReadJournal,
} from '../../report/run/journalLines.ts';
import type { SharedJournals } from '../journal/sharedJournals.ts';
import type { AuditLog } from '../port.ts';
import { type BaseHost, placeOf } from '../recordedBase/gitPlace.ts';
import type { ApplyRequest } from '../request.ts';
import { type LeftBehind, leftBehind } from '../run/recovery/leftBehind.ts';
import { createdElsewhere, type IsCreatedElsewhere } from './createdElsewhere.ts';
import { createdObjects, inEveryDialect } from './createdObjects.ts';
import { goneFolders } from './goneFolders.ts';
import { isSignedBase, lostRuns, reportedLost } from './lostRuns.ts';
import {
  holdsLock,
  isPlanOf,
  isVerified,
  type RemoteRun,
  unfinishedRuns,
  type VerifiedRun,
} from './remoteRuns.ts';
import { type DecidingDeclarations, leftAddresses, leftRun } from './runLeftovers.ts';
import { reportIfStopped, stoppingAmong } from './stopped.ts';

/** The unfinished applies of an account. */
export interface Unfinished extends LeftObjects {
  /**
   * The runs of the same files that are signed with these keys. After a complete apply, nothing of
   * these runs is left.
   */
  readonly own: readonly VerifiedRun[];
  readonly reported: readonly ReportedRun[];
}

export const NONE: Unfinished = {
  own: [],
  reported: [],
  runs: [],
  unproven: new Map(),
  objects: [],
  ids: [],
  known: [],
  updated: [],
  replaced: [],
  deleted: new Map(),
  made: [],
  leftInGone: [],
  written: [],
};

/** The left objects, in a form in which they do not count as declared by the base. */
export const uncountedLeft = ({
  ids,
  known,
  updated,
  replaced,
  deleted,
  made,
  leftInGone,
  written,
}: LeftObjects): LeftObjects => ({
  runs: [],
  unproven: new Map(),
  objects: [],
  ids: [],
  known: [...ids, ...known],
  updated,
  replaced,
  deleted,
  made,
  leftInGone,
  written,
});

/** The parts of a request with which the journals and the account are read. */
type ReadRequest = Pick<ApplyRequest, 'kinds' | 'connection'> & { readonly host: BaseHost };

/** A request for the unfinished applies that a run with the files at `path` finds. */
export interface UnfinishedRequest {
  readonly path: string;
  readonly request: ReadRequest;
  /**
   * Reads the lock of the account, for a command that does not hold it. Called only if there is an
   * unfinished apply.
   */
  readonly lock?: () => Promise<LockRecord | null>;
}

/**
 * Returns the unfinished applies at the remote: applies of the same files with the objects that
 * they provably created, applies of folders without files, and applies that only a base names.
 * Throws an `ApiError`.
 */
export async function unfinishedOf(
  journals: SharedJournals,
  signer: Signer,
  { path, request, lock }: UnfinishedRequest,
): Promise<Unfinished> {
  const { cwd } = request.host;
  const runs = await unfinishedRuns(journals, signer);
  const lost = await lostRuns(journals, signer, { path, host: request.host });
  if (runs.length + lost.length === 0) return NONE;
  const holder = runs.length === 0 ? null : await lock?.();
  const { goneOf } = goneFolders({ path, host: request.host });
  const texts = (await journals.all()).map(({ text }) => text);
  const left = { path, request, isCopy: true, isCreatedElsewhere: createdElsewhere(texts, signer) };
  const stopping = stoppingAmong(texts, { host: request.host, signer });
  const found: Unfinished[] = [{ ...NONE, reported: lost.map(reportedLost) }];
  const told = new Set(lost.map(({ run }) => run));
  for (const run of runs) {
    const isOfFiles = !isVerified(run) || isPlanOf(run.read.plan, { path, cwd });
    const formerFolder = isVerified(run) && !isOfFiles ? await goneOf(run.read.plan) : undefined;
    const former = { ...(formerFolder !== undefined && { formerFolder }) };
    if ((isOfFiles || formerFolder !== undefined) && holdsLock(run, holder))
      found.push({ ...NONE, reported: [{ ...noted(run), ...former, holdsLock: true }] });
    else if (!isVerified(run)) {
      const isForged = isEndForged(run.text, signer);
      const one = { ...noted(run), ...(isForged && { isForged }) };
      if (!told.has(run.run)) found.push({ ...NONE, reported: [one] });
    } else if (isOfFiles) found.push(withStop(await leftOf(run, left), await stopping(run)));
    else if (formerFolder !== undefined) found.push(inGone(await leftOf(run, left), formerFolder));
  }
  return joinedUnfinished(found);
}

// What a run left. If `--resume` would refuse the run, the note that suggests to continue it is
// left out.
const withStop = (left: Unfinished, stopped: StoppedBy | undefined): Unfinished => ({
  ...left,
  reported: left.reported.flatMap(one => reportIfStopped(one, stopped)),
});

// What a run of a folder without files left. These objects are only reported, because neither these
// files nor their base declare them.
const inGone = ({ reported, made, written }: Unfinished, formerFolder: string): Unfinished => ({
  ...NONE,
  reported: reported.map(one => ({ ...one, isDeclared: false, formerFolder })),
  ...(!reported.some(({ isElsewhere }) => isElsewhere) &&
    leftByGoneFolder({ made, written }, formerFolder)),
});

/** The objects that a run of a folder without files left. */
export const leftByGoneFolder = (
  { made, written }: Pick<LeftObjects, 'made' | 'written'>,
  formerFolder: string,
): Pick<LeftObjects, 'leftInGone' | 'written'> => ({
  // Applies of other files never remove what the run created.
  leftInGone: made.map(one => ({ ...one, formerFolder, isCounted: false })),
  written: written.map(one => ({ ...one, formerFolder })),
});

/** The settings for finding what a run left. */
interface LookingFor {
  /** Whether the journal may lack its last lines. */
  readonly isCopy: boolean;
  /** Returns whether another run created an object. */
  readonly isCreatedElsewhere: IsCreatedElsewhere;
}

/** Returns what an unfinished apply of these files left. Throws an `ApiError`. */
export async function leftOf(
  run: VerifiedRun,
  { path, request, isCopy, isCreatedElsewhere }: UnfinishedRequest & LookingFor,
): Promise<Unfinished> {
  const found = await foundOf(run.read, request, isCopy);
  const own = { ...found, created: withoutOthers(found.created, run, isCreatedElsewhere) };
  const left = leftBy(run, own, { ...request, isCopy });
  const age = await ageOf(run, { path, host: request.host });
  const { revision } = run.read.plan;
  const isNewer = age === 'newer or elsewhere';
  const reported = left.reported.map(one => ({
    ...one,
    ...(revision !== undefined && { isElsewhere: isNewer }),
  }));
  if (age !== 'before these files') return uncounted({ ...left, reported }, age);
  // An apply does not count objects from a journal that exists only on this machine, or from a plan
  // without declarations.
  const isCounted = isCopy && left.objects.length > 0;
  return { ...left, reported, made: left.made.map(one => ({ ...one, isCounted })) };
}

/** Joins the objects that several unfinished applies left. */
export function joinedUnfinished(found: readonly Unfinished[]): Unfinished {
  return {
    own: found.flatMap(({ own }) => own),
    reported: found.flatMap(one => one.reported),
    runs: found.flatMap(({ runs }) => runs),
    unproven: new Map(found.flatMap(({ unproven }) => [...unproven])),
    objects: found.flatMap(({ objects }) => objects),
    ids: found.flatMap(({ ids }) => ids),
    known: found.flatMap(({ known }) => known),
    updated: found.flatMap(({ updated }) => updated),
    replaced: found.flatMap(({ replaced }) => replaced),
    deleted: new Map(found.flatMap(({ deleted }) => [...deleted])),
    made: found.flatMap(({ made }) => made),
    leftInGone: found.flatMap(({ leftInGone }) => leftInGone),
    written: found.flatMap(({ written }) => written),
  };
}

/**
 * The relation between the revision of a run and the files and the recorded base. If the revision
 * is newer than the files, or was never merged, these files have not reverted the run. If a base
 * was recorded after a run, it is newer than the run, unless it names the run. A journal alone
 * proves less, because anybody who can push may have restored it. A base also contains the runs
 * that a person has closed since.
 */
type Age = 'before these files' | 'before the recorded base' | 'newer or elsewhere';

/**
 * The ids of the unfinished applies of a folder that a newly recorded base must name. They include
 * applies whose journals are lost, because only a person can decide that such an apply left
 * nothing. `run`: the run that records the base.
 */
export async function stillUnfinished(
  { folder, run }: { readonly folder: string; readonly run: string | undefined },
  journals: SharedJournals,
  { signer, host }: { readonly signer: Signer; readonly host: BaseHost },
): Promise<readonly string[]> {
  const runs = (await unfinishedRuns(journals, signer)).filter(isVerified);
  const others = runs.filter(
    one => one.run !== run && isPlanOf(one.read.plan, { path: folder, cwd: host.cwd }),
  );
  const named: string[] = [];
  for (const other of others)
    if ((await ageOf(other, { path: folder, host })) !== 'before the recorded base')
      named.push(other.run);
  const lost = (await lostRuns(journals, signer, { path: folder, host })).filter(
    one => one.isOwn && one.run !== run && isSignedBase(one.named, signer),
  );
  return [...new Set([...named, ...lost.map(one => one.run)])];
}

// A run that is older than the recorded base only has to be closed, because nobody can continue it.
// The objects that it created are still reported.
const uncounted = ({ own, reported, made, written }: Unfinished, age: Age): Unfinished => ({
  ...NONE,
  made,
  written:
    age === 'before the recorded base'
      ? written.map(one => ({ ...one, hidesDeletions: true }))
      : written,
  own: age === 'before the recorded base' ? own : [],
  reported: reported.map(one => ({ ...one, isDeclared: false })),
});

async function ageOf(
  { run, read: { plan, lines } }: VerifiedRun,
  { path, host }: { readonly path: string; readonly host: BaseHost },
): Promise<Age> {
  const place = placeOf(path, host);
  if (plan.revision !== undefined && (await isAncestor(place, plan.revision, 'HEAD')) !== true)
    return 'newer or elsewhere';
  const { account, base } = plan;
  if (account === undefined || base?.content === undefined) return 'before these files';
  const stored = await storedBase(place, baseRef(account, base.content)).catch(() => null);
  if (stored === null || 'why' in stored) return 'before these files';
  if (stored.base.closed?.includes(run) === true) return 'before the recorded base';
  const isNewer = stored.base.recordedAt <= String(lines.at(-1)?.at);
  const isNamed = stored.base.unfinished?.includes(run) === true;
  return isNewer || isNamed ? 'before these files' : 'before the recorded base';
}

/**
 * The objects that a run provably created. A copy of its journal may lack the last lines of the
 * run; the audit log then fills the gap. Throws an `ApiError`.
 */
export async function createdBy(
  journal: Pick<ReadJournal, 'plan' | 'entries'>,
  request: ReadRequest,
  isCopy: boolean,
): Promise<readonly RecordedId[]> {
  return (await foundOf(journal, request, isCopy)).created;
}

// Leaves out the objects that other runs created. An object stays if the run's own journal shows
// that the run created it.
function withoutOthers(
  created: readonly RecordedId[],
  { run, read }: VerifiedRun,
  isCreatedElsewhere: IsCreatedElsewhere,
): readonly RecordedId[] {
  const own = createdIn(read.entries);
  return created.filter(({ id }) => own.has(id) || !isCreatedElsewhere(id, run));
}

async function foundOf(
  { plan, entries }: Pick<ReadJournal, 'plan' | 'entries'>,
  { kinds, connection }: ReadRequest,
  isCopy: boolean,
): Promise<LeftBehind> {
  const created = new Map(
    entries.flatMap((entry): [string, RemoteId][] =>
      entry.type === 'answer' && entry.verb === 'create' && entry.id !== undefined
        ? [[entry.action, entry.id]]
        : [],
    ),
  );
  const served = kindsIn(kinds, plan.dialect);
  const { readPort } = await import('../../api/account/port.ts');
  const { auditLog } = await import('../../api/account/auditLog.ts');
  const transport = readTransport(connection);
  const port = { ...readPort(transport), log: readOnce(auditLog(transport, served)) };
  const earlier = { ...earlierRun(entries), ...(isCopy && { isCopy }) };
  return leftBehind({ plan, earlier, created }, { kinds: served, port });
}

// Reads the log once and reuses the answers. Otherwise, the look-up of each object would wait for
// the log to settle, and all these waits would outlast the lock.
function readOnce({ settled, events, self }: AuditLog): AuditLog {
  const once = <T>(ask: () => Promise<T>) => {
    let asked: Promise<T> | undefined;
    return () => {
      asked ??= ask();
      return asked;
    };
  };
  return { settled: once(settled), events: once(events), self: once(self) };
}

function leftBy(
  run: VerifiedRun,
  { created: ids, unproven }: LeftBehind,
  { kinds, isCopy }: Pick<ReadRequest, 'kinds'> & { readonly isCopy: boolean },
): Unfinished {
  const { plan } = run.read;
  const addresses = ids.map(({ kind, key }) => addressOf(kind, key));
  const updated = plan.actions.flatMap((action): RecordedId[] =>
    action.verb === 'update' ? [{ kind: action.kind, key: action.key, id: action.remoteId }] : [],
  );
  const objects = declaredAmong({ ids, updated }, run, kinds);
  return {
    own: [run],
    runs: [run.run],
    unproven: new Map(unproven.length > 0 ? [[run.run, unproven]] : []),
    deleted: deletedBy(run, isCopy),
    reported: [
      {
        ...noted(run),
        created: addresses,
        ...(unproven.length > 0 && { unproven }),
        ...changedBy(run, isCopy),
        isDeclared: objects.length > 0,
      },
    ],
    objects,
    updated,
    replaced: replacedBy(plan, ids),
    ids,
    known: [],
    made: leftIn(run.read, ids, kinds),
    leftInGone: [],
    written: [leftRun(run, ids, isCopy)],
  };
}

// The declarations of the objects that a run created or updated.
function declaredAmong(
  { ids, updated }: Pick<Unfinished, 'ids' | 'updated'>,
  { run, read: { plan } }: VerifiedRun,
  kinds: KindTable,
): Unfinished['objects'] {
  const written = new Set([...ids, ...updated].map(({ kind, key }) => addressOf(kind, key)));
  const at = { file: `run ${run}`, line: 1, column: 1 };
  return (plan.base?.content?.objects ?? []).flatMap(object => {
    const kind = kinds.get(object.kind);
    if (!kind) return [];
    const declared = declaredObject(object, kind, at);
    const parts = inEveryDialect(declared, kinds).map(({ kind: name, key }) =>
      addressOf(name, key),
    );
    if (!parts.some(part => written.has(part))) return [];
    // The run did not create an object that it only updated, or that already matched its
    // declaration.
    const madeIds = new Set(
      ids.flatMap(one => (parts.includes(addressOf(one.kind, one.key)) ? one.id : [])),
    );
    return [{ ...declared, madeIds }];
  });
}

function leftIn(
  read: ReadJournal,
  created: readonly RecordedId[],
  kinds: KindTable,
): readonly ProvablyCreated[] {
  const leaves = read.leaves && new Set(read.leaves);
  const isLeft = ({ kind, key }: RecordedId) => leaves?.has(addressOf(kind, key)) !== false;
  return createdObjects(kinds)(read, created).map(one => ({ ...one, isLeft: isLeft(one) }));
}

/**
 * Returns what an apply left that was closed before it was finished. The objects that it created
 * are identified by the names in its journal. Throws an `ApiError`.
 */
export async function leftByClosed(
  run: VerifiedRun,
  request: ReadRequest,
  { isCopy, isCreatedElsewhere }: LookingFor,
): Promise<Unfinished> {
  const { read } = run;
  const found = await createdBy(read, request, isCopy);
  const known = withoutOthers(found, run, isCreatedElsewhere);
  // For an apply that an older version closed, nothing shows which deletions the files requested.
  const hidesDeletions = read.ended === 'closed' && read.leaves === undefined;
  const written = [{ ...leftRun(run, known, isCopy), hidesDeletions }];
  return { ...NONE, known, made: leftIn(read, known, request.kinds), written };
}

// The replacements whose former object may still exist. For some kinds, a run creates the new
// object before it deletes the old object.
function replacedBy({ actions }: Plan, created: readonly RecordedId[]): readonly LeftReplacement[] {
  const former = new Map(
    actions.flatMap(action =>
      action.verb === 'delete' ? [[action.address, action.remoteId] as const] : [],
    ),
  );
  const fields = new Map(
    actions.flatMap(action =>
      action.verb === 'create' ? [[action.address, action.fields] as const] : [],
    ),
  );
  return created.flatMap(object => {
    const address = addressOf(object.kind, object.key);
    const id = former.get(address);
    const declared = fields.get(address);
    return id && declared ? [{ ...object, former: id, fields: declared as Fields }] : [];
  });
}

// The objects that the run may have deleted. If the journal is a copy, an action may have been sent
// although the copy has no line for it.
function deletedBy(
  { run, read: { plan, entries } }: VerifiedRun,
  isCopy: boolean,
): ReadonlyMap<RemoteId, string> {
  const earlier = { ...earlierRun(entries), ...(isCopy && { isCopy }) };
  return new Map(
    plan.actions.flatMap((action): [RemoteId, string][] => {
      const { id, verb } = action;
      const mayBeGone = earlier.done.has(id) || begunIn(earlier, id) !== undefined;
      return verb === 'delete' && mayBeGone ? [[action.remoteId, run]] : [];
    }),
  );
}

// The objects that the run updated or deleted, and the objects that it may have changed. A copy of
// a journal does not show for every action whether it was sent.
function changedBy(
  { read: { plan, entries, isCutOff } }: VerifiedRun,
  isCopy: boolean,
): Pick<ReportedRun, 'changed' | 'perhapsChanged'> {
  const earlier = { ...earlierRun(entries), ...(isCopy && isCutOff && { isCopy }) };
  const actions = plan.actions.filter(({ verb }) => verb !== 'create');
  const isDone = ({ id }: Action) => earlier.done.has(id) || earlier.sent.has(id);
  const done = actions.filter(isDone).map(({ address }) => address);
  const begun = actions.filter(one => !isDone(one) && begunIn(earlier, one.id) !== undefined);
  const perhaps = begun.map(({ address }) => address).filter(one => !done.includes(one));
  return {
    ...(done.length > 0 && { changed: [...new Set(done)] }),
    ...(perhaps.length > 0 && { perhapsChanged: [...new Set(perhaps)] }),
  };
}

function noted({ run, read, name, text }: RemoteRun): ReportedRun {
  const [head] = 'lines' in read ? read.lines : [];
  const by = isObject(head?.by) ? (head.by.person ?? head.by.machine) : undefined;
  const began = typeof head?.at === 'string' ? head.at : name.slice(0, name.indexOf('_'));
  return {
    run,
    began,
    ...(typeof by === 'string' && { by }),
    ...('plan' in read && read.plan.revision !== undefined && { revision: read.plan.revision }),
    ...(awaitsBase(text) && { awaitsBase: true }),
  };
}

/** Reports unfinished applies. */
export function tellUnfinished(
  { reported: runs }: Unfinished,
  { isWhole, request }: { readonly isWhole: boolean; readonly request: ApplyRequest },
): void {
  if (runs.length > 0) request.host.tell({ note: 'unfinished', runs, isCounted: isWhole });
}

/**
 * The unfinished applies that a plan closes. An apply that may have left an object is included only
 * if the plan counts the object.
 */
export const closable = (
  { own, unproven }: Unfinished,
  { countedRuns = [] }: Pick<Plan, 'countedRuns'>,
): readonly VerifiedRun[] =>
  own.filter(({ run }) => !unproven.has(run) || countedRuns.includes(run));

/**
 * The unfinished runs that only removed what had expired. A complete run of the same kind has
 * completed the rest.
 */
export const closableEnds = ({ own }: Pick<Unfinished, 'own'>): readonly VerifiedRun[] =>
  own.filter(({ text }) => isOfEnds(text));

/**
 * The journals in which runs are closed, the clock, and the declarations that determine what the
 * runs left.
 */
interface Closing {
  readonly journals: SharedJournals;
  readonly now: () => number;
  readonly deciding: DecidingDeclarations;
}

/**
 * Closes the unfinished applies that have left nothing after a later apply. The change takes effect
 * with the next push. Returns a function that reverts the change.
 */
export function closeAll(
  { own }: Pick<Unfinished, 'own'>,
  run: string,
  { journals, now, deciding }: Closing,
): () => void {
  for (const { name, text, read } of own) {
    const leaves = read.ended === 'complete' ? [] : leftAddresses(read, deciding);
    journals.put(name, closedJournal({ text, read }, { by: { run }, leaves }, now()));
  }
  return () => {
    for (const { name, text } of own) journals.put(name, text);
  };
}

/**
 * The applies that a saved plan counted and that are still unfinished at the remote. Rejects if git
 * fails.
 */
export async function countedBy(
  { countedRuns = [] }: Pick<Plan, 'countedRuns'>,
  journals: SharedJournals,
  signer: Signer,
): Promise<readonly VerifiedRun[]> {
  if (countedRuns.length === 0) return [];
  const counted = new Set(countedRuns);
  const runs = await unfinishedRuns(journals, signer);
  return runs.filter(isVerified).filter(({ run }) => counted.has(run));
}

/**
 * The text of a journal, with an added line that closes its run, so that nobody continues the run.
 */
export function closedJournal(
  { text, read: { chain } }: { readonly text: string; readonly read: ReadJournal },
  {
    by,
    leaves,
  }: { readonly by: Parameters<typeof journalEnd>[0]; readonly leaves: readonly string[] },
  now: number,
): string {
  const entry = { at: new Date(now).toISOString(), ...journalEnd(by, leaves) };
  return text + (chain?.copy().lineOf(entry) ?? '');
}

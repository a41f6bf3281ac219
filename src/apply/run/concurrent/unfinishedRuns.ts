// Restores members that an earlier run removed from a set by its own update and did not add again,
// because it was interrupted or failed. A later run that does not continue the earlier run adds
// these members again after its own actions, before the earlier run is closed.
import { auditEntry } from '../../../api/events/audit.ts';
import type { KindTable } from '../../../kinds/kind.ts';
import { replacedSets } from '../../../kinds/values/replacedSets.ts';
import type { AuditEntry } from '../../../model/audit/entry.ts';
import { ApiError } from '../../../model/errors.ts';
import type { EarlierRun } from '../../../model/journal.ts';
import { idKey } from '../../../model/key.ts';
import type { EarlierOutcome, Outcome } from '../../../model/outcome.ts';
import type { Plan } from '../../../model/plan.ts';
import type { AccountPort, AuditLog } from '../../port.ts';
import { type RunNames, runNames } from '../turns/runNames.ts';
import { declaredLater } from './declaredLater.ts';
import type { DeclaredIn } from './declaredMembers.ts';
import { membersThatLeft } from './memberHistory.ts';
import { type KnownSets, knownSets } from './memberSets.ts';
import {
  type MemberWatching,
  nameOf,
  Restored,
  type RestoredSet,
  restoreAll,
  restoreOnce,
  type WatchedSet,
} from './memberWatch.ts';
import { type OtherSideWatching, restoreOtherSides } from './otherSide.ts';
import { newOwnWrites, type OwnWrites, type WrittenObject } from './ownWrites.ts';
import { unreadMembers, withChanged, withRestored } from './restoredOutcomes.ts';

/** An earlier run that is not complete, and that the current run does not continue. */
export interface UnfinishedRun {
  readonly run: string;
  readonly plan: Plan;
  readonly earlier: EarlierRun;
  /**
   * In milliseconds since 1970. Changes by the user of the run after this time do not come from the
   * updates of the run.
   */
  readonly until: number;
}

/** The data with which earlier runs are checked. */
export interface UnfinishedRunsInput {
  readonly kinds: KindTable;
  /**
   * The account. Its updates are checked for members, and are sent only while the run holds its
   * lock.
   */
  readonly port: AccountPort;
  readonly ownWrites: OwnWrites;
  /** The plan of the current run, and the names that it has resolved. */
  readonly plan: Plan;
  readonly names: RunNames;
  /** The id of the newest event before the run; undefined if the token may not read the log. */
  readonly position: number | undefined;
}

/** Adds the members again that these runs removed. Returns the result for each object. */
export async function restoreUnfinished(
  runs: readonly UnfinishedRun[],
  looking: UnfinishedRunsInput,
): Promise<readonly EarlierOutcome[]> {
  const told: EarlierOutcome[] = [];
  for (const run of runs) {
    const one = lookAt(run, looking);
    if (one.written.length === 0) continue;
    for (const outcome of await restoredOrWhy(one, looking))
      if (isTold(outcome)) told.push({ run: run.run, outcome });
  }
  return told;
}

const isTold = (outcome: Outcome): boolean => outcome.status !== 'done' || outcome.notes.length > 0;

/** An earlier run, with the objects that it updated. */
interface Looked extends UnfinishedRun {
  readonly newest: number | undefined;
  readonly written: readonly WrittenObject[];
  readonly sets: KnownSets;
  readonly declared: DeclaredIn;
  /** An outcome for each of these objects. */
  readonly outcomes: readonly Outcome[];
}

function lookAt(run: UnfinishedRun, { kinds, plan, names: later }: UnfinishedRunsInput): Looked {
  const { earlier } = run;
  const names = runNames(run.plan);
  for (const { kind, key, id, server_fields: body } of earlier.names)
    names.learn(kind, key, id, body);
  const sets = knownSets(run.plan, names);
  const updates = [...earlier.updates, ...(earlier.isCopy ? maybeSent(run.plan) : [])];
  const { written } = newOwnWrites({ ...earlier, updates }, { kinds, now: () => 0 });
  const known = written().filter(({ kind, at }) => sets.actionsOn(kind.name, at.id).length > 0);
  const declared = declaredLater({ earlier: run.plan, sets, plan, names: later });
  const outcomes = known.map((object): Outcome => {
    const { id: action, address } = sets.actionOf(object);
    return { action, address, status: 'done', remoteId: object.at.id, notes: [] };
  });
  return { ...run, newest: earlier.newest, written: known, sets, declared, outcomes };
}

// A copy of a journal may lack the last lines. So each update of the plan may have been sent, with
// unknown members.
const maybeSent = ({ actions }: Plan): EarlierRun['updates'] =>
  actions.flatMap(action => {
    if (action.verb !== 'update') return [];
    const { kind, remoteId: id, parentId } = action;
    return [{ kind, id, ...(parentId !== undefined && { parentId }) }];
  });

async function restoredOrWhy(
  looked: Looked,
  looking: UnfinishedRunsInput,
): Promise<readonly Outcome[]> {
  const { log } = looking.port;
  const { newest } = looked;
  // Without the log, it is unknown which members the run removed.
  if (newest === undefined || log === undefined) return [];
  try {
    return await restored({ ...looked, newest }, { ...looking, log });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return unread(looked, `the audit log could not be read: ${error.message}`);
  }
}

function unread({ sets, written, outcomes }: Looked, why: string): readonly Outcome[] {
  return sets
    .watched(written)
    .reduce(
      (all, { object, set }) =>
        withChanged(all, sets.actionOf(object), one => unreadMembers(one, set.field, why)),
      outcomes,
    );
}

type Readable = UnfinishedRunsInput & { readonly log: AuditLog };

async function restored(
  looked: Looked & { readonly newest: number },
  looking: Readable,
): Promise<readonly Outcome[]> {
  const { newest, earlier, sets, outcomes } = looked;
  const { log } = looking;
  await log.settled();
  const entries = (await log.events()).map(auditEntry);
  const since = entries.filter(({ id }) => Number(id) > newest);
  const watched = watchedNow(looked);
  const gone = watched.filter(({ object, set }) => membersThatLeft(object, set, since).size > 0);
  const self = gone.length > 0 ? await log.self() : null;
  const user = earlier.user ?? self;
  if (gone.length > 0 && (user === null || self === null))
    return unread(looked, 'the account does not show which user the token belongs to');
  const position =
    looking.position ?? entries.reduce((most, { id }) => Math.max(most, Number(id)), 0);
  const on = (object: WrittenObject) => sets.actionsOn(object.kind.name, object.at.id);
  const during = { ...looking, position };
  const sides = await restoreOtherSides(since, otherSidesOf(looked, during));
  const told = withRestored(outcomes, sides, on);
  if (user === null || self === null) return told;
  const events = since.map(entry => disowned(entry, { user, position, until: looked.until }));
  const members = await restoreMembersOf({ ...looked, events }, { ...during, user, self });
  return withRestored(told, members, on);
}

// Events that the user of the run caused after the run, by hand or in another run, count as changes
// by others.
function disowned(
  entry: AuditEntry,
  {
    user,
    position,
    until,
  }: { readonly user: string; readonly position: number; readonly until: number },
): AuditEntry {
  const isLater = Number(entry.id) > position || millisecondsOf(entry) > until;
  return entry.by.id === user && isLater ? { ...entry, by: { ...entry.by, id: '' } } : entry;
}

const millisecondsOf = ({ moment }: AuditEntry): number => Number(moment / 1_000_000n);

// The sets to check, without sets that the files of this run list completely, because the files
// determine the members of these sets.
const watchedNow = ({ sets, written, declared }: Looked): readonly WatchedSet[] =>
  sets
    .watched(written)
    .filter(({ object, set }) => !declared(object.kind, object.at.id, set.field).isWhole);

async function restoreMembersOf(
  looked: Looked & { readonly events: readonly AuditEntry[] },
  looking: Readable & { readonly position: number; readonly user: string; readonly self: string },
): Promise<readonly RestoredSet[]> {
  const { events, declared } = looked;
  const { kinds, port, names, log, position, user, self, ownWrites } = looking;
  const all = new Restored();
  const settled = async () => {
    await log.settled();
    return (await log.events()).map(auditEntry).filter(({ id }) => Number(id) > position);
  };
  const watching: MemberWatching = {
    kinds,
    watched: () => watchedNow(looked),
    portOf: () => port,
    names,
    declared,
    self: user,
    exclusively: (_, work) => work(),
    events: settled,
  };
  const undone = await restoreOnce(events, all, watching);
  const failed = undone.filter(({ isSent }) => !isSent);
  const sent = new Set(undone.flatMap(one => (one.isSent ? nameOf(one.object) : [])));
  const whys = new Map(failed.map(({ object, why = '' }) => [nameOf(object), why]));
  const open = all.without(failed, whys);
  if (sent.size === 0) return open;
  const own = () =>
    ownWrites
      .written()
      .filter(object => sent.has(nameOf(object)))
      .flatMap(object => replacedSets(object.kind).map(set => ({ object, set })));
  return restoreAll(await settled(), all, { ...watching, watched: own, self });
}

function otherSidesOf(
  { written, until, plan: earlier }: Looked,
  { kinds, names, port, plan, position }: UnfinishedRunsInput & { readonly position: number },
): OtherSideWatching {
  const actions = [...earlier.actions, ...plan.actions];
  return {
    kinds,
    written,
    names,
    portOf: () => port,
    deleted: new Set(
      actions.flatMap(action => (action.verb === 'delete' ? idKey(action.remoteId) : [])),
    ),
    mayBeUndone: entry => Number(entry.id) <= position && millisecondsOf(entry) <= until,
  };
}

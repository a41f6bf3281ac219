// Records the applied state as the base of the next run, after an apply that completed everything.
// The base is a commit at the ref of the folder, and its document names the previous base. The
// applied revision and the previous base are parents of the commit, so that git keeps them.
import isEqual from 'fast-deep-equal';
import { baseText } from '../../base/baseDocument.ts';
import { withCreated } from '../../base/nextBase.ts';
import { baseRef } from '../../base/refName.ts';
import { dialectNamed } from '../../kinds/dialect/dialects.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { present } from '../../model/errors.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Plan } from '../../model/plan.ts';
import type {
  BaseCommit,
  BaseName,
  RecordedBase,
  RecordedId,
  UnstoredValue,
} from '../../model/recordedBase.ts';
import type { Signer } from '../../model/signer.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { pathText } from '../../model/text/visible.ts';
import { nameOfBase } from '../../read/git/baseChain.ts';
import type { GitPlace } from '../../read/git/runGit.ts';
import { type NewBase, storeBase } from '../../read/git/storeBase.ts';
import { storedBase } from '../../read/git/storedBases.ts';
import type { ApplyHost } from '../host.ts';
import type { SharedJournals } from '../journal/sharedJournals.ts';
import type { LostBase, NotMoved } from '../lock/accountLock.ts';
import { type NotingHost, placeOf } from './gitPlace.ts';
import { newestFirst, noteBase } from './newest.ts';

/** The base after an apply, or the reason why it could not be recorded. */
export interface BaseRecord {
  readonly ref: string;
  readonly revision: string;
  /** The recorded base; absent if it could not be recorded. */
  readonly recorded?: BaseCommit;
  readonly failure?: string;
  /** Present if the remote did not answer whether it has recorded the base nevertheless. */
  readonly isUnknown?: true;
  /**
   * The previous base, if somebody removed it during the run. It must be recorded again before the
   * new base.
   */
  readonly lost?: LostBase;
}

/** A plan that was carried out, with the outcomes of its actions. */
export interface CompletedPlan {
  readonly plan: Plan;
  readonly outcomes: Iterable<Outcome>;
  readonly kinds: KindTable;
}

/** The machine on which a base is recorded and noted. */
export type RecordHost = NotingHost & Pick<ApplyHost, 'now' | 'tell'>;

/** The machine, the signer and the stores with which a base is recorded. */
export interface Recorder {
  readonly host: RecordHost;
  readonly signer: Signer;
  /** Stores the base outside the clone. Resolves to its commit, or to the reason of a failure. */
  readonly store?: StoreBase | undefined;
  /** The remote, if it stores the bases. The clone then contains copies of the bases. */
  readonly remote?: BaseRemote | undefined;
  /** The journals of all machines; none if the lock is a file. */
  readonly journals?: SharedJournals | undefined;
  /** The unfinished applies of the folder; none if the lock is a file. */
  readonly unfinished?: () => Promise<readonly string[]>;
}

/** The bases at a remote while its lock is held. */
export interface BaseRemote {
  readonly has: (base: BaseCommit) => boolean;
  /** Notes at the remote that a base at the remote is the newest. */
  readonly note: (base: BaseCommit) => Promise<void>;
  /**
   * Pushes a base that exists only in the clone. Resolves to the reason of a failure, or to null.
   */
  readonly put: (base: BaseCommit) => Promise<NotMoved | null>;
}

/** Stores a base. */
type StoreBase = (
  place: GitPlace,
  base: NewBase,
) => Promise<{ readonly commit: string } | NotMoved>;

/**
 * Records the base of a completed plan, and notes on this machine that it is the newest. Resolves
 * to the base, or to the reason why it could not be recorded.
 */
export async function recordApplied(
  completed: CompletedPlan,
  { host, signer, store, remote, journals, unfinished }: Recorder,
): Promise<BaseRecord> {
  const left = await unfinished?.();
  const applied = appliedBase(completed, host);
  const base = left && left.length > 0 ? { ...applied, unfinished: left } : applied;
  const { folder, base: planned } = completed.plan;
  const { account } = base;
  const ref = baseRef(account, base);
  const place = placeOf(folder, host);
  const newest = () => newestOf({ folder, ref }, { host, signer, journals });
  const there = await baseThere(place, ref, { base: applied, signer, plan: completed.plan });
  const recorded =
    (there && (await keptAt(there.base, remote))) ??
    (await recordAt(place, base, { ref, after: planned?.recorded, signer, store, newest }));
  const revision = there?.revision ?? base.revision;
  if ('why' in recorded) {
    const { why, isUnknown, lost } = recorded;
    return {
      ref,
      revision,
      failure: why,
      ...(isUnknown && { isUnknown }),
      ...(lost && { lost }),
    };
  }
  const unnoted = await noteBase(folder, { base: recorded }, { host, signer });
  if (unnoted) {
    const findings = [notNoted({ ...unnoted, folder, commit: recorded.commit })];
    host.tell({ note: 'findings', findings });
  }
  return { ref, revision, recorded };
}

// Keeps a base that is already recorded. If somebody has deleted it at the remote and the clone has
// a copy, pushes the copy.
async function keptAt(
  base: BaseCommit,
  remote: BaseRemote | undefined,
): Promise<BaseCommit | NotMoved> {
  if (remote && !remote.has(base)) return (await remote.put(base)) ?? base;
  // The base is valid even without the note.
  await remote?.note(base).catch(() => {});
  return base;
}

/** The base of a completed plan. It does not name the previous base yet. */
function appliedBase(
  { plan, outcomes, kinds }: CompletedPlan,
  { now }: Pick<ApplyHost, 'now'>,
): RecordedBase {
  const { content: planned } = present(plan.base, 'the base of the plan');
  const created = createdBy(plan, outcomes);
  const dialect = dialectNamed(plan.dialect);
  const content = withCreated(present(planned, 'what the plan records'), created, {
    kinds,
    dialect,
  });
  const unstored = [...(content.unstored ?? []), ...unstoredBy(outcomes)];
  return {
    ...content,
    ...(unstored.length > 0 && { unstored }),
    account: present(plan.account, 'the account of the plan'),
    revision: present(plan.revision, 'the revision of the plan'),
    recordedAt: new Date(now()).toISOString(),
  };
}

async function recordAt(
  place: GitPlace,
  base: RecordedBase,
  {
    ref,
    after,
    signer,
    store,
    newest,
  }: { ref: string; after: string | undefined } & Pick<Recorder, 'signer' | 'store'> & {
      readonly newest: () => Promise<BaseName | undefined>;
    },
): Promise<BaseCommit | NotMoved> {
  const before = after === undefined ? await newest() : await baseBefore(place, after);
  if (before !== undefined && 'why' in before) return before;
  const parent = before && (after ?? (await storedHere(place, before)));
  const { revision, recordedAt } = base;
  const document = signedBase({ ...base, ...(before && { before }) }, signer);
  const next = {
    ref,
    recordedAt: Date.parse(recordedAt),
    before: after,
    parents: [revision, ...(parent === undefined ? [] : [parent])],
    ...document,
  };
  const stored = await (store ?? storeBase)(place, next);
  return 'why' in stored ? stored : { ref, recordedAt, ...nameOfBase({ ...stored, ...document }) };
}

// The newest base. After a `base forget` for the folder, a new first base still follows the
// forgotten base, so that no machine mistakes the new base for an older base that was restored.
async function newestOf(
  place: { readonly folder: string; readonly ref: string },
  known: Pick<Recorder, 'host' | 'signer' | 'journals'>,
): Promise<BaseName | undefined> {
  const [newest] = await newestFirst(place, known);
  return newest && { commit: newest.base.commit, digest: newest.base.digest };
}

async function storedHere(place: GitPlace, { commit }: BaseName): Promise<string | undefined> {
  const stored = await storedBase(place, commit).catch(() => null);
  return stored === null || 'why' in stored ? undefined : commit;
}

async function baseBefore(
  place: GitPlace,
  commit: string | undefined,
): Promise<BaseName | { readonly why: string } | undefined> {
  if (commit === undefined) return undefined;
  const stored = await storedBase(place, commit).catch(() => null);
  if (stored === null) return { why: `this clone does not have the previous base, ${commit}` };
  return 'why' in stored ? stored : nameOfBase(stored);
}

/** A base whose note could not be written. The folder is written as the user named it. */
interface UnnotedBase {
  readonly file: string;
  readonly why: string;
  readonly folder: string;
  readonly commit: string;
}

/** The note to the user about a base whose note could not be written. */
export const notNoted = ({ file, why, folder, commit }: UnnotedBase): Diagnostic => ({
  code: 'BASE_NOT_NOTED',
  severity: 'note',
  message: `${pathText(file)} cannot be written: ${why}; this machine will not detect if an older base replaces this one`,
  hint: `make it writable, or set MESHFORM_JOURNALS to a folder that can be written; then note the base with \`meshform base record ${shellWord(folder)} --commit ${commit}\``,
});

const unstoredBy = (outcomes: Iterable<Outcome>): readonly UnstoredValue[] =>
  [...outcomes].flatMap(outcome => (outcome.status === 'failed' ? (outcome.unstored ?? []) : []));

function createdBy({ actions }: Plan, outcomes: Iterable<Outcome>): RecordedId[] {
  const byAction = new Map(actions.map(action => [action.id, action]));
  return [...outcomes].flatMap((outcome): RecordedId[] => {
    const action = byAction.get(outcome.action);
    if (outcome.status !== 'done' || action?.verb !== 'create') return [];
    const { kind, key } = action;
    return [{ kind, key, id: outcome.remoteId }];
  });
}

/**
 * The base of a completed plan if it was recorded before; otherwise null. If bases are stored at
 * the remote, the remote must have it too.
 */
export async function recordedAlready(
  completed: CompletedPlan,
  { host, signer, remote }: Pick<Recorder, 'host' | 'signer' | 'remote'>,
): Promise<BaseCommit | null> {
  const base = appliedBase(completed, host);
  const place = placeOf(completed.plan.folder, host);
  const { plan } = completed;
  const there = await baseThere(place, baseRef(base.account, base), { base, signer, plan });
  return there && (remote?.has(there.base) ?? true) ? there.base : null;
}

/** The base of a completed plan. */
interface AppliedBase {
  readonly base: RecordedBase;
  readonly signer: Signer;
  readonly plan: Plan;
}

/** A base at a ref, and the revision that it names as applied. */
interface BaseThere {
  readonly base: BaseCommit;
  readonly revision: string;
}

// The recorded base at the ref if this plan recorded it before; otherwise null. The comparison
// ignores the previous base. A plan that is limited to some objects and changes nothing has not
// applied its revision, so the revision need not be recorded. An unfinished run whose plan was
// compared with the base can then still be resumed.
async function baseThere(
  place: GitPlace,
  ref: string,
  { base, signer, plan: { unselected, actions } }: AppliedBase,
): Promise<BaseThere | null> {
  const stored = await storedBase(place, ref).catch(() => null);
  if (stored === null || 'why' in stored) return null;
  if (!signer.isSigned('base', stored.text, stored.signature)) return null;
  // Runs that became unfinished after the base was recorded are newer, so the base need not name
  // them.
  const { before: _, recordedAt, unfinished: __, closed: ___, revision, ...rest } = stored.base;
  const isIdle = unselected !== undefined && actions.length === 0;
  const now = { recordedAt: base.recordedAt, revision: isIdle ? base.revision : revision };
  if (!isEqual({ ...rest, ...now }, base)) return null;
  return { base: { ref, recordedAt, ...nameOfBase(stored) }, revision };
}

/** The document of a base, and its signature. */
export function signedBase(
  base: RecordedBase,
  { sign }: Signer,
): { readonly text: string; readonly signature: string } {
  const text = baseText(base);
  return { text, signature: sign('base', text) };
}

// The meaning of names in the account: names of the files, of recorded bases, of unfinished applies and of other folders. Somebody
// may have renamed, copied or deleted the object of a name since.

import type { FetchedAccount } from '../api/account/fetch.ts';
import type { ReadTransport } from '../api/transport/transport.ts';
import { recognised } from '../base/recognise.ts';
import { withSharedMembers } from '../base/sharedMembers.ts';
import { withStandIns } from '../base/standIns.ts';
import { inFormerNames, leftNames, withLeft } from '../base/withLeft.ts';
import { diffFields } from '../engine/diff/diff.ts';
import { losesItem } from '../engine/diff/fieldChanges.ts';
import { meantByBases, takenByOthers } from '../engine/missing/meant.ts';
import type { Planned } from '../engine/plan/plan.ts';
import { inParts } from '../engine/scope/parts.ts';
import { bases, type PlanInput } from '../engine/scope/run.ts';
import type { Meant, RecordedIds } from '../engine/types/pairing.ts';
import type { PlanSettings } from '../engine/types/settings.ts';
import type { Kind, KindTable } from '../kinds/kind.ts';
import { DIALECTS, type Dialect } from '../kinds/traits.ts';
import { canonicalFields } from '../kinds/values/canonical.ts';
import { withSecretHosts } from '../kinds/values/secretHosts.ts';
import { addressOf, idKey } from '../model/key.ts';
import type { LeftObjects, LeftReplacement } from '../model/leftObjects.ts';
import type { NameTaken } from '../model/missing.ts';
import type { RemoteId } from '../model/names.ts';
import type { Desired, Snapshot } from '../model/object.ts';
import { declaredIn, incompleteIn, type OtherFolder } from '../model/otherFolder.ts';
import type { Recorded } from '../model/plan.ts';
import type { RecordedId } from '../model/recordedBase.ts';
import { calledByDigest } from '../model/secrets/secretHost.ts';
import { namesOf } from '../model/spoken.ts';
import type { Fields } from '../model/value.ts';

/** All that is declared, before the account is known. */
export interface Declarations {
  /** What the files declare. */
  readonly written: readonly Desired[];
  /** The same, with members of shared sets that other folders declare. */
  readonly desired: readonly Desired[];
  /** The base of the run, with what unfinished applies left if that counts. */
  readonly base: readonly Desired[];
  readonly recorded: Recorded | undefined;
  /** The objects of both bases. */
  readonly former: readonly Desired[];
  /** The ids that the base of the folder has. */
  readonly ids: readonly RecordedId[];
  /** What unfinished applies left, under the names of the base. */
  readonly left: LeftObjects | undefined;
  /** The declarations of the objects that they created, identified by id, as a recorded base declares them. */
  readonly byIds: readonly Desired[];
  readonly others: readonly OtherFolder[];
}

/** What files, bases and unfinished applies declare, each under its own names. */
interface Given extends Pick<Declarations, 'base' | 'ids'> {
  readonly desired: readonly Desired[];
  readonly recorded?: Recorded | undefined;
  readonly left?: LeftObjects;
  readonly others?: readonly OtherFolder[];
}

/** All that is declared, with one name for an object. */
export function declarationsOf(
  { ids, others = [], ...given }: Given,
  kinds: KindTable,
  mark: PlanSettings['mark'],
): Declarations {
  const made = given.left && stillDeclared(given.left, given.desired, kinds);
  const left = made && inFormerNames(made.left, { ids }, kinds);
  const base = left ? withLeft(given.base, left, kinds) : given.base;
  const written = calledByDigest(given.desired, mark);
  const desired = withSharedMembers({ desired: written, base, others, ids, kinds });
  const { recorded } = given;
  const former = [...base, ...(recorded?.objects ?? [])];
  const named = made && inFormerNames({ ...made.left, objects: made.objects }, { ids }, kinds);
  const byIds = [...(left?.objects ?? []), ...(named?.objects ?? [])];
  return { written, desired, base, recorded, former, ids, left, byIds, others };
}

// Of what does not count as declared by the base, what the files declare, the newest object of each name, and its declaration: an object
// that a server keeps in parts has one for each part.
function stillDeclared(
  left: LeftObjects,
  desired: readonly Desired[],
  kinds: KindTable,
): { readonly left: LeftObjects; readonly objects: readonly Desired[] } {
  if (left.known.length === 0) return { left, objects: [] };
  const made = new Map(
    left.known.toReversed().map(one => [addressOf(one.kind, one.key), one] as const),
  );
  const parts = DIALECTS.flatMap(dialect => inParts(desired, kinds, dialect));
  const objects = new Map(parts.map(one => [addressOf(one.kind, one.key), one] as const));
  const known = [...made].flatMap(([address, one]) => (objects.has(address) ? one : []));
  return {
    left: { ...left, known },
    objects: known.flatMap(({ kind, key }) => objects.get(addressOf(kind, key)) ?? []),
  };
}

/** What the names of declarations mean in an account. */
export interface KnownNames {
  /** What the files declare, with stand-ins. */
  readonly written: readonly Desired[];
  /** The declarations of the bases and the account, under names that they share. */
  readonly input: Pick<
    PlanInput,
    | 'desired'
    | 'base'
    | 'recorded'
    | 'others'
    | 'unrecognised'
    | 'snapshot'
    | 'superseded'
    | 'deletedByRuns'
    | 'made'
    | 'leftInGone'
    | 'madeByUser'
  > & { readonly meant: Meant; readonly recordedIds: RecordedIds };
  readonly guards: Pick<PlanSettings, 'protect' | 'protectedElsewhere'>;
  /** The ids that the base and unfinished applies have. */
  readonly ids: readonly RecordedId[];
  /** These, and those that the bases of other folders have. */
  readonly idsEverywhere: readonly RecordedId[];
  /** The applies whose objects count as declared by the base. */
  readonly countedRuns: readonly string[];
  /** Whether the address of a recorded object is unknown, because it was marked with another key. */
  readonly isUnknown: (object: Pick<Desired, 'kind' | 'fields'>) => boolean;
}

/** Looks the names of declarations up in an account; the audit log is read where only it can tell. */
export async function knownNames(
  declarations: Declarations,
  account: FetchedAccount,
  {
    kinds,
    dialect,
    recordedNow,
    ...settings
  }: Pick<PlanSettings, 'mark' | 'protect' | 'protectedElsewhere'> & {
    readonly kinds: KindTable;
    readonly dialect: Dialect;
    /** What the recorded base of the folder declares. */
    readonly recordedNow: readonly Desired[];
  },
  transport: ReadTransport,
): Promise<KnownNames> {
  const { former, left, byIds } = declarations;
  const { mark } = settings;
  const live = account.objects;
  const { withAddresses, isUnknown } = recognised({
    kinds,
    live,
    desired: declarations.written,
    mark,
  });
  const isThere = new Set(live.map(({ kind, id }) => `${kind} ${id}`));
  const isLive = (one: Pick<RecordedId, 'kind' | 'id'>) => isThere.has(`${one.kind} ${one.id}`);
  const finished = finishedReplacements(left?.replaced ?? [], {
    desired: declarations.desired,
    kinds,
    dialect,
    isLive,
  });
  const isGone = !declarations.ids.every(isLive);
  const isAsked = isGone || isUnrecorded(declarations);
  const complete = isAsked ? ((await left?.madeByComplete?.()) ?? []) : [];
  const sinceBase = isGone ? complete.filter(one => one.isSinceBase) : [];
  const since = { isLive, finished, made: sinceBase };
  const { ids, replacements } = leftNames(declarations, left, since);
  const base = withAddresses(calledByDigest([...declarations.base, ...replacements], mark));
  const recorded = declarations.recorded && {
    ...declarations.recorded,
    objects: withAddresses(declarations.recorded.objects),
  };
  const opened = declarations.others.map(other => ({ ...other, base: withAddresses(other.base) }));
  const standIn = withStandIns({
    kinds,
    live,
    desired: declarations.written,
    elsewhere: opened.flatMap(({ files }) => files),
    former: [...former, ...declarations.others.flatMap(other => other.base)],
    mark,
  });
  const written = standIn(declarations.written);
  const desired = standIn(declarations.desired);
  const others = opened.map(other => ({ ...other, files: standIn(other.files) }));
  const known = [...written, ...base, ...(recorded?.objects ?? [])];
  const elsewhere = declarations.others.map((other, i) => ({
    ...other,
    files: others[i]?.files ?? [],
  }));
  const everywhere = [...known, ...former, ...declaredIn(elsewhere)];
  const snapshot = {
    ...account,
    objects: withSecretHosts(live, kinds, everywhere, incompleteIn(declarations.others)),
  };
  const idsEverywhere = [...others.flatMap(other => other.ids ?? []), ...ids];
  const remembered = {
    ids,
    recorded: [...byIds, ...recordedNow],
    desired,
    others,
    dialect,
  };
  const isNew = await newBearers(remembered, snapshot.objects, kinds, transport);
  const meant = meantByBases({ ...remembered, isNew }, snapshot.objects, kinds);
  const recordedIds = new Map(ids.map(({ kind, key, id }) => [addressOf(kind, key), id]));
  const unrecognised = former.filter(isUnknown);
  const made = [...(left?.made ?? []), ...complete];
  const madeByUser = await madeByUserIn(declarations, { live, made, kinds }, transport);
  const superseded = new Map(
    finished.map(({ kind, key, former: id }) => [`${kind} ${id}`, key] as const),
  );
  const looked = { desired, base, recorded, others, unrecognised, snapshot };
  return {
    written,
    input: {
      ...looked,
      meant,
      recordedIds,
      superseded,
      deletedByRuns: left?.deleted,
      made,
      leftInGone: left?.leftInGone,
      madeByUser,
    },
    guards: protectedNow(settings, { ids, idsEverywhere, live: snapshot.objects }),
    ids,
    idsEverywhere,
    countedRuns: left ? runsLeftNothing(left, inParts(written, kinds, dialect)) : [],
    isUnknown,
  };
}

// What an apply may have created is no leftover if the files declare it.
function runsLeftNothing(
  { runs, unproven }: LeftObjects,
  declared: readonly Desired[],
): readonly string[] {
  const addresses = new Set(declared.map(({ kind, key }) => addressOf(kind, key)));
  return runs.filter(run => (unproven.get(run) ?? []).every(one => addresses.has(one)));
}

// Whether a file of grants, or with a base something that has ended, is what no base knows by its id.
function isUnrecorded({ desired, ids, recorded }: Declarations): boolean {
  const known = new Set(ids.map(({ kind, key }) => addressOf(kind, key)));
  return desired.some(
    ({ isGrant, ended, kind, key }) =>
      (isGrant || (ended && recorded?.hasBase)) && !known.has(addressOf(kind, key)),
  );
}

// The log is read only if no base and no journal tells whether a grant that has ended is ours.
async function madeByUserIn(
  { desired, recorded }: Pick<Declarations, 'desired' | 'recorded'>,
  {
    live,
    made,
    kinds,
  }: {
    readonly live: Snapshot['objects'];
    readonly made: readonly RecordedId[];
    readonly kinds: KindTable;
  },
  transport: ReadTransport,
): Promise<ReadonlySet<RemoteId>> {
  const over = desired.filter(({ isGrant, ended }) => isGrant && ended?.isWhole);
  if (recorded?.hasBase || over.length === 0) return new Set();
  const ended = new Set(over.map(({ kind }) => kind));
  const known = new Set(made.map(({ kind, id }) => `${kind} ${id}`));
  const open = live.filter(({ kind, id }) => ended.has(kind) && !known.has(`${kind} ${id}`));
  if (open.length === 0) return new Set();
  const { madeByOwnUser } = await import('./planMissing.ts');
  return madeByOwnUser(open, kinds, transport);
}

// A replacement that an apply began, and that the files still declare: the new object has the name, and the old one is deleted.
function finishedReplacements(
  replaced: readonly LeftReplacement[],
  {
    desired,
    kinds,
    dialect,
    isLive,
  }: {
    readonly desired: readonly Desired[];
    readonly kinds: KindTable;
    readonly dialect: Dialect;
    readonly isLive: (object: Pick<RecordedId, 'kind' | 'id'>) => boolean;
  },
): readonly LeftReplacement[] {
  if (replaced.length === 0) return [];
  const parts = inParts(desired, kinds, dialect);
  const declared = new Map(parts.map(one => [addressOf(one.kind, one.key), one]));
  return replaced.filter(one => {
    const kind = kinds.get(one.kind);
    const wanted = declared.get(addressOf(one.kind, one.key));
    if (!kind || !wanted || !isLive(one) || !isLive({ ...one, id: one.former })) return false;
    const { id } = wanted.lifecycle;
    return (id === undefined || id === one.id) && !isReplacedBy(kind, one.fields, wanted, dialect);
  });
}

// Whether an object as declared becomes this one only through another replacement.
function isReplacedBy(
  kind: Kind,
  before: Fields,
  { fields, lifecycle: { ignore = [] } }: Desired,
  dialect: Dialect,
): boolean {
  const { shape } = kind;
  const options = { written: {}, ignore: new Set(ignore), exact: new Set<string>(), base: {} };
  const changes = diffFields(shape, canonicalFields(shape, fields, 'desired'), before, options);
  return changes.some(({ replaces }) => replaces) || losesItem(kind, changes, dialect);
}

// A guard of another folder means what the base of that folder says, unless the own base knows the name too.
function protectedNow(
  { protect = [], protectedElsewhere = new Map() }: KnownNames['guards'],
  {
    ids,
    idsEverywhere,
    live,
  }: Pick<KnownNames, 'ids' | 'idsEverywhere'> & { readonly live: Snapshot['objects'] },
): KnownNames['guards'] {
  return {
    protect: alsoByIds(protect, ids, live),
    protectedElsewhere: new Map(
      [...protectedElsewhere].flatMap(([entry, by]) =>
        alsoByIds([entry], idsEverywhere, live).map(name => [name, by] as const),
      ),
    ),
  };
}

// An object that somebody renamed in the account stays protected under the name that the base has.
function alsoByIds(
  protect: readonly string[],
  ids: readonly RecordedId[],
  live: Snapshot['objects'],
): readonly string[] {
  if (protect.length === 0) return protect;
  const keys = new Map(live.map(({ kind, id, key }) => [`${kind} ${id}`, key]));
  const listed = new Set(protect);
  const renamed = ids.flatMap(({ kind, key, id }) => {
    const now = keys.get(`${kind} ${id}`);
    const isListed = namesOf({ kind, key }).some(name => listed.has(name));
    return now === undefined || now === key || !isListed ? [] : `${kind}/${idKey(id)}`;
  });
  return [...protect, ...renamed];
}

// The log is read only if somebody renamed an object and another one has its name now.
async function newBearers(
  names: Parameters<typeof takenByOthers>[0],
  live: Snapshot['objects'],
  kinds: KindTable,
  transport: ReadTransport,
): Promise<((taken: NameTaken) => boolean) | undefined> {
  if (takenByOthers(names, live, kinds).length === 0) return undefined;
  const { createdSince } = await import('./planMissing.ts');
  return createdSince(live, kinds, transport);
}

/**
 * Plans, and looks up names that do not lead to one object in the base and in the audit log. Deleted and unknown objects are
 * left out of the plan.
 */
export async function plannedWith(
  written: PlanInput,
  ids: readonly RecordedId[],
  planned: (input: PlanInput) => Planned,
  transport: ReadTransport,
): Promise<Planned> {
  const { input: known, found } = await prunedWith(written, planned, transport);
  return namedWith({ input: known, ids, planned, found }, transport);
}

// Objects that machines may have created are pruned only if the audit log shows that a user did.
async function prunedWith(
  input: PlanInput,
  planned: (input: PlanInput) => Planned,
  transport: ReadTransport,
): Promise<{ readonly input: PlanInput; readonly found: Planned }> {
  const found = planned(input);
  const { kinds, settings } = input;
  if (settings.prune !== 'unmanaged') return { input, found };
  const { makersIn } = await import('./planMissing.ts');
  const makers = await makersIn(found.plan.leftAlone, kinds, transport);
  const people = [...makers].flatMap(([id, maker]) => (maker === 'person' ? id : []));
  if (people.length === 0) return { input, found };
  const known = { ...input, settings: { ...settings, madeByPeople: new Set(people) } };
  return { input: known, found: planned(known) };
}

async function namedWith(
  {
    input,
    ids,
    planned,
    found,
  }: {
    readonly input: PlanInput;
    readonly ids: readonly RecordedId[];
    readonly planned: (input: PlanInput) => Planned;
    readonly found: Planned;
  },
  transport: ReadTransport,
): Promise<Planned> {
  const { diagnostics, changes } = found.plan;
  const creates = changes.filter(({ type }) => type === 'create');
  const lost = creates.filter(({ since }) => since === 'drift');
  // A base contains the former state of the account.
  const created = bases(input).length === 0 ? creates : [];
  const isOpen = diagnostics.some(({ code }) => NOT_ONE_OBJECT.has(code));
  if (lost.length + created.length === 0 && !isOpen) return found;
  const { explainedNames } = await import('./planMissing.ts');
  const account = { objects: input.snapshot.objects, idOf: found.idOf };
  const names = { input, ids, lost, created, account };
  const { findings, ...known } = await explainedNames(names, transport);
  const explained = planned({ ...input, ...known });
  const { plan } = explained;
  const made = new Set(
    plan.changes.flatMap(({ type, at }) => (type === 'create' ? (at ?? []) : [])),
  );
  const told = findings.filter(({ at }) => at !== undefined && made.has(at));
  return { ...explained, plan: { ...plan, diagnostics: [...plan.diagnostics, ...told] } };
}

const NOT_ONE_OBJECT: ReadonlySet<string> = new Set([
  'REF_UNKNOWN',
  'REF_AMBIGUOUS',
  'PAIR_AMBIGUOUS',
  'PAIR_NOT_CREATABLE',
]);

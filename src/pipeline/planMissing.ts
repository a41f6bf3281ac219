// The meaning of names in the files that do not lead to one live object. The base or the audit log identifies objects that
// somebody deleted or renamed, and which of several objects of one name is meant. Every other name without an object is a typing
// error.
import type { FetchedAccount } from '../api/account/fetch.ts';
import { ownUser, readAuditLog } from '../api/events/audit.ts';
import type { ReadTransport } from '../api/transport/transport.ts';
import { createdSinceIn } from '../attribution/createdSince.ts';
import { fatesIn } from '../attribution/fate.ts';
import { firstBearersIn } from '../attribution/firstBearer.ts';
import { formerMembersIn } from '../attribution/formerMembers.ts';
import { isMadeByMachines, type Maker, madeBy, makersOf } from '../attribution/makers.ts';
import { type AgainObject, createdAgain } from '../engine/missing/createdAgain.ts';
import { meantByBases, takenByOthers } from '../engine/missing/meant.ts';
import { unresolvedNames } from '../engine/missing/unresolved.ts';
import { inParts } from '../engine/scope/parts.ts';
import { bases, type PlanInput } from '../engine/scope/run.ts';
import type { Meant } from '../engine/types/pairing.ts';
import type { PlanSettings } from '../engine/types/settings.ts';
import type { Kind, KindTable } from '../kinds/kind.ts';
import { refsIn } from '../kinds/values/refs.ts';
import type { ComparedAccount } from '../model/compared.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { ApiError } from '../model/errors.ts';
import { addressOf, keyOf, segmentsOf } from '../model/key.ts';
import type { MissingObject, NameTaken } from '../model/missing.ts';
import type { Address, Key, KindName, RemoteId } from '../model/names.ts';
import type { Desired, Live } from '../model/object.ts';
import type { RecordedId } from '../model/recordedBase.ts';

/** The facts of the base and the audit log about names. */
export interface Names {
  readonly missing: readonly MissingObject[];
  readonly meant: Meant;
  /** Findings about objects that somebody deleted, and that the plan creates again. */
  readonly findings: readonly Diagnostic[];
}

/** Names in the files that do not lead to one live object. */
export interface OpenNames {
  readonly input: PlanInput;
  /** What names mean by the recorded base. */
  readonly ids: readonly RecordedId[];
  /** Objects that the account had when the base was recorded, and that a plan would create again. */
  readonly lost: readonly Omit<RecordedId, 'id'>[];
  /** The objects that the plan creates, if nothing shows whether the account had them. */
  readonly created: readonly Omit<RecordedId, 'id'>[];
  readonly account: ComparedAccount;
}

/** Explains names that do not lead to one live object. Reads the audit log if there are such names and the token may. */
export async function explainedNames(
  { input, ids, lost, created, account }: OpenNames,
  transport: ReadTransport,
): Promise<Names> {
  const { kinds, meant = new Map<Address, RemoteId | null>() } = input;
  const { names } = unresolvedNames(input);
  if (names.length + lost.length + created.length === 0)
    return { missing: [], meant, findings: [] };
  const known = namesIn(bases(input), kinds);
  const entries = await logEntries(transport);
  const fateOf = fatesIn({ kinds, account, entries });
  const firstOf = firstBearersIn({ kinds, account, entries });
  const idOf = new Map(ids.map(({ kind, key, id }) => [addressOf(kind, key), id]));
  const decided = new Map<Address, RemoteId>();
  for (const { kind, key } of lost) {
    // A different key or token of the same name is a different object.
    if (kinds.get(kind)?.expiry !== undefined && meant.has(addressOf(kind, key))) continue;
    const { id, to } = fateOf({ kind, key, id: idOf.get(addressOf(kind, key)) }) ?? {};
    if (id !== undefined && !isElsewhere(kind, siblingKey(key, to, kinds.get(kind)), input))
      decided.set(addressOf(kind, key), id);
  }
  const missing = names.flatMap(({ namesakes, whole, ...name }): MissingObject[] => {
    const address = addressOf(name.kind, name.key);
    const declared = { ...name, key: whole ?? name.key };
    const isTaken = meant.get(address) === null;
    if (namesakes.length > 0 && !isTaken) {
      const isKnown = known.has(addressOf(declared.kind, declared.key));
      const first = isKnown ? firstOf({ ...name, namesakes }) : undefined;
      if (first === undefined) return [{ ...declared, namesakes, isAmbiguous: true }];
      decided.set(address, first);
      return [];
    }
    const fate = fateOf({ ...name, id: idOf.get(address) });
    const others = isTaken && { namesakes };
    if (fate) return [{ ...name, ...others, fate }];
    return fate === null || isTaken || known.has(address) ? [{ ...name, ...others }] : [];
  });
  const again = [...lost, ...created].flatMap(({ kind, key }): AgainObject[] => {
    const fate = fateOf({ kind, key, id: idOf.get(addressOf(kind, key)) });
    if (fate?.type !== 'deleted') return [];
    const byRun = fate.was && input.deletedByRuns?.get(fate.was);
    return [{ kind, key, fate: { ...fate, ...(byRun !== undefined && { byRun }) } }];
  });
  const findings = createdAgain(again, input, formerMembersIn(kinds, entries));
  return { missing, meant: new Map([...meant, ...decided]), findings };
}

/** What became of objects that declarations name and that the account does not have. */
export interface Became {
  /** Somebody deleted them, by the audit log. */
  readonly deleted: ReadonlySet<Address>;
  /** Somebody renamed them, by the base or by the audit log: the objects that they are. */
  readonly meant: Meant;
}

/** Declarations, and the recorded base of their folder. */
export interface DeclaredNames {
  readonly kinds: KindTable;
  readonly desired: readonly Desired[];
  readonly ids: readonly RecordedId[];
  readonly recorded: readonly Desired[];
}

/** What became of objects that declarations name and that an exported account does not have. */
export async function becameOf(
  { kinds, desired, ids, recorded }: DeclaredNames,
  snapshot: FetchedAccount,
  transport: ReadTransport,
): Promise<Became> {
  const { dialect, objects } = snapshot;
  const settings: PlanSettings = { dialect, prune: 'none', allow: [], thresholds: {} };
  const names = { ids, recorded, desired, others: [], dialect };
  // An export treats an object that took the place of a missing one as that object, because the files declare what exists.
  const isTaken = takenByOthers(names, objects, kinds).length > 0;
  const isNew = isTaken ? await createdSince(objects, kinds, transport) : undefined;
  const known = [...meantByBases({ ...names, isNew }, objects, kinds)].filter(
    ([, id]) => id !== null,
  );
  const meant = new Map(known);
  const input = { kinds, desired, base: [], snapshot, settings, folder: '', meant };
  const unresolved = unresolvedNames(input);
  const open = unresolved.names.filter(({ namesakes }) => namesakes.length === 0);
  const absent = desired.filter(
    one => one.lifecycle.id === undefined && unresolved.absent.has(addressOf(one.kind, one.key)),
  );
  const gone = goneSinceBase({ kinds, desired, ids }, snapshot, unresolved.absent);
  if (open.length + absent.length + gone.length === 0) return { deleted: new Set(), meant };
  const entries = await logEntries(transport);
  const fateOf = fatesIn({ kinds, account: accountOf(objects), entries });
  const deleted = [...gone, ...open.filter(name => fateOf(name)?.type === 'deleted')];
  const declared = new Set(desired.map(({ kind, key }) => addressOf(kind, key)));
  const bound = new Set(desired.map(({ lifecycle: { id } }) => id));
  for (const { kind, key } of [...absent, ...open]) {
    const { id, to } = fateOf({ kind, key }) ?? {};
    const isTaken = declared.has(addressOf(kind, siblingKey(key, to, kinds.get(kind))));
    if (id !== undefined && !isTaken && !bound.has(id)) meant.set(addressOf(kind, key), id);
  }
  return { deleted: new Set(deleted.map(({ kind, key }) => addressOf(kind, key))), meant };
}

// Declared objects, and parts of them, whose ids are in the recorded base and not in the account. An object that was never applied
// is not among them.
function goneSinceBase(
  { kinds, desired, ids }: Pick<DeclaredNames, 'kinds' | 'desired' | 'ids'>,
  { dialect, objects, unavailable }: FetchedAccount,
  absent: ReadonlySet<Address>,
): readonly Omit<RecordedId, 'id'>[] {
  const there = new Set(objects.map(({ kind, id }) => `${kind} ${id}`));
  const recorded = new Map(ids.map(({ kind, key, id }) => [addressOf(kind, key), id]));
  const known = new Set(ids.map(({ kind, id }) => `${kind} ${id}`));
  const isGone = ({ kind, key, lifecycle: { id } }: Desired): boolean => {
    if (id !== undefined) return known.has(`${kind} ${id}`) && !there.has(`${kind} ${id}`);
    const address = addressOf(kind, key);
    const last = recorded.get(address);
    return absent.has(address) && last !== undefined && !there.has(`${kind} ${last}`);
  };
  return desired
    .filter(({ kind }) => !unavailable.has(kind))
    .flatMap(one => {
      const parts = inParts([one], kinds, dialect);
      const gone = parts.filter(isGone);
      return gone.length === parts.length ? [...gone, one] : gone;
    });
}

/** Tells by the audit log which objects were created under names that the objects of the base had given up before. */
export async function createdSince(
  objects: readonly Live[],
  kinds: KindTable,
  transport: ReadTransport,
): Promise<(taken: NameTaken) => boolean> {
  const entries = await logEntries(transport);
  return createdSinceIn({ kinds, account: accountOf(objects), entries });
}

// The account under its own names.
function accountOf(objects: readonly Live[]): ComparedAccount {
  const ids = new Map(objects.map(({ kind, key, id }) => [addressOf(kind, key), id]));
  return { objects, idOf: (kind, key) => ids.get(addressOf(kind, key as Key)) };
}

// The key of an object of the same parent.
function siblingKey(key: Key, name: string | undefined, kind: Kind | undefined): Key {
  const home = segmentsOf(key, kind?.depth ?? 1)?.slice(0, -1) ?? [];
  return keyOf([...home, name ?? '']);
}

// Whether another folder has taken an object over under its new name.
const isElsewhere = (kind: KindName, key: Key, { others = [] }: PlanInput): boolean =>
  others.some(({ files, base }) =>
    [...files, ...base].some(one => one.kind === kind && one.key === key),
  );

// The objects that declarations declare or refer to.
function namesIn(objects: readonly Desired[], kinds: KindTable): ReadonlySet<Address> {
  return new Set(
    objects.flatMap(({ kind: name, key, fields }) => {
      const kind = kinds.get(name);
      const refs = kind ? refsIn(kind.shape, fields) : [];
      return [addressOf(name, key), ...refs.map(ref => addressOf(ref.kind, ref.key as Key))];
    }),
  );
}

/** By id, who made the objects of kinds that machines make too. Reads the audit log if there are any. */
export async function makersIn(
  objects: readonly Pick<Live, 'kind' | 'id'>[],
  kinds: KindTable,
  transport: ReadTransport,
): Promise<ReadonlyMap<RemoteId, Maker>> {
  if (!objects.some(({ kind }) => isMadeByMachines(kinds, kind))) return new Map();
  return makersOf(objects, kinds, await logEntries(transport));
}

/** The objects that machines made for a time, as the audit log shows it. */
export async function temporaryIn<T extends Pick<Live, 'kind' | 'id'>>(
  objects: readonly T[],
  kinds: KindTable,
  transport: ReadTransport,
): Promise<readonly T[]> {
  const makers = await makersIn(objects, kinds, transport);
  return objects.filter(
    ({ kind, id }) => isMadeByMachines(kinds, kind) && makers.get(id) === 'machine',
  );
}

/**
 * The objects that the user of the token created, as the audit log shows it. None if people sign in as that user: they may have made an
 * object by hand.
 */
export async function madeByOwnUser(
  objects: readonly Live[],
  kinds: KindTable,
  transport: ReadTransport,
): Promise<ReadonlySet<RemoteId>> {
  const user = await ownUser(transport, kinds);
  return user?.isRobot
    ? madeBy(user.id, objects, { kinds, entries: await logEntries(transport) })
    : new Set();
}

async function logEntries(transport: ReadTransport) {
  try {
    return (await readAuditLog(transport)).entries;
  } catch (error) {
    // The base may know the names all the same.
    if (error instanceof ApiError) return [];
    throw error;
  }
}

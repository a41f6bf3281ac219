// Determines, from the base of the files and the audit log, what happened to objects that files
// name and an exported account does not have.

import type { FetchedAccount } from '../../api/account/fetch.ts';
import type { ReadTransport } from '../../api/transport/transport.ts';
import { fatesIn } from '../../attribution/fates.ts';
import { meantByBases, takenByOthers } from '../../engine/missing/meantByBases.ts';
import { unresolvedNames } from '../../engine/missing/unresolved.ts';
import { inParts } from '../../engine/scope/parts.ts';
import type { Meant } from '../../engine/types/pairing.ts';
import type { PlanSettings } from '../../engine/types/settings.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, RemoteId } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import type { RecordedId } from '../../model/recordedBase.ts';
import { objectsOf } from '../../read/git/storedBases.ts';
import { accountOf, createdSince, logEntries } from '../auditLog.ts';
import type { DesiredState } from '../loading/desiredState.ts';
import { siblingKey } from '../names/missingNames.ts';
import type { UnreadAccount } from '../unreadAccount.ts';

/** What happened to objects that declarations name and the account does not have. */
export interface FateRequest {
  /** Objects that somebody deleted, according to the audit log. */
  readonly deleted: ReadonlySet<Address>;
  /** The live objects for names that somebody changed, according to the base or the audit log. */
  readonly meant: Meant;
}

/** Declarations, and the recorded base of their folder. */
type RecordedFiles = Pick<DesiredState, 'desired' | 'stored'>;

/** An account as it was read. */
interface ReadAccount extends Pick<UnreadAccount, 'kinds'> {
  readonly snapshot: FetchedAccount;
}

/**
 * Determines what happened to objects that declarations name and an exported account does not have.
 */
export async function fatesOf(
  files: RecordedFiles,
  { kinds, transport }: UnreadAccount,
  snapshot: FetchedAccount,
): Promise<FateRequest> {
  const { desired } = files;
  const account = { kinds, snapshot };
  const meant = await meantByBase(files, account, transport);
  const { open, absent, gone } = namesWithoutObject(files, account, meant);
  if (open.length + absent.length + gone.length === 0) return { deleted: new Set(), meant };
  const entries = await logEntries(transport);
  const fateOf = fatesIn({ kinds, account: accountOf(snapshot.objects), entries });
  const deleted = [...gone, ...open.filter(name => fateOf(name)?.type === 'deleted')];
  const declared = new Set(desired.map(({ kind, key }) => addressOf(kind, key)));
  const bound = new Set(desired.map(({ lifecycle: { id } }) => id));
  const renamed = [...absent, ...open].flatMap(({ kind, key }) => {
    const { id, to } = fateOf({ kind, key }) ?? {};
    const isTaken = declared.has(addressOf(kind, siblingKey(key, to, kinds.get(kind))));
    const isOurs = id !== undefined && !isTaken && !bound.has(id);
    return isOurs ? [[addressOf(kind, key), id] as const] : [];
  });
  return {
    deleted: new Set(deleted.map(({ kind, key }) => addressOf(kind, key))),
    meant: new Map([...meant, ...renamed]),
  };
}

// The objects that somebody renamed, according to the base.
async function meantByBase(
  { desired, stored }: RecordedFiles,
  { kinds, snapshot }: ReadAccount,
  transport: ReadTransport,
): Promise<ReadonlyMap<Address, RemoteId>> {
  const { dialect, objects } = snapshot;
  const recorded = stored ? objectsOf(stored, kinds) : [];
  const names = { ids: idsOf(stored), recorded, desired, others: [], dialect };
  // If another object took the name of a missing object, an export treats it as the missing object,
  // because exported files declare what exists.
  const isTaken = takenByOthers(names, objects, kinds).length > 0;
  const isNew = isTaken ? await createdSince(objects, kinds, transport) : undefined;
  const known = [...meantByBases({ ...names, isNew }, objects, kinds)];
  return new Map(known.flatMap(([address, id]) => (id === null ? [] : [[address, id]])));
}

/** Names in declarations that denote no object of the account. */
interface NamesWithoutObject {
  /** Names that no object in the account has. */
  readonly open: readonly Omit<RecordedId, 'id'>[];
  /** Declared objects that the account does not have. */
  readonly absent: readonly Desired[];
  /** The absent objects and parts of objects whose ids the base contains. */
  readonly gone: readonly Omit<RecordedId, 'id'>[];
}

function namesWithoutObject(
  files: RecordedFiles,
  account: ReadAccount,
  meant: Meant,
): NamesWithoutObject {
  const { desired } = files;
  const { kinds, snapshot } = account;
  const { dialect } = snapshot;
  const settings: PlanSettings = { dialect, prune: 'none', allow: [], thresholds: {} };
  const input = { kinds, desired, base: [], snapshot, settings, folder: '', meant };
  const unresolved = unresolvedNames(input);
  return {
    open: unresolved.names.filter(({ namesakes }) => namesakes.length === 0),
    absent: desired.filter(
      one => one.lifecycle.id === undefined && unresolved.absent.has(addressOf(one.kind, one.key)),
    ),
    gone: goneSinceBase(files, account, unresolved.absent),
  };
}

const idsOf = (stored: RecordedFiles['stored']): readonly RecordedId[] => stored?.base.ids ?? [];

// Declared objects, and parts of them, whose ids are in the recorded base but not in the account. An object that was never
// applied is not included.
function goneSinceBase(
  { desired, stored }: RecordedFiles,
  { kinds, snapshot: { dialect, objects, unavailable } }: ReadAccount,
  absent: ReadonlySet<Address>,
): readonly Omit<RecordedId, 'id'>[] {
  const ids = idsOf(stored);
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

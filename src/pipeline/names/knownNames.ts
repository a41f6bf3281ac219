// Finds the objects of the account that names denote: in the files, in recorded bases, in
// unfinished applies and in other folders. Somebody may have renamed, copied or deleted the object
// of a name.

import type { FetchedAccount } from '../../api/account/fetch.ts';
import type { ReadTransport } from '../../api/transport/transport.ts';
import { meantByBases, takenByOthers } from '../../engine/missing/meantByBases.ts';
import { inParts } from '../../engine/scope/parts.ts';
import type { PlanInput } from '../../engine/scope/planInput.ts';
import type { Meant, RecordedIds } from '../../engine/types/pairing.ts';
import type { PlanSettings } from '../../engine/types/settings.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { Dialect } from '../../kinds/traits.ts';
import { addressOf } from '../../model/key.ts';
import type { NameTaken } from '../../model/missingObjects.ts';
import type { RemoteId } from '../../model/names.ts';
import type { Desired, Snapshot } from '../../model/object.ts';
import type { RecordedId } from '../../model/recordedBase.ts';
import type { Declarations } from './declarations.ts';
import { type ProtectedObjects, protectedNow } from './protectedObjects.ts';
import { inSharedNames, type SharedNames } from './sharedNames.ts';
import { namesOfApplies, runsLeftNothing } from './unfinishedApplies.ts';

/** The names in declarations, resolved in an account. */
export interface KnownNames extends Pick<SharedNames, 'marked'> {
  /** The declarations of the files, with placeholders. */
  readonly written: readonly Desired[];
  /**
   * The declarations, the bases and the account. All of them use the same names for the same
   * objects.
   */
  readonly input: Pick<
    PlanInput,
    | 'desired'
    | 'base'
    | 'recorded'
    | 'others'
    | 'unrecognised'
    | 'superseded'
    | 'deletedByRuns'
    | 'made'
    | 'withEnds'
    | 'leftInGone'
    | 'madeByUser'
  > & {
    readonly snapshot: FetchedAccount;
    readonly meant: Meant;
    readonly recordedIds: RecordedIds;
  };
  readonly guards: ProtectedObjects;
  /** The ids in the base and in unfinished applies. */
  readonly ids: readonly RecordedId[];
  /** The ids in the base, in unfinished applies, and in the bases of other folders. */
  readonly idsEverywhere: readonly RecordedId[];
  /** The applies whose objects count as declared by the base. */
  readonly countedRuns: readonly string[];
  /**
   * Returns whether the address of a recorded object is unknown, because it was marked with another
   * key.
   */
  readonly isUnknown: (object: Pick<Desired, 'kind' | 'fields'>) => boolean;
}

/** How names are looked up. */
export interface NameLookup extends Pick<PlanSettings, 'mark'>, ProtectedObjects {
  readonly kinds: KindTable;
  readonly dialect: Dialect;
  /** The declarations in the recorded base of the folder. */
  readonly recordedNow: readonly Desired[];
  readonly transport: ReadTransport;
}

/**
 * Finds the objects of an account that the names in declarations denote. The audit log is read only
 * if nothing else shows this.
 */
export async function knownNames(
  declarations: Declarations,
  account: FetchedAccount,
  lookup: NameLookup,
): Promise<KnownNames> {
  const { kinds, dialect, recordedNow } = lookup;
  const { left, byIds } = declarations;
  const live = account.objects;
  const ofApplies = await namesOfApplies(declarations, live, { kinds, dialect });
  const { ids, replacements, finished, made } = ofApplies;
  const shared = inSharedNames({ ...declarations, replacements }, account, lookup);
  const { written, isUnknown, marked, ...named } = shared;
  const { desired, others, snapshot } = named;
  const idsEverywhere = [...others.flatMap(other => other.ids ?? []), ...ids];
  const remembered = { ids, recorded: [...byIds, ...recordedNow], desired, others, dialect };
  const isNew = await newBearers(remembered, snapshot.objects, lookup);
  const input = {
    ...named,
    meant: meantByBases({ ...remembered, isNew }, snapshot.objects, kinds),
    recordedIds: new Map(ids.map(({ kind, key, id }) => [addressOf(kind, key), id])),
    superseded: new Map(
      finished.map(({ kind, key, former: id }) => [`${kind} ${id}`, key] as const),
    ),
    deletedByRuns: left?.deleted,
    made,
    ...(declarations.recorded?.hasBase ? {} : { withEnds: left?.withEnds }),
    leftInGone: left?.leftInGone,
    madeByUser: await madeByUserIn(declarations, { ...lookup, live, made }),
  };
  return {
    written,
    input,
    guards: protectedNow(lookup, { ids, idsEverywhere }, snapshot.objects),
    ids,
    idsEverywhere,
    countedRuns: left ? runsLeftNothing(left, inParts(written, kinds, dialect)) : [],
    isUnknown,
    marked,
  };
}

// The log is read only if neither a base nor a journal shows whether this repository created an
// ended grant.
async function madeByUserIn(
  { desired, recorded }: Pick<Declarations, 'desired' | 'recorded'>,
  {
    live,
    made,
    kinds,
    transport,
  }: Pick<NameLookup, 'kinds' | 'transport'> & {
    readonly live: Snapshot['objects'];
    readonly made: readonly RecordedId[];
  },
): Promise<ReadonlySet<RemoteId>> {
  const over = desired.filter(({ isGrant, ended }) => isGrant && ended?.isWhole);
  if (recorded?.hasBase || over.length === 0) return new Set();
  const ended = new Set(over.map(({ kind }) => kind));
  const known = new Set(made.map(({ kind, id }) => `${kind} ${id}`));
  const open = live.filter(({ kind, id }) => ended.has(kind) && !known.has(`${kind} ${id}`));
  if (open.length === 0) return new Set();
  const { madeByOwnUser } = await import('../auditLog.ts');
  return madeByOwnUser(open, kinds, transport);
}

// The log is read only if somebody renamed an object and another object has its name now.
async function newBearers(
  names: Parameters<typeof takenByOthers>[0],
  live: Snapshot['objects'],
  { kinds, transport }: Pick<NameLookup, 'kinds' | 'transport'>,
): Promise<((taken: NameTaken) => boolean) | undefined> {
  if (takenByOthers(names, live, kinds).length === 0) return undefined;
  const { createdSince } = await import('../auditLog.ts');
  return createdSince(live, kinds, transport);
}

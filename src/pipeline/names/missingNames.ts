// Explains names in the files that do not denote exactly one live object. The base or the audit log
// shows objects that somebody deleted or renamed, and which of several objects with one name is
// meant. Every other name without an object is a typing error.
import type { ReadTransport } from '../../api/transport/transport.ts';
import { fatesIn } from '../../attribution/fates.ts';
import { firstBearersIn } from '../../attribution/firstBearer.ts';
import { formerMembersIn } from '../../attribution/formerMembers.ts';
import { type AgainObject, createdAgain } from '../../engine/missing/createdAgain.ts';
import { type UnresolvedName, unresolvedNames } from '../../engine/missing/unresolved.ts';
import { bases, type PlanInput } from '../../engine/scope/planInput.ts';
import type { Meant } from '../../engine/types/pairing.ts';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import type { ComparedAccount } from '../../model/comparedAccount.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf, keyOf, segmentsOf } from '../../model/key.ts';
import type { MissingObject } from '../../model/missingObjects.ts';
import type { Address, Key, KindName, RemoteId } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import type { RecordedId } from '../../model/recordedBase.ts';
import { type LogEntries, logEntries } from '../auditLog.ts';

/** What the base and the audit log show about names. */
export interface NameEvidence {
  readonly missing: readonly MissingObject[];
  readonly meant: Meant;
  /**
   * Findings about objects that somebody deleted and that this plan or a later plan creates again.
   */
  readonly findings: readonly Diagnostic[];
  /** Waiting objects that somebody deleted. */
  readonly deletedWaiting: readonly MissingObject[];
}

/** Names in the files that do not denote exactly one live object. */
export interface OpenNames {
  readonly input: PlanInput;
  /** The objects that names denote according to the recorded base. */
  readonly ids: readonly RecordedId[];
  /**
   * Objects that the account had when the base was recorded, and that a plan would create again.
   */
  readonly lost: readonly Omit<RecordedId, 'id'>[];
  /**
   * The objects that the plan creates and that the account may have had before. Nothing shows
   * whether it had them.
   */
  readonly created: readonly Omit<RecordedId, 'id'>[];
  /**
   * Objects that the account had when the base was recorded, and that the plan does not create
   * because they wait for others. They may not have been deleted by anybody.
   */
  readonly waiting: readonly Omit<RecordedId, 'id'>[];
  readonly account: ComparedAccount;
}

/**
 * Explains names that do not denote exactly one live object. If there are any, the audit log is
 * read, unless the token may not read it.
 */
export async function explainedNames(
  open: OpenNames,
  transport: ReadTransport,
): Promise<NameEvidence> {
  const { input, lost, created, waiting, account } = open;
  const { kinds, meant = new Map<Address, RemoteId | null>() } = input;
  const { names } = unresolvedNames(input);
  if (names.length + lost.length + created.length + waiting.length === 0)
    return { missing: [], meant, findings: [], deletedWaiting: [] };
  const entries = await logEntries(transport);
  const fateOf = fatesByBase(open, entries);
  const firstOf = firstBearersIn({ kinds, account, entries });
  const known = namesIn(bases(input), kinds);
  const facts = { fateOf, claimedBy: idsOfOthers(input), firstOf, known, meant };
  const explained = names.map(name => explanationOf(name, facts));
  const bearers = explained.flatMap(({ means = [] }) => means);
  const again = deletedBefore([...lost, ...created], fateOf, input);
  // A deletion by an unfinished apply does not count as a deletion by somebody else.
  const deletedWaiting = deletedBefore(waiting, fateOf, input)
    .filter(({ fate: { byRun } }) => byRun === undefined)
    .map((one): AgainObject => ({ ...one, isWaiting: true }));
  return {
    missing: explained.flatMap(({ missing = [] }) => missing),
    meant: new Map([
      ...meant,
      ...renamedByOthers([...lost, ...waiting], fateOf, input),
      ...bearers,
    ]),
    findings: createdAgain([...again, ...deletedWaiting], input, formerMembersIn(kinds, entries)),
    deletedWaiting: deletedWaiting.map(({ kind, key, fate }) => ({ kind, key, fate })),
  };
}

/**
 * Returns what happened to the object of a name. If the base contains no id for the name, one of
 * the `claimed` objects is preferred.
 */
type FateOf = (
  name: Omit<RecordedId, 'id'>,
  claimed?: readonly RemoteId[],
) => ReturnType<ReturnType<typeof fatesIn>>;

// What happened to the object that a name denotes in the base. Without a base: what happened to an
// object that had the name.
function fatesByBase({ input, ids, account }: OpenNames, entries: LogEntries): FateOf {
  const idOf = new Map(ids.map(({ kind, key, id }) => [addressOf(kind, key), id]));
  const fateOf = fatesIn({ kinds: input.kinds, account, entries });
  return ({ kind, key }, claimed = []) =>
    fateOf({ kind, key, id: idOf.get(addressOf(kind, key)), claimed });
}

// The objects that a name denotes in the bases of other folders. These bases may be unsigned. So they are trusted for what
// happened to an object, but not for which object is meant.
function idsOfOthers({ others = [] }: PlanInput): (address: Address) => readonly RemoteId[] {
  const ids = others.flatMap(other => other.ids ?? []);
  const byAddress = Map.groupBy(ids, ({ kind, key }) => addressOf(kind, key));
  return address => (byAddress.get(address) ?? []).map(({ id }) => id);
}

// The objects that somebody has renamed since the base was recorded, by their former names.
function renamedByOthers(
  lost: OpenNames['lost'],
  fateOf: FateOf,
  input: PlanInput,
): readonly (readonly [Address, RemoteId])[] {
  const { kinds, meant } = input;
  return lost.flatMap(({ kind, key }): (readonly [Address, RemoteId])[] => {
    const address = addressOf(kind, key);
    // A new key or token with the same name is a different object, not the renamed object.
    if (kinds.get(kind)?.expiry !== undefined && meant?.has(address)) return [];
    const { id, to } = fateOf({ kind, key }) ?? {};
    const isOurs =
      id !== undefined && !isElsewhere(kind, siblingKey(key, to, kinds.get(kind)), input);
    return isOurs ? [[address, id]] : [];
  });
}

/**
 * The explanation of a name: the object that it denotes, or how that object went missing. A typing
 * error has no explanation.
 */
interface Explanation {
  readonly means?: readonly (readonly [Address, RemoteId])[];
  readonly missing?: readonly MissingObject[];
}

function explanationOf(
  { namesakes, whole, ...name }: UnresolvedName,
  {
    fateOf,
    claimedBy,
    firstOf,
    known,
    meant,
  }: {
    readonly fateOf: FateOf;
    readonly claimedBy: (address: Address) => readonly RemoteId[];
    readonly firstOf: ReturnType<typeof firstBearersIn>;
    /** The objects that the bases declare or to which they refer. */
    readonly known: ReadonlySet<Address>;
    readonly meant: Meant;
  },
): Explanation {
  const address = addressOf(name.kind, name.key);
  const isTaken = meant.get(address) === null;
  if (namesakes.length > 0 && !isTaken) {
    const declared = { ...name, key: whole ?? name.key };
    const isKnown = known.has(addressOf(declared.kind, declared.key));
    const first = isKnown ? firstOf({ ...name, namesakes }) : undefined;
    return first === undefined
      ? { missing: [{ ...declared, namesakes, isAmbiguous: true }] }
      : { means: [[address, first]] };
  }
  const fate = fateOf(name, claimedBy(address));
  const others = isTaken && { namesakes };
  if (fate) return { missing: [{ ...name, ...others, fate }] };
  const isMissing = fate === null || isTaken || known.has(address);
  return isMissing ? { missing: [{ ...name, ...others }] } : {};
}

// The objects that the plan creates although somebody or an apply deleted them.
function deletedBefore(
  objects: OpenNames['created'],
  fateOf: FateOf,
  { deletedByRuns }: PlanInput,
): readonly AgainObject[] {
  return objects.flatMap(({ kind, key }): AgainObject[] => {
    const fate = fateOf({ kind, key });
    if (fate?.type !== 'deleted') return [];
    const byRun = fate.was && deletedByRuns?.get(fate.was);
    return [{ kind, key, fate: { ...fate, ...(byRun !== undefined && { byRun }) } }];
  });
}

/** The key of an object with this name and the same parent. */
export function siblingKey(key: Key, name: string | undefined, kind: Kind | undefined): Key {
  const home = segmentsOf(key, kind?.depth ?? 1)?.slice(0, -1) ?? [];
  return keyOf([...home, name ?? '']);
}

// Whether another folder now declares an object under its new name.
const isElsewhere = (kind: KindName, key: Key, { others = [] }: PlanInput): boolean =>
  others.some(({ files, base }) =>
    [...files, ...base].some(one => one.kind === kind && one.key === key),
  );

// The names of objects that declarations contain, including references.
function namesIn(objects: readonly Desired[], kinds: KindTable): ReadonlySet<Address> {
  return new Set(
    objects.flatMap(({ kind: name, key, fields }) => {
      const kind = kinds.get(name);
      const refs = kind ? refsIn(kind.shape, fields) : [];
      return [addressOf(name, key), ...refs.map(ref => addressOf(ref.kind, ref.key as Key))];
    }),
  );
}

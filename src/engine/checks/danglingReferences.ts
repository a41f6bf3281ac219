// Checks whether every declared reference resolves, in the files or in the account.
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { isNamedById } from '../../kinds/lookup.ts';
import { type FoundRef, refsIn } from '../../kinds/values/refs.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { idInKey } from '../../model/key.ts';
import type { KindName } from '../../model/names.ts';
import type { Desired, Live, Snapshot } from '../../model/object.ts';
import type { OtherFolder } from '../../model/otherFolder.ts';
import { didYouMean } from '../../model/text/nearest.ts';
import { pointer } from '../../model/text/pointer.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { nameLive } from '../pairing/namedObjects.ts';
import type { Naming } from '../types/naming.ts';

/**
 * Errors for references that match neither a declaration nor exactly one live object. If the live
 * object already contains the same reference, a warning is enough, because the reference does not
 * change.
 */
export function unknownRefs(
  account: NamedAccount & { readonly others: readonly OtherFolder[] },
  run: References,
): Diagnostic[] {
  const { kinds, snapshot, naming, others } = account;
  const known = knownNames(account, run);
  const guess = guesses(known);
  const hintAt = (ref: FoundRef) => declarerHint(ref, others) ?? guess(ref);
  return unresolvedRefs(account, run, known).map(unresolved => {
    const { object, ref, is } = unresolved;
    const referent = kinds.get(ref.kind);
    if (is === 'stray') return strayRef(object, ref, referent);
    if (is === 'outside') return refOutside(object, ref, referent);
    const namesakes = referent ? namesakesOf(referent, ref.key, snapshot.objects, naming) : [];
    return unknownRef(unresolved, referent, namesakes, hintAt);
  });
}

/** The account as a plan sees it: its objects with the names in the plan. */
interface NamedAccount {
  readonly kinds: KindTable;
  readonly snapshot: Snapshot;
  readonly naming: Naming;
}

/** The objects of a run whose references are checked, and the objects that the run leaves out. */
interface References {
  readonly remaining: readonly Desired[];
  readonly unselected: readonly Desired[];
}

/** A reference that matches no object of the run. */
interface UnresolvedRef {
  readonly object: Desired;
  readonly ref: FoundRef;
  /** `stray`: the live object has the same reference. `outside`: only an object that the run leaves out has this name. */
  readonly is: 'unknown' | 'outside' | 'stray';
}

type KnownNames = ReadonlyMap<KindName, ReadonlySet<string>>;

function knownNames(
  { snapshot, naming }: Omit<NamedAccount, 'kinds'>,
  { remaining }: References,
): KnownNames {
  const known = new Map<KindName, Set<string>>();
  const add = (kind: KindName, key: string) =>
    known.set(kind, (known.get(kind) ?? new Set()).add(key));
  for (const { kind, key } of remaining) add(kind, key);
  for (const live of snapshot.objects) add(live.kind, currentKey(live, naming));
  return known;
}

const currentKey = (live: Live, naming: Naming): string =>
  naming.keyOfId(live.kind, live.id) ?? live.key;

/** The references of selected objects that match neither a selected declaration nor exactly one live object. */
export function unresolvedRefs(
  { kinds, snapshot, naming }: NamedAccount,
  { remaining, unselected }: References,
  known = knownNames({ snapshot, naming }, { remaining, unselected }),
): UnresolvedRef[] {
  const elsewhere = new Set(unselected.map(({ kind, key }) => `${kind} ${key}`));
  const strays = new Set<string>();
  for (const live of snapshot.objects) {
    const own = currentKey(live, naming);
    for (const stray of straysIn(live, kinds)) strays.add(`${live.kind} ${own} ${stray}`);
  }
  return remaining.flatMap(object => {
    const kind = kinds.get(object.kind);
    const refs = kind ? ownRefs(kind, object) : [];
    return [...homeOf(object, kind), ...refs].flatMap((ref): UnresolvedRef[] => {
      const key = idInKey(ref.key) === null ? ref.key : naming.keyOf(ref.kind, ref.key);
      if (known.get(ref.kind)?.has(key) || snapshot.unavailable.has(ref.kind)) return [];
      if (strays.has(`${object.kind} ${object.key} ${ref.kind} ${ref.key}`))
        return [{ object, ref, is: 'stray' }];
      return [{ object, ref, is: elsewhere.has(`${ref.kind} ${key}`) ? 'outside' : 'unknown' }];
    });
  });
}

/**
 * The maximum number of unknown names that are compared with all known names. If there are more,
 * the cause is probably a missing file and not typing errors.
 */
const MOST_GUESSES = 100;

// Returns a function that returns the hint for an unknown name. The hint is computed once for all places with that name.
function guesses(known: ReadonlyMap<KindName, ReadonlySet<string>>) {
  const made = new Map<string, string | undefined>();
  return ({ kind, key }: FoundRef): string | undefined => {
    const name = `${kind} ${key}`;
    if (!made.has(name) && made.size < MOST_GUESSES)
      made.set(name, didYouMean(key, known.get(kind) ?? []));
    return made.get(name);
  };
}

// The hint if another folder declares the object: apply that folder first, or rename the object first.
function declarerHint({ kind, key }: FoundRef, others: readonly OtherFolder[]): string | undefined {
  for (const { name, files } of others) {
    const declared = files.find(one => one.kind === kind && one.key === key);
    if (declared === undefined) continue;
    const { was } = declared.lifecycle;
    const how = was === undefined ? '' : `, with \`was: ${nameText(was)}\``;
    return `the folder ${quoted(name)} declares it${how}: apply that folder first`;
  }
  return undefined;
}

// The references of an object. If the object has several parts, references outside the items are checked only in the first part,
// so that each finding is reported once.
function ownRefs(kind: Kind, { fields, part }: Desired): FoundRef[] {
  const isOwn = ({ path }: FoundRef) => part?.leads !== false || path[0] === kind.parts?.list;
  return refsIn(kind.shape, fields).filter(isOwn);
}

// The reference from an object to its parent. The parent must exist, unless the run leaves it out.
const homeOf = ({ parent }: Desired, kind: Kind | undefined): FoundRef[] =>
  kind?.parent && parent !== undefined ? [{ kind: kind.parent, key: parent, path: [] }] : [];

// The references of a live object to objects that the account does not list. Such a reference is an
// id, unless the ids of the kind are names.
const straysIn = ({ kind, fields }: Live, kinds: KindTable): string[] => {
  const shape = kinds.get(kind)?.shape;
  const refs = shape ? refsIn(shape, fields) : [];
  const isNamed = (ref: FoundRef): boolean => {
    const referent = kinds.get(ref.kind);
    return referent !== undefined && isNamedById(referent);
  };
  return refs
    .filter(ref => idInKey(ref.key) !== null || isNamed(ref))
    .map(ref => `${ref.kind} ${ref.key}`);
};

/** The live objects with a name, even for kinds whose name is not the identity of an object. */
export function namesakesOf(
  kind: Kind,
  key: string,
  live: readonly Live[],
  naming: Naming,
): Live[] {
  return live.filter(
    other => other.kind === kind.name && nameLive(kind, other, naming).key === key,
  );
}

function strayRef(object: Desired, ref: FoundRef, kind: Kind | undefined): Diagnostic {
  return {
    code: 'REF_UNKNOWN',
    severity: 'warning',
    message: `the account refers to a ${kind?.noun ?? ref.kind} ${quoted(ref.key)} that it does not list`,
    at: object.spans[pointer(ref.path)] ?? object.at,
    hint: 'remove the reference when nothing depends on it',
  };
}

function refOutside(object: Desired, ref: FoundRef, kind: Kind | undefined): Diagnostic {
  const what = `${kind?.noun ?? ref.kind} ${quoted(ref.key)}`;
  return {
    code: 'REF_UNKNOWN',
    severity: 'error',
    message: `the account has no ${what}, and the declared ${what} is not part of this run`,
    at: object.spans[pointer(ref.path)] ?? object.at,
    hint: 'include it in the run: add --with-dependencies, or remove it from --except',
  };
}

function unknownRef(
  { object, ref }: UnresolvedRef,
  kind: Kind | undefined,
  namesakes: readonly Live[],
  guess: (ref: FoundRef) => string | undefined,
): Diagnostic {
  const at = object.spans[pointer(ref.path)] ?? object.at;
  const title = kind?.noun ?? ref.kind;
  if (namesakes.length > 1) {
    return {
      code: 'REF_AMBIGUOUS',
      severity: 'error',
      message: `the account has ${namesakes.length} ${kind?.plural ?? ref.kind} called ${quoted(ref.key)}`,
      at,
      hint: `write one of ${namesakes
        .map(other => nameText(`id:${other.id}`))
        .sort()
        .join(', ')}`,
    };
  }
  return {
    code: 'REF_UNKNOWN',
    severity: 'error',
    message: `the ${title} ${quoted(ref.key)} exists neither in the files nor in the account`,
    at,
    hint: guess(ref) ?? `declare it, or refer to a live ${title} by name or id:<value>`,
  };
}

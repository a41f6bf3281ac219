// Lets a selection use the current name of an object that somebody renamed in the account. The
// entry then selects the declared object that the recorded base identifies by its id.
import { formerKeys } from '../../kinds/identity/formerKeys.ts';
import { hasLastingName } from '../../kinds/identity/identity.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { kindNamedIn } from '../../kinds/lookup.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, Key, KindName } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import { exactPattern, patternNamed } from '../../model/objectName.ts';
import type { RecordedId } from '../../model/recordedBase.ts';
import type { Selection } from '../types/selection.ts';
import { bases, type PlanInput, partedInput } from './planInput.ts';
import { namedBy } from './selection.ts';

/** The declarations in files and bases, and the ids in the recorded base. */
export interface KnownDeclarations {
  readonly declared: readonly Desired[];
  readonly ids: readonly RecordedId[];
}

/**
 * The selection before the account is read, with all objects that an entry may denote. If an entry
 * names no declaration or contains `*`, it may be the current name of any object whose id is in the
 * base.
 */
export function selectionToRead(
  selection: Selection,
  { declared, ids }: KnownDeclarations,
  kinds: KindTable,
): Selection {
  const { only = [] } = selection;
  const known = new Set(
    ids.map(({ kind }) => kind).filter(name => hasLastingName(kinds.get(name))),
  );
  if (only.length === 0 || known.size === 0) return selection;
  const open = only.filter(text => text.includes('*') || !declared.some(namedBy([text], kinds)));
  const mayMean = ({ kind }: Desired) =>
    known.has(kind) &&
    open.some(text => {
      const named = patternNamed(text, kindNamedIn(kinds));
      return named === null || named.mayBeName || named.kind === kind;
    });
  const also = declared.filter(mayMean).map(({ kind, key }) => addressOf(kind, key));
  return also.length === 0 ? selection : { ...selection, also: new Set(also) };
}

/** An object of the base that somebody renamed. */
interface Renamed {
  readonly kind: KindName;
  /** The name of the object in the files, or in the base if the files no longer declare it. */
  readonly key: Key;
  readonly isDeclared: boolean;
  /**
   * The name of the object in the account. Undefined if a declared object has that name, because
   * the name then selects the declared object.
   */
  readonly now: Key | undefined;
}

/**
 * The selection after the account is read. An entry with the current name of a renamed object now
 * also contains the object's name in the files.
 */
export function selectedByCurrentNames(selection: Selection, input: PlanInput): Selection {
  const { only, except } = selection;
  if (!(only ?? except)?.length || !input.meant?.size) return selection;
  const { kinds } = input;
  const renamed = renamedIn(input);
  const named = (texts: readonly string[]) => texts.flatMap(text => [text, ...namesOf(text)]);
  const namesOf = (text: string): string[] => {
    const isNamed = namedBy([text], kinds);
    return renamed.flatMap(({ kind, key, isDeclared, now }) => {
      const names = isDeclared ? [key] : [key, ...(now === undefined ? [] : [now])];
      const isMeant =
        (now !== undefined && isNamed({ kind, key: now })) ||
        (!isDeclared && isNamed({ kind, key }));
      const depth = kinds.get(kind)?.depth ?? 1;
      return isMeant ? names.map(name => exactPattern({ kind, key: name }, depth)) : [];
    });
  };
  return {
    ...selection,
    ...(only && { only: named(only) }),
    ...(except && { except: named(except) }),
  };
}

function renamedIn(input: PlanInput): readonly Renamed[] {
  const { kinds, meant, snapshot, desired, wholes } = partedInput(input);
  const keys = new Map(snapshot.objects.map(({ kind, id, key }) => [`${kind} ${id}`, key]));
  const declared = new Set(input.desired.map(({ kind, key }) => addressOf(kind, key)));
  const later = new Map(desired.flatMap(one => formerAddresses(one, kinds)));
  const former = bases(partedInput(input));
  const found = [...desired, ...former].flatMap(({ kind, key }): [string, Renamed][] => {
    const address = addressOf(kind, key);
    const id = meant?.get(address);
    const live = id && keys.get(`${kind} ${id}`);
    if (!live || live === key) return [];
    const own = wholes.keyOf({ kind, key: later.get(address) ?? key });
    const now = wholes.keyOf({ kind, key: live });
    const isDeclared = declared.has(addressOf(kind, own));
    const isTaken = declared.has(addressOf(kind, now));
    const one = { kind, key: own, isDeclared, now: isTaken ? undefined : now };
    return [[`${addressOf(kind, own)} ${now}`, one]];
  });
  return [...new Map(found).values()];
}

function formerAddresses(
  { kind: name, key, parent, lifecycle: { was } }: Desired,
  kinds: KindTable,
): [Address, Key][] {
  const kind = kinds.get(name);
  if (kind === undefined || was === undefined) return [];
  return formerKeys(kind, parent, was).map(former => [addressOf(name, former), key]);
}

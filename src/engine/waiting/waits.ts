// Removes objects that must wait from the inputs of a plan. Files may refer to groups that another
// system, such as an identity provider, has not created yet. The declaration of such a group
// contains only the name of the live group: meshform never creates, changes or deletes the group.
import { providedLive } from '../../kinds/identity/provided.ts';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { itemKey, keyFields } from '../../kinds/values/items.ts';
import { present } from '../../model/errors.ts';
import { addressOf, idKey } from '../../model/key.ts';
import type { Address, Key, RemoteId } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import { type Fields, isList } from '../../model/value.ts';
import { nameLive } from '../pairing/namedObjects.ts';
import { emptyNaming, liveFields, namedFields } from '../pairing/naming.ts';
import { pairObjects } from '../pairing/pairObjects.ts';
import { markedForDeletion } from '../scope/markedForDeletion.ts';
import { type PartedInput, type PlanInput, partedInput } from '../scope/planInput.ts';
import { selected } from '../scope/selection.ts';
import type { NamedObject } from '../types/selection.ts';
import type { PlanSettings } from '../types/settings.ts';
import { asLastApplied, switchedOff } from './asLastApplied.ts';
import {
  type WithoutAbsentReferences,
  withoutAbsentReferences,
} from './withoutAbsentReferences.ts';

/** An object that waits, with its declaration. */
export interface Waiting extends WithoutAbsentReferences {
  readonly declared: Desired;
}

/** The declarations that wait in a run. */
export interface Waits {
  /** Declared objects that another system will create, and that the account does not have yet. */
  readonly absent: ReadonlySet<Address>;
  /**
   * Declared objects that another system will create, but whose name now belongs to an object that
   * meshform or a person created.
   */
  readonly blocked: readonly Desired[];
  readonly waiting: readonly Waiting[];
  /** Additional declarations. Live objects in the run are compared with them, but not written. */
  readonly compared: readonly Desired[];
}

/** The part of a plan's inputs that can be written now. */
export interface WaitingInput extends PartedInput {
  readonly waits: Waits;
}

const NONE: Waits = { absent: new Set(), blocked: [], waiting: [], compared: [] };

/** The inputs, split into parts as the server stores objects, without objects that wait. */
export function waitingInput(written: PlanInput): WaitingInput {
  const { kinds } = written;
  const declared = written.desired.filter(isProvided);
  const own = declared.length === 0 ? written : withoutProvided(written);
  const found = foundOf(declared, written);
  const meant = new Map([...(written.meant ?? []), ...found.meant]);
  const parted = partedInput({ ...own, ...(meant.size > 0 && { meant }) });
  const input = withForeignMembers(parted);
  if (found.absent.size === 0) return { ...input, waits: { ...NONE, blocked: found.blocked } };
  const { desired, waiting, absent } = withoutAbsent(input, found.absent);
  const isSelected = selected(input.settings.select ?? {}, kinds, input.wholes);
  const compared = waiting.flatMap(one => one.compared ?? []).filter(isSelected);
  const waits = { absent, blocked: found.blocked, waiting, compared };
  return { ...input, desired, settings: withoutHeld(input.settings, waits), waits };
}

const isProvided = (object: Desired): boolean => object.isProvided === true;

function withoutProvided(input: PlanInput): PlanInput {
  const kept = (objects: readonly Desired[]) => objects.filter(object => !isProvided(object));
  const { desired, base, recorded } = input;
  return {
    ...input,
    desired: kept(desired),
    base: kept(base),
    ...(recorded && { recorded: { ...recorded, objects: kept(recorded.objects) } }),
  };
}

interface Found {
  readonly absent: ReadonlySet<Address>;
  readonly blocked: readonly Desired[];
  /** The objects that the other system created, if other objects have the same names. */
  readonly meant: ReadonlyMap<Address, RemoteId>;
}

function foundOf(declared: readonly Desired[], { kinds, snapshot }: PlanInput): Found {
  const absent = new Set<Address>();
  const blocked: Desired[] = [];
  const meant = new Map<Address, RemoteId>();
  for (const object of declared) {
    if (snapshot.unavailable.has(object.kind)) continue;
    const kind = present(kinds.get(object.kind), `the kind ${object.kind}`);
    const address = addressOf(object.kind, object.key);
    const bearers = bearersOf(kind, object.key, snapshot.objects);
    const own = bearers.filter(live => providedLive(kind, live) !== undefined);
    if (own[0] !== undefined && own.length < bearers.length) meant.set(address, own[0].id);
    else if (bearers.length === 0) absent.add(address);
    else if (own.length === 0) blocked.push(object);
  }
  return { absent, blocked, meant };
}

function bearersOf(kind: Kind, key: Key, live: readonly Live[]): readonly Live[] {
  const naming = emptyNaming();
  return live.filter(one => one.kind === kind.name && nameLive(kind, one, naming).key === key);
}

interface WithoutAbsent {
  readonly desired: readonly Desired[];
  readonly waiting: readonly Waiting[];
  readonly absent: ReadonlySet<Address>;
}

/** The declarations that can be written now. If an object refers to an object that is not created yet, it waits too. */
function withoutAbsent(
  input: WaitingInput | PartedInput,
  missing: ReadonlySet<Address>,
): WithoutAbsent {
  const counterparts = counterpartsIn(input);
  const { liveOf } = counterparts;
  const absent = new Set(missing);
  for (;;) {
    const before = absent.size;
    const waiting: Waiting[] = [];
    const desired = input.desired.flatMap(object => {
      const found = judged(object, { input, absent, counterparts });
      if (found === null) return [object];
      waiting.push({ ...found, declared: object });
      if (found.fate === 'not-created')
        for (const key of [object.key, object.part?.whole ?? object.key])
          if (liveOf({ kind: object.kind, key }) === undefined)
            absent.add(addressOf(object.kind, key));
      if (found.object) return [found.object];
      return found.fate === 'held' ? [object] : [];
    });
    if (absent.size === before) return { desired, waiting, absent };
  }
}

function judged(
  object: Desired,
  {
    input,
    absent,
    counterparts: { liveOf, formerOf, isThere },
  }: {
    readonly input: PartedInput;
    readonly absent: ReadonlySet<Address>;
    readonly counterparts: Counterparts;
  },
): WithoutAbsentReferences | null {
  const kind = present(input.kinds.get(object.kind), `the kind ${object.kind}`);
  if (object.lifecycle.delete === true) return null;
  const isAbsent = (address: Address) => absent.has(address);
  const home = kind.parent && object.parent && addressOf(kind.parent, object.parent);
  if (home !== undefined && absent.has(home as Address))
    return { fate: 'not-created', absent: [home as Address], isDenying: false, isOpen: false };
  const live = liveOf(object);
  const narrowing = {
    kind,
    object,
    live,
    former: live && formerOf(object),
    hasBase: input.base.length > 0,
    isAbsent,
    isThere,
  };
  const found = withoutAbsentReferences(narrowing);
  if (found?.fate !== 'held') return found;
  return switchedOff(found, narrowing) ?? asLastApplied(found, narrowing);
}

/** Lookups of the declared objects in the account and in the base. */
interface Counterparts {
  /** The fields of the live object, with references as the files would write them. */
  readonly liveOf: (object: NamedObject) => Fields | undefined;
  /** The fields of the object in the base, in the same form. */
  readonly formerOf: (object: Desired) => Fields | undefined;
  /** Whether the account has an object with this address. */
  readonly isThere: (address: Address) => boolean;
}

function counterpartsIn({
  kinds,
  desired,
  base,
  snapshot,
  settings,
  meant,
}: PartedInput): Counterparts {
  const isMarkedForDeletion = markedForDeletion(desired, kinds);
  const rules = { isMarkedForDeletion, now: settings.now, meant };
  const paired = pairObjects({ kinds, desired, live: snapshot.objects, base }, rules);
  const { pairs, naming } = paired;
  const byAddress = new Map(
    pairs.map(({ desired: { kind, key }, live }) => [addressOf(kind, key), live]),
  );
  const there = new Set(
    snapshot.objects.map(({ kind, id, key }) => addressOf(kind, naming.keyOfId(kind, id) ?? key)),
  );
  return {
    liveOf: ({ kind: name, key }) => {
      const live = byAddress.get(addressOf(name, key as Key));
      const kind = kinds.get(name);
      return live && kind && liveFields(kind, live, naming);
    },
    formerOf: ({ kind: name, key, parent }) => {
      const former = paired.base.get(addressOf(name, key as Key));
      const kind = kinds.get(name);
      // If the files have renamed or moved the object, the base does not count.
      const isSame = former?.key === key && former.parent === parent;
      if (!isSame || kind === undefined) return undefined;
      return canonicalFields(kind.shape, namedFields(kind, former.fields, naming), 'desired');
    },
    isThere: address => there.has(address),
  };
}

/**
 * The settings of the run, without objects that wait as a whole. These objects are neither changed
 * nor deleted.
 */
export function withoutHeld<S extends Pick<PlanSettings, 'select'>>(
  settings: S,
  { waiting }: Waits,
): S {
  const held = waiting.filter(({ fate, object }) => fate === 'held' && object === undefined);
  if (held.length === 0) return settings;
  const { select } = settings;
  const addresses = held.map(({ declared: { kind, key, part } }) =>
    addressOf(kind, part?.whole ?? key),
  );
  return {
    ...settings,
    select: { ...select, held: new Set(addresses).union(select?.held ?? new Set()) },
  };
}

/**
 * Adds the members that another system put into a list. They are never removed, and are always sent
 * back.
 */
function withForeignMembers(input: PartedInput): PartedInput {
  const { kinds, snapshot, desired } = input;
  const keeping = [...kinds.values()].filter(kind => fieldsKeeping(kind).length > 0);
  const names = new Set(keeping.map(({ name }) => name));
  if (!desired.some(({ kind, fields }) => names.has(kind) && Object.keys(fields).length > 0))
    return input;
  const foreign = foreignNames(kinds, snapshot.objects);
  if (foreign.size === 0) return input;
  const { liveOf } = counterpartsIn(input);
  return {
    ...input,
    desired: desired.map(object => {
      const kind = kinds.get(object.kind);
      const live = kind && names.has(object.kind) ? liveOf(object) : undefined;
      return kind && live ? withForeign(object, { kind, live, foreign }) : object;
    }),
  };
}

const fieldsKeeping = ({ shape }: Kind) =>
  [...shape.fields.values()].filter(({ keepsProvided }) => keepsProvided);

function withForeign(
  object: Desired,
  { kind, live, foreign }: { kind: Kind; live: Fields; foreign: ReadonlySet<string> },
): Desired {
  const added = fieldsKeeping(kind).flatMap(({ name, shape }) => {
    const declared = object.fields[name];
    const held = live[name];
    const ref =
      shape.type === 'list' && shape.items.type === 'scalar' ? shape.items.ref : undefined;
    if (!isList(declared) || !isList(held) || ref === undefined) return [];
    const more = held.filter(key => foreign.has(`${ref} ${key}`) && !declared.includes(key));
    return more.length === 0 ? [] : [[name, [...declared, ...more]] as const];
  });
  if (added.length === 0) return object;
  return { ...object, fields: { ...object.fields, ...Object.fromEntries(added) } };
}

// The names of the objects that another system creates. They are the names that live fields
// contain.
function foreignNames(kinds: KindTable, live: readonly Live[]): ReadonlySet<string> {
  return new Set(
    live.flatMap(one => {
      const kind = kinds.get(one.kind);
      if (!kind || providedLive(kind, one) === undefined) return [];
      return [`${one.kind} ${one.key}`, `${one.kind} ${idKey(one.id)}`];
    }),
  );
}

/**
 * The declarations in the form in which an apply records them, without the waiting part. So the
 * waiting part later counts as a pending change in the files, not as a difference in the account.
 */
export function recordedWithout(
  desired: readonly Desired[],
  { waiting }: Waits,
  kinds: KindTable,
): readonly Desired[] {
  const waits = Map.groupBy(waiting, ({ declared: { kind, key, part } }) =>
    addressOf(kind, part?.whole ?? key),
  );
  return desired.flatMap(object => {
    if (isProvided(object)) return [];
    const own = waits.get(addressOf(object.kind, object.key));
    return own === undefined ? [object] : recordedPart(object, own, kinds.get(object.kind));
  });
}

function recordedPart(object: Desired, own: readonly Waiting[], kind: Kind | undefined): Desired[] {
  const [first] = own;
  if (first && first.declared.key === object.key)
    return first.object ? [{ ...object, fields: first.object.fields }] : [];
  const list = kind?.parts?.list ?? '';
  const items = object.fields[list];
  const by = keyFields(kind?.shape.fields.get(list)?.shape) ?? [];
  const left = (isList(items) ? items : []).flatMap(item => {
    const waits = own.find(({ declared }) => declared.part?.item === itemKey(item, by));
    if (waits === undefined) return [item];
    const written = waits.object?.fields[list];
    return isList(written) ? written : [];
  });
  return left.length === 0 ? [] : [{ ...object, fields: { ...object.fields, [list]: left } }];
}

/** The inputs as if another system had created the awaited objects. */
export function asIfArrived(written: PlanInput, absent: ReadonlySet<Address>): PlanInput {
  return {
    ...written,
    desired: written.desired.map(object => {
      if (!isProvided(object) || !absent.has(addressOf(object.kind, object.key))) return object;
      const { isProvided: _, ...made } = object;
      return made;
    }),
  };
}

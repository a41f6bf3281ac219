// All possible sources: the current machines and the future members. Compared states share one
// roster, so an index denotes the same member in all of them.
import type { AccessState, Named } from '../state/accessState.ts';

/**
 * A possible source: a current machine; the future machines that join a group, enrol with a setup
 * key or belong to a user; or the internet.
 */
type MemberType = 'machine' | 'group' | 'setup_key' | 'user' | 'internet';

export interface Member {
  readonly type: MemberType;
  /**
   * The key of the machine, or of the object through which future machines join. It is the key in
   * the last state that contains the object.
   */
  readonly key: string;
  /** The server's id of that object, if it has one. */
  readonly id?: string;
}

/** The members of one or more states. */
export interface Roster {
  readonly members: readonly Member[];
  /** The positions of each state's objects in the roster. */
  readonly positions: readonly Positions[];
}

/** The positions of a state's objects, by `id:<value>` and by key. */
export type Positions = Readonly<Record<MemberType, ReadonlyMap<string, number>>>;

const TYPES: readonly MemberType[] = ['machine', 'group', 'setup_key', 'user', 'internet'];

/**
 * The key of the whole internet, which is a source in states with ports that are open to the internet. Other outsiders have their
 * own names.
 */
export const INTERNET = 'internet';

/**
 * The roster of these states. Two objects are the same if their ids are equal or, if an id is
 * missing, if their keys are equal. `isOpen`: whether another state may have ports that are open to
 * the internet.
 */
export function rosterOf(states: readonly AccessState[], isOpen = false): Roster {
  const members: Member[] = [];
  const positions = states.map(() => new Map<MemberType, ReadonlyMap<string, number>>());
  for (const type of TYPES) {
    const lists = states.map(state => listOf(state, type));
    const { keys, ids, indexes } = matched(lists);
    for (const [at, found] of indexes.entries())
      positions[at]?.set(
        type,
        new Map(found.map(([name, index]) => [name, index + members.length])),
      );
    for (const [at, key] of keys.entries()) {
      const id = ids[at];
      members.push({ type, key, ...(id !== undefined && { id }) });
    }
  }
  const isThere = members.some(({ key }) => key === INTERNET);
  if (isOpen && !isThere) members.push({ type: 'internet', key: INTERNET });
  return { members, positions: positions.map(positionsOf) };
}

/**
 * Matches the objects of several lists. Returns their keys and ids, and for each list the index of
 * each name.
 */
export function matched(lists: readonly (readonly Named[])[]): {
  readonly keys: readonly string[];
  readonly ids: readonly (string | undefined)[];
  readonly indexes: readonly (readonly (readonly [name: string, index: number])[])[];
} {
  const found: Named[] = [];
  const byId = new Map<string, number>();
  const byKey = new Map<string, number>();
  const indexes = lists.map(list => {
    // A new object is not the live object with the same name. The live object may be, for example,
    // a setup key that somebody else created.
    const taken = new Set(list.flatMap(({ id = '' }) => byId.get(id) ?? []));
    // If several objects have the same name, the object without an id keeps it.
    const ordered = list.toSorted((one, other) => Number(!one.id) - Number(!other.id));
    return ordered.flatMap(object => {
      const same = object.id === undefined ? undefined : byId.get(object.id);
      const index = same ?? sameKey(object, found, byKey.get(object.key), taken) ?? found.length;
      taken.add(index);
      found[index] = { ...found[index], ...object };
      byKey.set(object.key, index);
      if (object.id !== undefined) byId.set(object.id, index);
      return namesOf(object).map(name => [name, index] as const);
    });
  });
  const shared = sharedKeys(indexes, found);
  const keys = found.map(({ key, id }) => (shared.has(key) && id !== undefined ? `id:${id}` : key));
  return { keys, ids: found.map(({ id }) => id), indexes };
}

// The keys that several objects of one list share.
function sharedKeys(
  indexes: readonly (readonly (readonly [name: string, index: number])[])[],
  found: readonly Named[],
): ReadonlySet<string> {
  const shared = indexes.flatMap(list => {
    const keys = [...new Set(list.map(([, index]) => index))].map(index => found[index]?.key);
    return keys.filter((key, at) => keys.indexOf(key) !== at);
  });
  return new Set(shared.filter(key => key !== undefined));
}

/** The names by which other objects may refer to an object. */
export function namesOf({ key, id }: Named): readonly string[] {
  return id === undefined ? [key] : [key, `id:${id}`];
}

function sameKey(
  object: Named,
  found: readonly Named[],
  index: number | undefined,
  taken: ReadonlySet<number>,
): number | undefined {
  if (index === undefined || taken.has(index)) return undefined;
  const other = found[index];
  return other?.id === undefined || object.id === undefined ? index : undefined;
}

function listOf(state: AccessState, type: MemberType): readonly Named[] {
  if (type === 'machine') return state.machines;
  if (type === 'group') return state.groups;
  if (type === 'internet')
    return [...new Set(state.internetPorts.map(({ to }) => to.name))].map(key => ({ key }));
  return state.enrolments.filter(({ by }) => by === type);
}

/** The positions of the objects of another state, found by id. All of these objects are already in the roster. */
export function positionsAmong(all: readonly Positions[], state: AccessState): Positions {
  const of = (type: MemberType): [string, number][] =>
    listOf(state, type).flatMap(object => {
      const names = namesOf(object);
      const name = names.at(-1) ?? object.key;
      // An object without an id is new, so the last state is searched first.
      const among = object.id === undefined ? all.toReversed() : all;
      const index = among
        .map(positions => positions[type].get(name))
        .find(one => one !== undefined);
      return index === undefined ? [] : names.map((name): [string, number] => [name, index]);
    });
  return positionsOf(new Map(TYPES.map(type => [type, new Map(of(type))])));
}

const NOWHERE: ReadonlyMap<string, number> = new Map();

function positionsOf(found: ReadonlyMap<MemberType, ReadonlyMap<string, number>>): Positions {
  return {
    machine: found.get('machine') ?? NOWHERE,
    group: found.get('group') ?? NOWHERE,
    setup_key: found.get('setup_key') ?? NOWHERE,
    user: found.get('user') ?? NOWHERE,
    internet: found.get('internet') ?? NOWHERE,
  };
}

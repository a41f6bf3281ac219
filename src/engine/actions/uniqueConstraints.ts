// Unique constraints: values that only one object of an account may hold at a time, such as a unique name or a route.
import { identityName } from '../../kinds/identity/identity.ts';
import type { Kind } from '../../kinds/kind.ts';
import { isEmpty } from '../../kinds/values/canonical.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, Key } from '../../model/names.ts';
import type { Fields } from '../../model/value.ts';
import type { UniqueConstraint } from '../types/draft.ts';
import type { Reach } from './reach.ts';

export interface UniqueConstraints {
  /** The values that no other object may have at the time of the write. */
  readonly needed: ReadonlySet<UniqueConstraint>;
  /** The values that no other object can have after the write. */
  readonly held: ReadonlySet<UniqueConstraint>;
}

/** The unique constraints of an object with these fields. */
export function uniqueConstraintsOf(
  kind: Kind,
  fields: Fields,
  parent: Key | undefined,
  reach: Reach,
): UniqueConstraints {
  const names = nameConstraints(kind, fields, parent).union(apartConstraints(kind, fields));
  if (kind.excludesOthers)
    return aloneConstraints(kind.excludesOthers, names, fields, [kind.name, parent ?? '']);
  if (!kind.conflict) return { needed: names, held: names };
  const { same, pointsAt, amongMembersOf } = kind.conflict;
  return {
    needed: names.union(pathConstraints(kind, { same, by: pointsAt }, fields, reach)),
    held: names.union(pathConstraints(kind, { same, by: amongMembersOf }, fields, reach)),
  };
}

/** The subject of a unique constraint: a name, or a destination and the peer that routes to it. */
export function readUniqueConstraint(
  constraint: UniqueConstraint,
): { name: string } | { alone: string } | { apart: string } | { way: string; by: Address } {
  const [, what, value, last] = JSON.parse(constraint);
  if (what === APART) return { apart: last };
  if (what === ALONE) return { alone: last };
  return what === NAME ? { name: last } : { way: `${what} ${JSON.stringify(value)}`, by: last };
}

// Stands for the name of an object among the field names. No kind has a field with this name.
const NAME = '(name)';
const ALONE = '(alone)';
const APART = '(apart)';

function nameConstraints(
  kind: Kind,
  fields: Fields,
  parent: Key | undefined,
): ReadonlySet<UniqueConstraint> {
  const named = kind.unique ? identityName(kind, fields) : null;
  const name = kind.ignoresCase ? (named?.toLowerCase() ?? null) : named;
  const scope = kind.unique === 'parent' ? (parent ?? '') : '';
  return new Set(name === null ? [] : [JSON.stringify([kind.name, NAME, scope, name])]);
}

// The constraint between two kinds: an object of one kind and an object of the other kind cannot have the same value in certain
// fields.
function apartConstraints(
  { name, differsFrom }: Kind,
  fields: Fields,
): ReadonlySet<UniqueConstraint> {
  const value = differsFrom && fields[differsFrom.field];
  if (!differsFrom || isEmpty(value)) return new Set();
  const held = differsFrom.ignores === 'case' ? String(value).toLowerCase() : value;
  const sides = [`${name}.${differsFrom.field}`, `${differsFrom.kind}.${differsFrom.other}`].sort();
  return new Set([JSON.stringify([sides, APART, '', held])]);
}

// The constraints of an object that excludes all others. It needs all values that the others hold,
// and holds all values that the others need.
function aloneConstraints(
  { same, field, in: excluding }: NonNullable<Kind['excludesOthers']>,
  names: ReadonlySet<UniqueConstraint>,
  fields: Fields,
  place: readonly string[],
): UniqueConstraints {
  const [kind, parent] = place;
  const values = same.map(name => String(fields[name] ?? '')).join(' ');
  const constraint = (what: 'any' | 'one') =>
    JSON.stringify([kind, ALONE, [parent, what], values.toLowerCase()]);
  const isAlone = excluding.includes(String(fields[field] ?? ''));
  return {
    needed: names.union(new Set([constraint(isAlone ? 'any' : 'one')])),
    held: names.union(
      new Set(isAlone ? [constraint('any'), constraint('one')] : [constraint('any')]),
    ),
  };
}

// The constraints of routes: two routes to one destination must not share a routing peer, not even through groups
// (docs/server-behaviour.md#routes).
function pathConstraints(
  kind: Kind,
  { same, by }: { readonly same: readonly string[]; readonly by: readonly string[] },
  fields: Fields,
  reach: Reach,
): ReadonlySet<UniqueConstraint> {
  const way = chosen(same, fields);
  const field = kind.shape.fields.get(chosen(by, fields) ?? '');
  if (way === undefined || !field) return new Set();
  const pointed = refsIn(field.shape, fields[field.name]);
  const reached = pointed.flatMap(ref => [...reach(addressOf(ref.kind, ref.key as Key))]);
  const constraint = (address: Address) =>
    JSON.stringify([kind.name, way, fields[way] ?? null, address]);
  return new Set(reached.map(constraint));
}

const chosen = (names: readonly string[], fields: Fields): string | undefined =>
  names.find(name => !isEmpty(fields[name]));

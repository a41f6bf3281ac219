// Derives the preconditions of each action from the account that the plan was made for.
import { cascadesOf, isSeen, kindsInCascade } from '../../kinds/dialect/cascades.ts';
import { exactIdentity } from '../../kinds/identity/identity.ts';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { hasHidden, hiddenPaths } from '../../kinds/values/hidden.ts';
import { mapFieldRefs } from '../../kinds/values/refs.ts';
import { holdsAddress } from '../../kinds/values/secretHosts.ts';
import { idInKey, idKey } from '../../model/key.ts';
import type { Key, KindName, RemoteId } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import type {
  Absent,
  SeenChildren,
  Unchanged,
  UnchangedWhole,
  UpdateAction,
} from '../../model/plan.ts';
import { pathName } from '../../model/text/pathName.ts';
import { type Fields, valueAt } from '../../model/value.ts';
import { deleteScope, digest, type IdOf, updateScope } from '../diff/digest.ts';
import { cascadeOf, deletedWith } from '../pruning/cascades.ts';

/** Derives preconditions from the live objects of one plan. */
export interface Preconditions {
  readonly ofCreate: (kind: Kind, fields: Fields, parent: Key | undefined) => Absent;
  readonly ofUpdate: (
    kind: Kind,
    idFields: Fields,
    sent: Pick<UpdateAction, 'fields' | 'members' | 'moving'>,
  ) => Unchanged;
  readonly ofDelete: (kind: Kind, live: Live) => UnchangedWhole;
  /** The number of lists that must be read to verify that a cascade deletes only objects that the plan saw. */
  readonly cascadeReads: (kind: Kind, seen: UnchangedWhole) => number;
}

/** The inputs of preconditions. */
export interface PreconditionInput {
  readonly kinds: KindTable;
  readonly objects: readonly Live[];
  /** Kinds that could not be read, each with the reason. The objects of these kinds are unknown. */
  readonly unavailable: ReadonlyMap<KindName, string>;
  readonly kind: (name: KindName) => Kind;
  readonly idOf: IdOf;
  /** Web addresses whose host is secret too. */
  readonly secretHosts: ReadonlySet<string>;
}

/** Derives the preconditions of an action from the account as the plan saw it. */
export function preconditionsOf(input: PreconditionInput): Preconditions {
  const { objects, kind: kindOf, idOf, secretHosts } = input;
  const hosts = (kind: Kind, ...fields: readonly Fields[]) =>
    fields.some(one => holdsAddress(kind, one, secretHosts)) ? 'secret' : 'shown';
  const wholeDigest = (kind: Kind, { idFields }: Live): string =>
    digest(kind, idFields, deleteScope(kind), hosts(kind, idFields));
  const named = indexOf(objects, kindOf);
  const childrenOf = childrenSeen(input, wholeDigest);
  return {
    ofCreate: (kind, fields, parent) => {
      const parentId = kind.parent && parent !== undefined ? idOf(kind.parent, parent) : undefined;
      const isParentNew = kind.parent !== undefined && parentId === undefined;
      const name = isParentNew ? null : nameInIds(kind, fields, idOf);
      const except = name === null ? [] : named(kind.name, parentId, name);
      return { type: 'absent', except: except.map(({ id }) => id).sort() };
    },
    ofUpdate: (kind, idFields, sent) => {
      const scope = updateScope(kind, sent, idOf);
      const equal = hiddenAsDeclared(kind, idFields, sent.fields);
      return {
        type: 'unchanged',
        digest: digest(kind, idFields, scope, hosts(kind, idFields, sent.fields)),
        ...(equal.length > 0 && { as_declared: equal }),
      };
    },
    ofDelete: (kind, live) => ({
      type: 'unchanged',
      digest: wholeDigest(kind, live),
      children: childrenOf(kind, live),
    }),
    cascadeReads: (kind, seen) => looksAlong(kind, seen.children, kindOf),
  };
}

/**
 * Returns a function that lists the objects that the server deletes together with an object, by
 * kind. Kinds that could not be read are left out.
 */
function childrenSeen(
  { kinds, objects, unavailable, kind: kindOf }: Omit<PreconditionInput, 'idOf' | 'secretHosts'>,
  wholeDigest: (kind: Kind, live: Live) => string,
): (kind: Kind, live: Live) => SeenChildren[] {
  const takes = deletedWith(objects, kindOf);
  return (kind, live) => {
    const along = Map.groupBy(cascadeOf([live], takes).keys(), one => one.kind);
    return kindsInCascade(kinds, kind)
      .filter(({ name }) => !unavailable.has(name))
      .map(child => ({
        kind: child.name,
        objects: (along.get(child.name) ?? [])
          .map(one => ({ id: one.id, digest: wholeDigest(child, one) }))
          .sort((a, b) => (a.id < b.id ? -1 : 1)),
      }));
  };
}

function looksAlong(
  root: Kind,
  seen: readonly SeenChildren[],
  kindOf: PreconditionInput['kind'],
): number {
  const counts = new Map([[root, 1]]);
  return seen.reduce((sum, { kind, objects }) => {
    const child = kindOf(kind);
    const lists = [...counts].flatMap(([taker, count]) =>
      cascadesOf(taker, taker !== root)
        .filter(cascade => cascade.kind === kind && isSeen(cascade, child))
        .map(({ by }) => (by === undefined ? count : Math.min(count, 1))),
    );
    counts.set(child, objects.length);
    return lists.reduce((all, one) => all + one, sum);
  }, 0);
}

// The paths of secrets that no digest covers, if the account had the declared value at the path.
function hiddenAsDeclared(kind: Kind, idFields: Fields, sent: Fields): string[] {
  if (!hasHidden(kind)) return [];
  const live = canonicalFields(kind.shape, idFields, 'live');
  return hiddenPaths(kind.shape, sent)
    .filter(({ path, text }) => valueAt(live, path) === text)
    .map(({ path }) => pathName(path));
}

type Index = (kind: KindName, parentId: RemoteId | undefined, name: string) => readonly Live[];

// Live objects by their identity in id space. The index is built for one kind at a time, because most plans create objects of few
// kinds.
function indexOf(objects: readonly Live[], kindOf: PreconditionInput['kind']): Index {
  const byKind = Map.groupBy(objects, ({ kind }) => kind);
  const known = new Map<KindName, ReadonlyMap<string, readonly Live[]>>();
  const key = (parentId: RemoteId | undefined, name: string | null) => `${parentId} ${name}`;
  return (name, parentId, identity) => {
    const { shape } = kindOf(name);
    const index =
      known.get(name) ??
      Map.groupBy(byKind.get(name) ?? [], live =>
        key(
          live.parentId,
          exactIdentity(kindOf(name), canonicalFields(shape, live.idFields, 'live')),
        ),
      );
    known.set(name, index);
    return index.get(key(parentId, identity)) ?? [];
  };
}

// The identity of an object in id space. Null if the identity refers to an object that the account
// does not have yet, because then no object of the account has this identity. References in other
// fields do not matter.
function nameInIds(kind: Kind, fields: Fields, idOf: IdOf): string | null {
  const named = new Set(kind.identity.flat().map(path => path.split('.')[0] ?? path));
  const own = Object.fromEntries(Object.entries(fields).filter(([field]) => named.has(field)));
  let isKnown = true;
  const inIds = mapFieldRefs(kind, own, (ref, key) => {
    const id = idInKey(key) ?? idOf(ref, key);
    if (id === undefined) isKnown = false;
    return id === undefined ? key : idKey(id);
  });
  return isKnown ? exactIdentity(kind, canonicalFields(kind.shape, inIds, 'desired')) : null;
}

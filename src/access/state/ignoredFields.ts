// Fields in `lifecycle.ignore` that affect access. An apply does not change them in the account, so
// the files do not show which access they give.
import type { Desired } from '../../model/object.ts';
import type { ObjectEdit } from '../../model/objectEdit.ts';
import type { Policy, Route } from './accessState.ts';

const OF_POLICIES: Readonly<Record<string, (live: Policy) => Partial<Policy>>> = {
  enabled: ({ isEnabled }) => ({ isEnabled }),
  source_posture_checks: ({ checks }) => ({ checks }),
  rules: ({ rules }) => ({ rules }),
};

const OF_ROUTES: Readonly<Record<string, (live: Route) => Partial<Route>>> = {
  enabled: ({ isEnabled }) => ({ isEnabled }),
  network: ({ addresses }) => ({ addresses }),
  domains: ({ addresses }) => ({ addresses }),
  peer: ({ servers }) => ({ servers }),
  peer_groups: ({ servers }) => ({ servers }),
  groups: ({ distribution }) => ({ distribution }),
  access_control_groups: ({ accessControl }) => ({ accessControl }),
};

const OF_KINDS = new Map<string, Readonly<Record<string, unknown>>>([
  ['policy', OF_POLICIES],
  ['route', OF_ROUTES],
]);

/**
 * The fields of a policy or a route on which its access depends and that an apply does not change.
 */
export const ignoredAccess = ({ kind, lifecycle }: Desired): readonly string[] =>
  (lifecycle.ignore ?? []).filter(name => name in (OF_KINDS.get(kind) ?? {}));

/** By kind, the fields that determine which machines and network resources are in a group. */
const OF_MEMBERS = new Map([
  ['group', ['peers', 'resources']],
  ['network_resource', ['groups']],
]);

const ignoredMembers = ({ kind, lifecycle }: Desired): readonly string[] =>
  (lifecycle.ignore ?? []).filter(name => OF_MEMBERS.get(kind)?.includes(name));

/**
 * The objects without the fields that determine who is in a group and that an apply does not
 * change.
 */
export function withoutIgnoredMembers(objects: readonly Desired[]): readonly Desired[] {
  return objects.map(object => {
    const ignored = ignoredMembers(object);
    if (ignored.length === 0) return object;
    const kept = Object.entries(object.fields).filter(([name]) => !ignored.includes(name));
    return { ...object, fields: Object.fromEntries(kept) };
  });
}

/**
 * Whether the account determines to which groups network resources belong, or which groups are
 * access-control groups of a route.
 */
export const isRoutingIgnored = (objects: readonly Desired[]): boolean =>
  objects.some(({ kind, lifecycle }) =>
    (lifecycle.ignore ?? []).some(name => name === OF_ROUTING.get(kind)),
  );

const OF_ROUTING = new Map([
  ['group', 'resources'],
  ['network_resource', 'groups'],
  ['route', 'access_control_groups'],
]);

/** The live values of the ignored fields. */
export interface IgnoredFields {
  /**
   * Returns the values that a live policy keeps. `key`: the key of the declared policy, in the form
   * of the server.
   */
  readonly ofPolicy: (key: string, live: Policy) => Partial<Policy>;
  readonly ofRoute: (key: string, live: Route) => Partial<Route>;
}

/** The ignored fields of declared objects, in the form of the server. */
export function ignoredFieldsOf(objects: readonly Desired[]): IgnoredFields {
  const ignored = new Map(
    objects.map(object => [`${object.kind} ${object.key}`, ignoredAccess(object)]),
  );
  const kept = <T>(values: Readonly<Record<string, (live: T) => Partial<T>>>, kind: string) => {
    return (key: string, live: T): Partial<T> =>
      Object.assign({}, ...(ignored.get(`${kind} ${key}`) ?? []).map(name => values[name]?.(live)));
  };
  return { ofPolicy: kept(OF_POLICIES, 'policy'), ofRoute: kept(OF_ROUTES, 'route') };
}

/**
 * Whether an apply carries out an edit, with a result in the account that is known in advance. An
 * edit of an ignored field has no effect. If an edit removes an item of an object, the server may
 * keep that item as a separate object.
 */
export function isApplied({ object, path, fields }: ObjectEdit): boolean {
  const ignored = ignoredAccess(object);
  const [name] = path;
  if (ignored.length === 0 || (name === undefined && fields === undefined)) return true;
  if (name !== undefined) return fields !== undefined && !ignored.includes(name);
  return !Object.keys(fields ?? {}).some(field => ignored.includes(field));
}

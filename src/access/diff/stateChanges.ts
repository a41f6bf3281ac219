// The objects of an account that differ between two states, if the difference may affect access. Names are ignored.
import equal from 'fast-deep-equal';
import type {
  AccessState,
  Enrolment,
  Group,
  InternetPort,
  Machine,
  Named,
  Network,
  Policy,
  PostureCheck,
  Resource,
  Route,
  Router,
  Zone,
} from '../state/accessState.ts';

/** An object in two states; absent for a state without the object. */
interface Versions<T> {
  readonly was?: T;
  readonly is?: T;
}

export type StateChange =
  | (Versions<Machine> & { readonly type: 'machine' })
  | (Versions<Group> & { readonly type: 'group' })
  | (Versions<Enrolment> & { readonly type: 'enrolment' })
  | (Versions<Policy> & { readonly type: 'policy' })
  | (Versions<PostureCheck> & { readonly type: 'check' })
  | (Versions<Resource> & { readonly type: 'resource'; readonly network: string })
  | (Versions<Router> & { readonly type: 'router'; readonly network: string })
  | (Versions<Route> & { readonly type: 'route' })
  | (Versions<Zone> & { readonly type: 'zone' })
  | (Versions<InternetPort> & { readonly type: 'internet' });

/** The differences between two states. Identical lists are skipped. */
export function changesBetween(was: AccessState, is: AccessState): readonly StateChange[] {
  return [
    ...changed(was.machines, is.machines).map(one => ({ type: 'machine' as const, ...one })),
    ...changed(was.groups, is.groups).map(one => ({ type: 'group' as const, ...one })),
    ...changed(was.enrolments, is.enrolments).map(one => ({ type: 'enrolment' as const, ...one })),
    ...changed(was.policies, is.policies).map(one => ({ type: 'policy' as const, ...one })),
    ...changed(was.checks, is.checks).map(one => ({ type: 'check' as const, ...one })),
    ...changed(was.networks, is.networks).flatMap(inNetwork),
    ...changed(was.routes, is.routes).map(one => ({ type: 'route' as const, ...one })),
    ...changed(was.zones, is.zones).map(one => ({ type: 'zone' as const, ...one })),
    ...changed(was.internetPorts, is.internetPorts).map(one => ({
      type: 'internet' as const,
      ...one,
    })),
  ];
}

function inNetwork({ was, is }: Versions<Network>): StateChange[] {
  const network = is ?? was;
  if (network === undefined) return [];
  const at = { network: nameOf(network) };
  const resources = changed(was?.resources ?? [], is?.resources ?? []);
  const routers = changed(was?.routers ?? [], is?.routers ?? []);
  return [
    ...resources.map(one => ({ type: 'resource' as const, ...at, ...one })),
    ...routers.map(one => ({ type: 'router' as const, ...at, ...one })),
  ];
}

/** The value that identifies an object in its list. */
export const nameOf = ({ id, key }: Named): string => id ?? key;

/**
 * The differences between two versions of a list. Each pair is one object; the missing version is
 * absent.
 */
export function changed<T extends Named>(was: readonly T[], is: readonly T[]): Versions<T>[] {
  if (was === is) return [];
  const nameIn = (one: T) => ('by' in one ? `${String(one.by)} ${nameOf(one)}` : nameOf(one));
  const [old, fresh] = [was, is].map(list => new Map(list.map(one => [nameIn(one), one])));
  if (!old || !fresh) return [];
  const names = [...new Set([...old.keys(), ...fresh.keys()])];
  return names.flatMap(name => {
    const one = old.get(name);
    const other = fresh.get(name);
    if (one === other || (one && other && areAlike(one, other))) return [];
    return [{ ...(one && { was: one }), ...(other && { is: other }) }];
  });
}

// Most objects of a large account are equal in both states. The order of lists of references is ignored.
const areAlike = (one: Named, other: Named): boolean =>
  equal({ ...one, key: '' }, { ...other, key: '' }) || textOf(one) === textOf(other);

function textOf({ key: _, ...object }: Named): string {
  return JSON.stringify(object, (name, value) =>
    name === 'groups' || name === 'machines' ? [...value].sort() : value,
  );
}

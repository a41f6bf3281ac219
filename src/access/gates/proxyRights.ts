// The owners of the proxies of services. They see the requests of callers, and can change and
// answer them. The callers gain nothing, so the change is a right. A plan gives this right in three
// cases: an existing service moves to other proxies, a new service on other proxies replaces it, or
// other services lead to guarded targets.
import type { AccessGuards } from '../../model/access/accessGates.ts';
import type { RightEntry } from '../../model/access/planAccess.ts';
import type { ShownChange } from '../../model/change.ts';
import type { Live } from '../../model/object.ts';
import type { Plan } from '../../model/plan.ts';
import { nameText } from '../../model/text/visible.ts';
import { type Fields, isObject } from '../../model/value.ts';
import { accountAfter } from '../plan/accountAfter.ts';
import type { Comparison, PlannedAccount } from '../plan/comparison.ts';
import { SERVICE } from '../state/services.ts';
import { flagIn, objectsIn, type StateObject, textIn } from '../state/stateObject.ts';
import { guardedAt, isOfService } from './servedTargets.ts';

/** The kind whose objects decide which cluster serves a domain. */
const CLUSTER = 'proxy_cluster';
const DOMAIN = 'proxy_domain';

const DOMAIN_KINDS: ReadonlySet<string> = new Set([CLUSTER, DOMAIN]);

/** The kinds that must be read if changes give services other domains. A new service matters only if something is guarded. */
export const kindsOfDomains = (
  changes: readonly ShownChange[],
  isGuarded: boolean,
): ReadonlySet<string> => (isConcerned(changes, isGuarded) ? DOMAIN_KINDS : new Set());

// A new service may replace one that the plan deletes.
function isConcerned(changes: readonly ShownChange[], isGuarded: boolean): boolean {
  const deletes = changes.some(({ kind, type }) => kind === SERVICE && type === 'delete');
  return changes.some(one => takesDomain(one) && (isGuarded || deletes || one.type !== 'create'));
}

/** The rights to forward requests that a plan gives to the owners of other proxies. */
export function proxyRights(
  { stateBefore, stateAfter }: Comparison,
  { kinds, live, plan }: PlannedAccount & { readonly plan: Pick<Plan, 'changes'> },
  guarded: AccessGuards['guarded'],
): readonly RightEntry[] {
  if (!isConcerned(plan.changes, guarded.length > 0)) return [];
  const placed = plan.changes.filter(takesDomain);
  const clusterOf = clustersIn(accountAfter(kinds, live, plan).objects);
  const services = live.filter(({ kind }) => kind === SERVICE);
  const present = (one: Live) =>
    textIn(one.serverFields, 'proxy_cluster') || clusterOf(textIn(one.fields, 'domain'));
  const servedBy = (some: readonly Live[]) => {
    const ports = stateBefore.internetPorts.filter(port =>
      some.some(one => isOfService(one)(port)),
    );
    return guardedAt(stateBefore, ports, guarded);
  };
  const gone = new Set(
    plan.changes.flatMap(({ kind, type, id }) =>
      kind === SERVICE && type === 'delete' && id !== undefined ? [String(id)] : [],
    ),
  );
  const deleted = services.filter(({ id }) => gone.has(id));
  return placed.flatMap((change): RightEntry[] => {
    const cluster = clusterOf(textIn(change.after ?? {}, 'domain'));
    const own = services.find(({ id, key }) => id === change.id || key === change.key);
    if (own && cluster !== undefined && present(own) === cluster) return [];
    const targets = guardedAt(
      stateAfter,
      stateAfter.internetPorts.filter(isOfService(change)),
      guarded,
    );
    // If no service led to the target before, the plan opens it. The plan lists that as gained access, not as a right.
    const before = servedBy(own ? [own] : services);
    const same = own ? [] : servedBy(services.filter(one => present(one) === cluster));
    const name = cluster === undefined ? 'another cluster' : nameText(cluster);
    const led = targets.filter(to => before.includes(to) && !same.includes(to));
    const places = placesOf(change.after ?? {});
    const replaced = own
      ? [own]
      : deleted.filter(one => !places.isDisjointFrom(placesOf(one.fields)));
    // Proxies forward nothing for a disabled service. Enabling it opens its targets, which is a gain of access.
    const former = isEnabled(change.after ?? {})
      ? replaced.filter(one => isEnabled(one.fields))
      : [];
    const isMoved = former.length > 0 && former.every(one => present(one) !== cluster);
    if (isMoved && led.length === 0 && cluster !== undefined) {
      const others = new Set(former.map(one => nameText(present(one) ?? 'another cluster')));
      const message = `the proxies of ${name} forward its requests, instead of those of ${[...others].join(' and ')}`;
      return [{ object: change.address, right: 'forwarding', message }];
    }
    return led.map(to => ({
      object: change.address,
      right: 'forwarding',
      message: `the proxies of ${name} forward requests to ${nameText(to)}, which is guarded`,
    }));
  });
}

const isEnabled = (fields: Fields): boolean => flagIn(fields, 'enabled', true);

// The targets of a service, as strings that are the same for equal targets.
const placesOf = (fields: Fields): ReadonlySet<string> =>
  new Set(
    objectsIn(fields, 'targets').map(({ target = null, host = null }) =>
      JSON.stringify([target, isObject(target) && 'peer' in target ? null : host]),
    ),
  );

function takesDomain({ kind, type, fields }: ShownChange): boolean {
  if (kind !== SERVICE || type === 'delete') return false;
  return type !== 'update' || fields.some(({ path: [name] }) => name === 'domain');
}

// Finds the cluster for a domain. The address of a cluster takes precedence over declared domains;
// among declared domains, the longest match counts.
function clustersIn(objects: readonly StateObject[]): (domain: string) => string | undefined {
  const textsOf = (kind: string, name: string) =>
    objects.flatMap(one => (one.kind === kind ? [[one, textIn(one.fields, name)] as const] : []));
  const addresses = textsOf(CLUSTER, 'address').map(([, address]) => [address, address] as const);
  const domains = textsOf(DOMAIN, 'domain')
    .map(([one, domain]) => [domain, textIn(one.fields, 'target_cluster')] as const)
    .sort(([one], [other]) => other.length - one.length);
  return domain =>
    [...addresses, ...domains].find(
      ([end]) => end !== '' && (domain === end || domain.endsWith(`.${end}`)),
    )?.[1];
}

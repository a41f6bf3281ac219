// Services that the reverse proxy publishes (docs/server-behaviour.md#reverse-proxy).

import { type Environment, randomBelow } from '../environment.ts';
import { objectId } from '../ids/new-object.ts';
import type { ProxyServiceRecord } from '../records/proxy.ts';
import { done, ok } from '../request/answer.ts';
import type { ApiRequest, Handlers } from '../request/handler.ts';
import { conflict, invalid, precondition, Refusal } from '../request/refusal.ts';
import { type Account, openAccount } from '../store/account.ts';
import { timestamp } from '../time/times.ts';
import { activeClusters, clusterAt } from './clusters.ts';
import { BODY, isLocked, modeOf, port16, type ServiceBody, written } from './service-body.ts';
import { refuseService } from './service-checks.ts';
import { serviceMeta, serviceView } from './service-view.ts';

/** The first and the last port from which the server chooses. */
const FIRST_PORT = 10_000;
const LAST_PORT = 49_151;

export const proxyServices: Handlers = {
  listProxyServices: account =>
    ok(account.proxyServices.all().map(service => serviceView(account, service))),

  createProxyService: (account, request, environment) => {
    const body = request.body(BODY, refuseService);
    const cluster = clusterFor(account, body.domain);
    if (cluster === undefined) throw precondition(noCluster(account, body.domain));
    refuseBare(account, body.domain, cluster);
    refuseTargets(account, body);
    refuseEmptyHeaders(body, undefined);
    refuseTaken(account, body.domain);
    const service = {
      id: objectId(account.proxyServices, environment),
      ...written(body, undefined),
      ...ports(account, { body, cluster, before: undefined }, environment),
      proxy_cluster: cluster,
      created_at: timestamp(environment.clock),
      source: 'permanent',
    };
    account.proxyServices.put(service);
    log(account, 'create', { ...service, source: '' });
    return ok(serviceView(account, service));
  },

  getProxyService: (account, request) =>
    ok(serviceView(account, find(account, request, 'failed to get service: service'))),

  updateProxyService: (account, request, environment) => {
    const body = request.body(BODY, refuseService);
    const before = find(account, request);
    const mode = modeOf(body);
    if (mode !== before.mode)
      throw invalid(`cannot change mode from "${before.mode}" to "${mode}"`);
    // A service stays on its cluster if its new domain belongs to no cluster.
    const isMoved = body.domain !== before.domain;
    const cluster =
      (isMoved ? clusterFor(account, body.domain) : undefined) ?? before.proxy_cluster;
    if (isMoved) refuseBare(account, body.domain, cluster);
    refuseTargets(account, body);
    refuseEmptyHeaders(body, before);
    refuseTaken(account, body.domain, before.id);
    const service = {
      ...before,
      ...written(body, before),
      ...ports(account, { body, cluster, before }, environment),
      proxy_cluster: cluster,
      source: '',
    };
    account.proxyServices.put(service);
    log(account, 'update', service);
    return ok(serviceView(account, service));
  },

  deleteProxyService: (account, request) => {
    const service = find(account, request);
    account.proxyServices.remove(service.id);
    log(account, 'delete', service);
    return done();
  },
};

function find(account: Account, request: ApiRequest, what = 'service'): ProxyServiceRecord {
  const id = request.path('serviceId');
  const service = account.proxyServices.get(id);
  if (service === undefined) throw new Refusal(404, `${what} ${id} not found`);
  return service;
}

/**
 * The address of the cluster of a domain: the domain ends with the address of the cluster, or belongs to a domain that the
 * account has added. Undefined if there is none.
 */
export function clusterFor(account: Account, domain: string): string | undefined {
  const isIn = (zone: string) => domain === zone || domain.endsWith(`.${zone}`);
  const free = activeClusters(account).find(({ address }) => isIn(address));
  if (free !== undefined) return free.address;
  const [longest] = account.proxyDomains
    .all()
    .filter(one => one.domain !== '' && isIn(one.domain))
    .toSorted((one, other) => other.domain.length - one.domain.length);
  return longest?.target_cluster;
}

function noCluster(account: Account, domain: string): string {
  const reason =
    activeClusters(account).length === 0
      ? 'no proxy clusters available'
      : `domain ${domain} does not match any available cluster`;
  return `could not derive cluster from domain ${domain}: ${reason}`;
}

function refuseBare(account: Account, domain: string, cluster: string): void {
  if (domain === cluster && clusterAt(account, cluster)?.abilities.require_subdomain)
    throw invalid(`domain ${domain} requires a subdomain label`);
}

function refuseTargets(account: Account, { targets }: ServiceBody): void {
  for (const { target_type, target_id } of targets) {
    if (target_type === 'cluster') continue;
    if (target_type === 'peer') {
      if (account.peers.get(target_id) === undefined)
        throw invalid(`peer target "${target_id}" not found in account`);
      continue;
    }
    const resource = account.resources.get(target_id);
    if (resource === undefined)
      throw invalid(`resource target "${target_id}" not found in account`);
    if (resource.type !== target_type)
      throw invalid(
        `target "${target_id}" has target_type "${target_type}" but resource is of type "${resource.type}"`,
      );
  }
}

/** Refuses an enabled header with an empty value, unless the service already has this header and so keeps its former value. */
function refuseEmptyHeaders(body: ServiceBody, before: ProxyServiceRecord | undefined): void {
  const known = before?.auth.headers.map(({ header }) => header.toLowerCase()) ?? [];
  for (const [index, { enabled, header, value }] of body.auth.header_auths.entries())
    if (enabled && value === '' && !known.includes(header.toLowerCase()))
      throw invalid(`header_auths[${index}]: value is required`);
}

/** Refuses a domain that another service of the server has. */
function refuseTaken({ installation }: Account, domain: string, own?: string): void {
  const { accounts, rows } = installation;
  const isTaken = accounts
    .all()
    .flatMap(({ id }) => openAccount(rows, id).proxyServices.all())
    .some(service => service.domain === domain && service.id !== own);
  if (isTaken) throw conflict('domain already taken');
}

interface Placed {
  readonly body: ServiceBody;
  readonly cluster: string;
  readonly before: ProxyServiceRecord | undefined;
}

/** The port of a service: none, the requested port, the current port, or a port that the server chooses. */
function ports(account: Account, { body, cluster, before }: Placed, environment: Environment) {
  const mode = modeOf(body);
  const wanted = port16(body.listen_port);
  if (mode === 'http') return { listen_port: 0, port_auto_assigned: false };
  if (mode === 'tls') return { listen_port: wanted, port_auto_assigned: false };
  if (wanted === 0 && before !== undefined)
    return { listen_port: before.listen_port, port_auto_assigned: before.port_auto_assigned };
  const others = servicesOn(account, cluster).filter(
    one => one.mode === mode && one.id !== before?.id,
  );
  if (wanted === 0) {
    const taken = others.map(({ listen_port }) => listen_port);
    return { listen_port: freePort(taken, environment), port_auto_assigned: true };
  }
  if (
    wanted !== before?.listen_port &&
    !clusterAt(account, cluster)?.abilities.supports_custom_ports
  )
    throw invalid(`custom ports not supported on cluster ${cluster}`);
  const holder = others.find(({ listen_port }) => listen_port === wanted);
  if (holder !== undefined)
    throw conflict(
      `${mode} port ${wanted} is already in use by service "${holder.name}" on cluster ${cluster}`,
    );
  return { listen_port: wanted, port_auto_assigned: false };
}

function servicesOn({ installation }: Account, cluster: string): readonly ProxyServiceRecord[] {
  const { accounts, rows } = installation;
  return accounts
    .all()
    .flatMap(({ id }) => openAccount(rows, id).proxyServices.all())
    .filter(({ proxy_cluster }) => proxy_cluster === cluster);
}

function freePort(taken: readonly number[], { random }: Environment): number {
  const count = LAST_PORT - FIRST_PORT + 1;
  const start = randomBelow(random, count);
  for (let step = 0; step < count; step += 1) {
    const port = FIRST_PORT + ((start + step) % count);
    if (!taken.includes(port)) return port;
  }
  throw precondition('the cluster has no free port');
}

function log(
  account: Account,
  what: 'create' | 'update' | 'delete',
  service: ProxyServiceRecord,
): void {
  const meta = serviceMeta(service, isLocked(service.auth));
  account.log({ code: `service.${what}`, target: service.id, meta });
}

// Controls for the reverse proxy: clusters that connect, and services that machines publish by themselves.

import { fqdn } from '../audit/object-meta.ts';
import { choosing, objectId } from '../ids/new-object.ts';
import { serviceMeta, serviceView } from '../proxy/service-view.ts';
import { clusterFor } from '../proxy/services.ts';
import type { PeerRecord } from '../records/peers.ts';
import type { ProxyServiceRecord } from '../records/proxy.ts';
import { ok } from '../request/answer.ts';
import { flag, object, optional, text, whole } from '../request/body.ts';
import { invalid, notFound, precondition } from '../request/refusal.ts';
import { settingsOf } from '../store/account.ts';
import { timestamp } from '../time/times.ts';
import type { Control } from './control.ts';

const CLUSTER = object({
  id: optional(text),
  address: text,
  shared: flag,
  online: optional(flag),
  connected_proxies: optional(whole),
  private: optional(flag),
  require_subdomain: optional(flag),
  supports_crowdsec: optional(flag),
  supports_custom_ports: optional(flag),
});

/**
 * Connects a cluster of the account or of the operator, or changes the cluster at its address. Abilities that are left out count
 * as not reported. Responds with the cluster.
 */
export const connectCluster: Control = ({ account, environment, body }) => {
  const { id, address, shared, online = true, connected_proxies = 1, ...abilities } = body(CLUSTER);
  if (address === '') throw invalid('a cluster needs an address');
  const { proxyClusters } = account.installation;
  const owner = shared ? '' : account.id;
  const before = proxyClusters.all().find(one => one.address === address && one.account === owner);
  const cluster = {
    id: before?.id ?? objectId(proxyClusters, choosing(environment, { id })),
    address,
    account: owner,
    online,
    connected_proxies,
    abilities: Object.fromEntries(
      Object.entries(abilities).filter(([, value]) => value !== undefined),
    ),
  };
  proxyClusters.put(cluster);
  return ok({ id: cluster.id, address, online, connected_proxies, ...cluster.abilities });
};

const EXPOSED = object({ domain: text, port: whole });

/** The fields of every service that a machine publishes. */
const OPEN_SERVICE = {
  enabled: true,
  mode: 'http',
  listen_port: 0,
  port_auto_assigned: false,
  private: false,
  access_groups: [],
  pass_host_header: false,
  rewrite_redirects: false,
  auth: { password: null, pin: null, bearer: null, headers: [] },
  restrictions: {
    allowed_cidrs: [],
    blocked_cidrs: [],
    allowed_countries: [],
    blocked_countries: [],
    crowdsec_mode: '',
  },
  source: 'ephemeral',
} as const satisfies Partial<ProxyServiceRecord>;

const targetOn = ({ id }: PeerRecord, port: number): ProxyServiceRecord['targets'][number] => ({
  target_id: id,
  target_type: 'peer',
  host: '',
  port,
  protocol: 'http',
  path: null,
  enabled: true,
  options: {
    skip_tls_verify: false,
    request_timeout: '0',
    session_idle_timeout: '0',
    path_rewrite: '',
    custom_headers: {},
    direct_upstream: false,
    proxy_protocol: false,
  },
});

/** Publishes a port of a machine as a service, as the machine does by itself. Responds with the service. */
export const exposeService: Control = ({ account, environment, path, body }) => {
  const { domain, port } = body(EXPOSED);
  const peer = account.peers.get(path('peerId'));
  if (peer === undefined) throw notFound('peer', path('peerId'));
  const { peer_expose_enabled, peer_expose_groups } = settingsOf(account);
  const groups = account.groups.all().filter(({ peers }) => peers.includes(peer.id));
  if (!peer_expose_enabled || !groups.some(({ id }) => peer_expose_groups?.includes(id)))
    throw precondition(`peer ${peer.id} may not publish services`);
  const cluster = clusterFor(account, domain);
  if (cluster === undefined) throw precondition(`domain ${domain} leads to no cluster`);
  const service: ProxyServiceRecord = {
    ...OPEN_SERVICE,
    id: objectId(account.proxyServices, environment),
    name: peer.name,
    domain,
    proxy_cluster: cluster,
    targets: [targetOn(peer, port)],
    created_at: timestamp(environment.clock),
  };
  account.proxyServices.put(service);
  account.log({
    code: 'service.peer.expose',
    target: service.id,
    meta: {
      ...serviceMeta(service, false),
      peer_name: fqdn(account, peer),
      peer_ip: peer.ip,
    },
    initiator: peer.id,
  });
  return ok(serviceView(account, service));
};

// One of everything that only dialect `netbird` has, and a good body for each operation on it.
import { type Emulated, idOf } from '../emulated.ts';
import type { Further } from '../fixture.ts';

const PROXY = '/api/reverse-proxies';

/** Settings as an update needs them. */
export const settingsBody = (more: object = {}) => ({
  settings: { peer_login_expiration: 86_400, ...more },
});

const nameserverBody = (groups: readonly string[], more: object = {}) => ({
  name: 'office',
  description: '',
  nameservers: [{ ip: '10.0.0.53', ns_type: 'udp', port: 53 }],
  enabled: true,
  groups,
  primary: false,
  domains: ['corp.example'],
  search_domains_enabled: false,
  ...more,
});

export const zoneBody = (groups: readonly string[], more: object = {}) => ({
  name: 'corp',
  domain: 'corp.example',
  enabled: true,
  enable_search_domain: false,
  distribution_groups: groups,
  ...more,
});

const recordBody = (more: object = {}) => ({
  name: 'a.corp.example',
  type: 'A',
  content: '10.0.0.1',
  ttl: 300,
  ...more,
});

export const serviceBody = (peer: string, more: object = {}) => ({
  name: 'app',
  domain: 'app.proxy.test',
  enabled: true,
  targets: [{ target_id: peer, target_type: 'peer', protocol: 'http', port: 8080, enabled: true }],
  ...more,
});

/** A cluster at `proxy.test`, of the account unless `more` says otherwise. */
export async function connectCluster(api: Emulated, more: object = {}): Promise<void> {
  await api.control('POST', '/emulator/proxy-clusters', { address: 'proxy.test', ...more });
}

/** Lays them, in an account with a group, a peer and a network resource. */
export async function layBeyond(
  api: Emulated,
  { used = '', peerId = '' }: Readonly<Record<string, string>>,
): Promise<Further> {
  const [account] = [await api.get('/api/accounts')].flat();
  const groups = [used];
  await connectCluster(api, { supports_custom_ports: true });
  const zoneId = await api.make('/api/dns/zones', zoneBody(groups));
  const domain = { domain: 'apps.example.com', target_cluster: 'proxy.test' };
  return {
    ids: {
      accountId: idOf(account),
      nameserverGroupId: await api.make('/api/dns/nameservers', nameserverBody(groups)),
      zoneId,
      recordId: await api.make(`/api/dns/zones/${zoneId}/records`, recordBody()),
      address: 'proxy.test',
      domainId: await api.make(`${PROXY}/domains`, domain),
      serviceId: await api.make(`${PROXY}/services`, serviceBody(peerId)),
      proxyTokenId: await api.make(`${PROXY}/proxy-tokens`, { name: 't' }),
    },
    bodies: {
      updateAccount: settingsBody({ ipv6_enabled_groups: groups }),
      updateDnsSettings: { disabled_management_groups: groups },
      NameserverGroup: nameserverBody(groups, { name: 'another' }),
      createDnsZone: zoneBody(groups, { domain: 'other.example' }),
      updateDnsZone: zoneBody(groups, { name: 'renamed' }),
      DnsRecord: recordBody({ content: '10.0.0.2' }),
      createProxyDomain: { ...domain, domain: 'more.example.com' },
      createProxyService: serviceBody(peerId, { domain: 'other.proxy.test' }),
      updateProxyService: serviceBody(peerId, { name: 'renamed' }),
      createProxyToken: { name: 'another', expires_in: 3600 },
    },
  };
}

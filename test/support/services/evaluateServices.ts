// Who reaches what through the services of the reverse proxy, computed from the raw answers of the API. It is written from the
// description of the server alone and shares no line with `src/`: where the two agree, they do not agree by copying each other.

/** What the API answered to one GET. */
interface Answer<T> {
  status: number;
  body: T;
}

interface RawGroup {
  id: string;
  peers?: { id: string }[] | null;
}

export interface RawPeer {
  id: string;
  ip: string;
  ipv6?: string;
  user_id?: string;
  approval_required?: boolean;
  login_expiration_enabled?: boolean;
  login_expired?: boolean;
}

interface RawUser {
  id: string;
  auto_groups?: string[] | null;
  is_blocked?: boolean;
  is_service_user?: boolean;
}

export interface RawResource {
  id: string;
  enabled: boolean;
}

export interface RawRouter {
  enabled: boolean;
  peer?: string;
  peer_groups?: string[] | null;
}

export interface RawTarget {
  target_type: string;
  target_id: string;
  host?: string;
  port: number;
  protocol: string;
  path?: string;
  enabled: boolean;
  options?: { direct_upstream?: boolean };
}

export interface RawService {
  id: string;
  name: string;
  domain: string;
  enabled: boolean;
  mode?: string;
  private?: boolean;
  access_groups?: string[] | null;
  targets: RawTarget[];
  auth?: {
    password_auth?: { enabled: boolean };
    pin_auth?: { enabled: boolean };
    bearer_auth?: { enabled: boolean; distribution_groups?: string[] | null };
    header_auths?: { enabled: boolean; header: string }[] | null;
  };
  access_restrictions?: {
    allowed_cidrs?: string[];
    blocked_cidrs?: string[];
    allowed_countries?: string[];
    blocked_countries?: string[];
    crowdsec_mode?: string;
  };
}

/** The answers that the verdict stands on. `networks` has each network with the answers of its two lists. */
interface RawAccount {
  accounts: { settings: { peer_login_expiration_enabled?: boolean } }[];
  groups: RawGroup[];
  peers: RawPeer[];
  users: RawUser[];
  networks: { resources: RawResource[]; routers: RawRouter[] }[];
  services: Answer<RawService[] | unknown>;
}

type Source =
  | { kind: 'internet' }
  /** People who sign in: those with the group among their auto-groups, or everybody of the account. */
  | { kind: 'users'; group: string | 'everybody'; today: string[] }
  /** A machine of the account that comes over the overlay. */
  | { kind: 'machine'; id: string };

type Destination =
  | { kind: 'peer'; id: string }
  | { kind: 'resource'; id: string; host?: string }
  /** Whatever the host of the proxy reaches, outside the overlay. */
  | { kind: 'outside'; host: string };

type Limit = 'addresses' | 'countries';
type Lock = 'password' | 'pin' | `header ${string}`;

export interface Reach {
  source: Source;
  destination: Destination;
  protocol: 'tcp' | 'udp';
  port: number;
  /** All of these must let the caller pass. */
  limits: Limit[];
  /** One of these must be opened by the caller; none: there is no lock for this source. */
  locks: Lock[];
  service: string;
}

/** What services let in; `unknown` where the token may not read them. */
export const evaluateServices = (account: RawAccount): Reach[] | 'unknown' => {
  const { status, body } = account.services;
  if (status === 403) return 'unknown';
  if (status === 404) return [];
  if (status !== 200 || !Array.isArray(body)) throw new Error(`services answered ${status}`);
  return (body as RawService[]).flatMap(service => reachOf(service, account));
};

const reachOf = (service: RawService, account: RawAccount): Reach[] => {
  if (!service.enabled) return [];
  const ends = service.targets.flatMap(target => endOf(target, service, account));
  const limits = limitsOf(service);
  return callersOf(service, account).flatMap(({ source, locks }) =>
    ends.map(end => ({ source, ...end, limits, locks, service: service.id })),
  );
};

type End = Pick<Reach, 'destination' | 'protocol' | 'port'>;

/** Where a target leads: nowhere if it is off, gone, or cannot be reached by any machine. */
const endOf = (target: RawTarget, service: RawService, account: RawAccount): End[] => {
  if (!target.enabled) return [];
  const destination = destinationOf(target, account);
  if (!destination) return [];
  const protocol = service.mode === 'udp' ? 'udp' : 'tcp';
  const usual = target.protocol === 'https' ? 443 : 80;
  return [{ destination, protocol, port: target.port === 0 ? usual : target.port }];
};

const destinationOf = (target: RawTarget, account: RawAccount): Destination | undefined => {
  const id = target.target_id;
  if (target.target_type === 'cluster' || target.options?.direct_upstream) {
    return { kind: 'outside', host: target.host ?? '' };
  }
  if (target.target_type === 'peer') {
    const peer = account.peers.find(one => one.id === id);
    return peer && takesPart(peer, account) ? { kind: 'peer', id } : undefined;
  }
  const network = account.networks.find(one => one.resources.some(resource => resource.id === id));
  const resource = network?.resources.find(one => one.id === id);
  if (!network || !resource?.enabled || !isRouted(network.routers, account)) return undefined;
  return target.target_type === 'subnet'
    ? { kind: 'resource', id, host: target.host ?? '' }
    : { kind: 'resource', id };
};

/** A resource needs an enabled router with an approved machine. An expired login does not keep it from routing. */
const isRouted = (routers: RawRouter[], account: RawAccount): boolean =>
  routers.some(router => {
    if (!router.enabled) return false;
    const ids = router.peer
      ? [router.peer]
      : (router.peer_groups ?? []).flatMap(group => machinesOf(group, account));
    return account.peers.some(peer => ids.includes(peer.id) && !peer.approval_required);
  });

const machinesOf = (group: string, account: RawAccount): string[] =>
  (account.groups.find(one => one.id === group)?.peers ?? []).map(peer => peer.id);

/** A machine that waits for approval, or whose person has to sign in again, neither reaches nor is reached. */
const takesPart = (peer: RawPeer, account: RawAccount): boolean =>
  !peer.approval_required && !isExpired(peer, account);

/** Whether a login has expired: at its time, where logins expire, or because its person is blocked. */
export const isExpired = (peer: RawPeer, account: RawAccount): boolean =>
  account.users.some(({ id, is_blocked }) => is_blocked && id === peer.user_id) ||
  Boolean(
    peer.login_expired &&
      peer.login_expiration_enabled &&
      peer.user_id &&
      account.accounts[0]?.settings.peer_login_expiration_enabled,
  );

interface Caller {
  source: Source;
  locks: Lock[];
}

const callersOf = (service: RawService, account: RawAccount): Caller[] => {
  const isHttp = !service.mode || service.mode === 'http';
  if (!isHttp) return [{ source: { kind: 'internet' }, locks: [] }];
  if (service.private) return membersOverTunnel(service, account);
  const auth = service.auth ?? {};
  const locks = locksOf(service);
  const bearer = auth.bearer_auth?.enabled ? auth.bearer_auth : undefined;
  if (locks.length === 0 && !bearer) return [{ source: { kind: 'internet' }, locks: [] }];
  const strangers: Caller[] = locks.length > 0 ? [{ source: { kind: 'internet' }, locks }] : [];
  const groups = bearer?.distribution_groups ?? [];
  const people = bearer ? peopleWhoSignIn(groups, account) : [];
  return [...strangers, ...people, ...machinesWithoutLogin(groups, account)];
};

/** A private service admits the machines of its groups whose owner is not blocked; every lock is ignored. */
const membersOverTunnel = (service: RawService, account: RawAccount): Caller[] => {
  const members = (service.access_groups ?? []).flatMap(group => machinesOf(group, account));
  const blocked = account.users.filter(user => user.is_blocked).map(user => user.id);
  return account.peers
    .filter(peer => members.includes(peer.id) && !(peer.user_id && blocked.includes(peer.user_id)))
    .filter(peer => comesOverTunnel(peer, account))
    .map(peer => ({ source: { kind: 'machine', id: peer.id }, locks: [] }));
};

/** No groups: everybody of the account. A group that is gone admits nobody. */
const peopleWhoSignIn = (groups: string[], account: RawAccount): Caller[] => {
  const people = account.users.filter(user => !user.is_blocked && !user.is_service_user);
  if (groups.length === 0) {
    const today = people.map(user => user.id);
    return [{ source: { kind: 'users', group: 'everybody', today }, locks: [] }];
  }
  return [...new Set(groups)]
    .filter(group => account.groups.some(one => one.id === group))
    .map(group => {
      const members = people.filter(user => (user.auto_groups ?? []).includes(group));
      const today = members.map(user => user.id);
      return { source: { kind: 'users', group, today }, locks: [] };
    });
};

/** Over the overlay nobody logs in: with groups for sign-in their machines pass, without them every machine. */
const machinesWithoutLogin = (groups: string[], account: RawAccount): Caller[] => {
  const members = groups.flatMap(group => machinesOf(group, account));
  return account.peers
    .filter(peer => groups.length === 0 || members.includes(peer.id))
    .filter(peer => comesOverTunnel(peer, account))
    .map(peer => ({ source: { kind: 'machine', id: peer.id }, locks: [] }));
};

/** The proxy takes a caller for a machine of the account only if it comes from a private range. */
const comesOverTunnel = (peer: RawPeer, account: RawAccount): boolean =>
  takesPart(peer, account) && [peer.ip, peer.ipv6 ?? ''].some(isPrivateAddress);

const isPrivateAddress = (address: string): boolean => {
  if (/^f[cd][0-9a-f]{2}:/i.test(address)) return true;
  const [first = -1, second = -1] = address.split('.').map(Number);
  return (
    first === 10 ||
    (first === 172 && second >= 16 && second <= 31) ||
    (first === 192 && second === 168) ||
    (first === 100 && second >= 64 && second <= 127)
  );
};

const locksOf = ({ auth = {} }: RawService): Lock[] => [
  ...(auth.password_auth?.enabled ? (['password'] as const) : []),
  ...(auth.pin_auth?.enabled ? (['pin'] as const) : []),
  ...(auth.header_auths ?? [])
    .filter(one => one.enabled)
    .map(one => `header ${one.header}` as const),
];

/** Lists of those who are refused, and CrowdSec, still let in nearly everybody: only lists of the admitted are limits. */
const limitsOf = ({ access_restrictions: limits = {} }: RawService): Limit[] => {
  const { allowed_cidrs: networks = [], allowed_countries: countries = [] } = limits;
  return [
    ...(networks.length > 0 && !admitsOneFamily(networks) ? (['addresses'] as const) : []),
    ...(countries.length > 0 ? (['countries'] as const) : []),
  ];
};

/** Who calls through the internet: from an IPv4 address below 224.0.0.0, or from one in 2000::/3. */
const CALLERS = { 4: ['0', '10', '110'], 6: ['001'] };

/** Whether networks admit all callers of a family: a half of them is in one network, or its own halves are, and so on. */
const admitsOneFamily = (networks: string[]): boolean =>
  ([4, 6] as const).some(family => {
    const written = networks
      .filter(network => network.includes(':') === (family === 6))
      .map(network => binary(network));
    const isAdmitted = (start: string): boolean => {
      if (written.some(prefix => start.startsWith(prefix))) return true;
      if (!written.some(prefix => prefix.startsWith(start))) return false;
      return ['0', '1'].every(bit => isAdmitted(start + bit));
    };
    return CALLERS[family].every(start => isAdmitted(start));
  });

/** The leading bits of a network. Of IPv6, only networks whose bits are in the first of eight parts are drawn. */
const binary = (network: string): string => {
  const [address = '', length = ''] = network.split('/');
  const [first = ''] = address.split(':');
  const all = address.includes(':')
    ? Number.parseInt(first || '0', 16)
        .toString(2)
        .padStart(16, '0')
    : address
        .split('.')
        .map(part => Number(part).toString(2).padStart(8, '0'))
        .join('');
  return all.padEnd(128, '0').slice(0, Number(length));
};

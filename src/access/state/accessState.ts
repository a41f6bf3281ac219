// The part of an account that affects access, in name space. It is the input of every function in
// this room. It is plain data, so files, a live account and any step of a plan all have this type.
import type { Fields } from '../../model/value.ts';

/** The parts of an account that are read separately. Some of them may be unread. */
export type Part =
  | 'peers'
  | 'groups'
  | 'users'
  | 'setup_keys'
  | 'policies'
  | 'posture_checks'
  | 'networks'
  | 'routes'
  | 'dns_zones'
  | 'ingress_ports'
  | 'proxy_services';

/** The state of an account. Keys are unique within their list; every reference is a key, even if its object does not exist. */
export interface AccessState {
  readonly machines: readonly Machine[];
  readonly groups: readonly Group[];
  /** The setup keys and users through which new machines join. */
  readonly enrolments: readonly Enrolment[];
  /** The ids of blocked users. Their machines stay in the account, but cannot log in. */
  readonly blockedUsers: readonly string[];
  readonly policies: readonly Policy[];
  readonly checks: readonly PostureCheck[];
  readonly networks: readonly Network[];
  readonly routes: readonly Route[];
  /** The DNS zones for which the account answers. */
  readonly zones: readonly Zone[];
  /** The ports that are known to be open to the internet. */
  readonly internetPorts: readonly InternetPort[];
  /** The services of the reverse proxy, including services that open no port. */
  readonly services: readonly Named[];
  /** The ranges from which joining machines get their addresses; absent if they are unknown. */
  readonly overlay?: Overlay;
  /** The parts that could not be read, and why. An unread part is not an empty part. */
  readonly unread: ReadonlyMap<Part, string>;
  /**
   * Whether each group of routing machines without a machine is treated as if a machine will join
   * it. An account shows which machines route now; files do not.
   */
  readonly areRoutersAssumed?: true;
}

/** The ranges of the overlay network in the settings of an account. */
interface Overlay {
  /** The range of IPv4; empty if the server chooses it. */
  readonly range: string;
  /** The range of IPv6; empty if the server chooses it. */
  readonly ipv6Range: string;
  /** The groups whose machines get an IPv6 address too. */
  readonly ipv6Groups: readonly string[];
}

/** The identity of an object of the state. */
export interface Named {
  /** The name of the object, or `id:<value>` if it has no unique name. */
  readonly key: string;
  /** The server's id; absent for an object that does not exist yet. */
  readonly id?: string;
}

/** A current machine. */
export interface Machine extends Named {
  readonly facts: Facts;
  readonly awaitsApproval: boolean;
  /**
   * Whether the login has expired, or the user is blocked. Blocking a user ends the logins on all
   * machines of the user.
   */
  readonly isLoginExpired: boolean;
  /** The id of the user who enrolled the machine. */
  readonly user?: string;
  /** The overlay addresses of the machine. */
  readonly ip?: string;
  readonly ipv6?: string;
  /** The names for which the DNS server of the account answers with these addresses. */
  readonly dnsNames?: readonly string[];
  /** Whether the machine has SSH enabled. If it has, it also answers SSH on a second port. */
  readonly answersSsh?: true;
  /** Whether the server deletes the machine some time after it disconnects. */
  readonly isEphemeral: boolean;
}

/**
 * The facts that a server knows about a machine. An absent fact is not visible from outside. An
 * empty fact is unknown to the server too.
 */
export interface Facts {
  readonly version?: string;
  readonly os?: string;
  readonly kernel?: string;
  readonly country?: string;
  readonly city?: string;
  /** The address from which the machine connects. */
  readonly address?: string;
}

export interface Group extends Named {
  /** The keys of the current machines in the group. */
  readonly machines: readonly string[];
  /** Whether the group contains every machine, including future machines. */
  readonly isAll: boolean;
}

/**
 * A setup key or a user. A machine that enrols with the key, or is enrolled by the user, joins
 * these groups.
 */
export interface Enrolment extends Named {
  readonly by: 'setup_key' | 'user';
  readonly groups: readonly string[];
}

export interface Policy extends Named {
  readonly isEnabled: boolean;
  /** The keys of posture checks. */
  readonly checks: readonly string[];
  readonly rules: readonly Rule[];
  /** Whether the server created the policy for a temporary peer. */
  readonly isTemporary: boolean;
}

export interface Rule {
  readonly name: string;
  /**
   * The server's id, if the rule comes from a live account. Renaming the rule does not change it.
   */
  readonly id?: string;
  readonly isEnabled: boolean;
  readonly isDrop: boolean;
  readonly isBidirectional: boolean;
  readonly protocol: Protocol;
  readonly ports: readonly string[];
  readonly ranges: readonly PortRange[];
  readonly source: Side;
  readonly destination: Side;
}

export type Protocol = 'all' | 'tcp' | 'udp' | 'icmp' | 'netbird-ssh';

export interface PortRange {
  readonly start: number;
  readonly end: number;
}

/** One side of a rule: groups, or one object. */
export type Side =
  | { readonly type: 'groups'; readonly groups: readonly string[] }
  | { readonly type: 'machine'; readonly machine: string }
  | { readonly type: 'resource'; readonly resource: string };

export interface PostureCheck extends Named {
  /** The checks by their names in the API; null if the checks could not be read. */
  readonly checks: Fields | null;
}

export interface Network extends Named {
  readonly resources: readonly Resource[];
  readonly routers: readonly Router[];
}

export interface Resource extends Named {
  readonly address: string;
  readonly isEnabled: boolean;
  readonly groups: readonly string[];
}

/** A DNS zone of the account. */
export interface Zone extends Named {
  readonly domain: string;
  readonly isEnabled: boolean;
  /** The groups whose machines get the zone; absent if the groups are unknown. */
  readonly groups?: readonly string[];
  /** Whether machines search the zone for names with a single label. */
  readonly isSearched: boolean;
  readonly records: readonly NameRecord[];
}

export interface NameRecord extends Named {
  /** A full name, or a wildcard for all names below a domain, such as `*.corp.example.com`. */
  readonly name: string;
  /** `A`, `AAAA` or `CNAME`. */
  readonly type: string;
  /** An address or another name. */
  readonly content: string;
}

/**
 * Sources that are not machines of the account, or not in the usual role of such machines: the
 * internet, callers from the internet that know a secret or have certain addresses, users who sign
 * in, and machines that call a service over the overlay.
 */
export interface Outsiders {
  /** The name of these sources: `internet`, `internet with a PIN`, `users of group/sales`, `service callers of group/sales`. */
  readonly name: string;
  readonly are: 'anybody' | 'some-of-the-internet' | 'users' | 'machines';
  /** The groups of the users or machines; absent for all users or machines. */
  readonly groups?: readonly string[];
  /** Whether machines of blocked users may not call. */
  readonly refusesBlocked?: true;
  /**
   * The members of the groups to which the outsiders are limited: machines; and groups, setup keys
   * and users, which stand for their future machines.
   */
  readonly single?: readonly {
    readonly type: 'machine' | 'group' | 'setup_key' | 'user';
    readonly key: string;
  }[];
}

/** The limits for the callers of a service, even if they exclude hardly any caller. */
export interface CallerLimits {
  /** Networks that may call; empty for all. */
  readonly networks: readonly string[];
  /** Countries that may call; empty for all. */
  readonly countries: readonly string[];
  /** Networks and countries that may not call. */
  readonly blocked: readonly string[];
  /** Whether CrowdSec rejects callers. */
  readonly isChecked: boolean;
}

/**
 * Ports of a machine or network resource that are open to the internet, or to the callers of a
 * service.
 */
export interface InternetPort extends Named {
  /**
   * Present if this entry lists a port of the account again, for other callers: the key and id of
   * that port.
   */
  readonly of?: Named;
  /** The key of the machine; empty if the port belongs to a network resource. */
  readonly machine: string;
  readonly resource?: string;
  /**
   * The address or name that the service calls in the network resource; absent if the port covers
   * the whole resource.
   */
  readonly host?: string;
  readonly to: Outsiders;
  /**
   * Whether a proxy calls the target directly instead of over the overlay. If it does, it may reach
   * the address without a routing machine.
   */
  readonly isCalledDirectly?: true;
  /** The path of the service whose requests are forwarded; absent if all requests are forwarded. */
  readonly path?: string;
  /** The first part of the path in forwarded requests; absent if they may have any path. */
  readonly pathThere?: string;
  /** The host name in forwarded requests, if it is the name of the service. */
  readonly nameThere?: string;
  /** The service that opens the port; absent if no service does. */
  readonly service?: string;
  readonly serviceId?: string;
  /** The lock whose secret the callers know: the path of the lock in the service, and its name. */
  readonly lock?: { readonly at: string; readonly name: string };
  /** The limits for callers of the port. */
  readonly limits?: CallerLimits;
  /**
   * The objects that open the port. The first one names the ports; the others, if they are known,
   * serve them.
   */
  readonly by: readonly { readonly kind: string; readonly key: string }[];
  /** The open ports, by protocol. An entry without a range stands for any port that the server chooses. */
  readonly openings: readonly { readonly protocol: 'tcp' | 'udp'; readonly range?: PortRange }[];
}

/** The machines that serve a network or a route: a single machine, or the members of groups. */
export interface Servers {
  readonly machine?: string;
  readonly groups: readonly string[];
}

export interface Router extends Named {
  readonly isEnabled: boolean;
  readonly servers: Servers;
}

export interface Route extends Named {
  readonly networkId: string;
  /** The range of the route, or its domains. */
  readonly addresses: readonly string[];
  readonly isEnabled: boolean;
  readonly servers: Servers;
  /** The groups whose machines receive the route. */
  readonly distribution: readonly string[];
  readonly accessControl: readonly string[];
}

// Answers about access for people and programs: names only, no sets.
import type { Span } from '../diagnostic.ts';
import type { ActionId } from '../names.ts';

/** A source or a destination of a flow. */
export interface AccessParty {
  /** `group/on-call`, `peer/mia`, `network_resource/production/orders-db`, `4 machines`. */
  readonly name: string;
  /** Current machines; empty for a network resource or route. */
  readonly machines: readonly string[];
  /** Who can still join: `group/on-call`, `setup_key/servers`, `user/mia@example.com`. */
  readonly members_to_come: readonly string[];
  /** The address or range of a network resource or route. */
  readonly address?: string;
}

/** A rule, or a route without access control, that allows a flow. */
export interface AccessGrant {
  readonly policy?: string;
  readonly rule?: string;
  /** The rule is bidirectional, and the flow is in its reverse direction. */
  readonly reverse?: true;
  /** A route without access-control groups: its routing machines accept everything. */
  readonly open_route?: string;
  /** The port that an ingress peer opens to the internet. */
  readonly ingress_port?: string;
  /** The service of the reverse proxy that opens the access, whatever the policies declare. */
  readonly service?: string;
  /** The routing machines. */
  readonly through?: readonly string[];
  /** For a failed access test, the place of the rule in the files. */
  readonly at?: Span;
}

/** An object, or one of its rules, that decides an answer. */
export interface Deciding {
  readonly kind: string;
  readonly key: string;
  readonly rule?: string;
}

/** The posture checks of a flow, and the sources by their results. */
interface AccessPosture {
  readonly checks: readonly string[];
  readonly pass: readonly string[];
  readonly fail: readonly string[];
  readonly unknown: readonly string[];
}

/** An object, with identifiers that remain valid after a rename. */
export interface AccessObject {
  /** `outsiders` for the internet and other parties that are not objects. */
  readonly kind: string;
  /** The name in outputs: `group/on-call`. */
  readonly name: string;
  /** The id at the server; absent for an object that only files contain. */
  readonly id?: string;
}

/** The ids of a source or a destination, for readers who join answers with other systems. */
export interface AccessPartyIds {
  /**
   * The object, if the party is a single group, machine, network resource or route. Otherwise its machines, and the objects
   * through which machines join it.
   */
  readonly objects: readonly AccessObject[];
  /** The ids of its current machines, or their names if they have no ids. */
  readonly machines: readonly string[];
}

/** The ids of a flow. */
interface AccessFlowIds {
  readonly from: AccessPartyIds;
  readonly to: AccessPartyIds;
  /** The policies, routes, services and ingress ports that grant the access; empty for missing access. */
  readonly via: readonly AccessObject[];
}

/** The identity of an object: the server's id, or its name if it has none. */
export const lastingId = ({ id, name }: AccessObject): string => id ?? name;

/** Sources with the same access to destinations. */
export interface AccessFlow {
  readonly from: AccessParty;
  readonly to: AccessParty;
  /** `tcp/22`, `tcp/8000-8100`, `udp/*`, `icmp`, `*`. */
  readonly ports: readonly string[];
  readonly via: readonly AccessGrant[];
  readonly posture?: AccessPosture;
  /** How the destination leads to the queried target, if its own address does not show it. */
  readonly detours?: readonly string[];
  /** Present in answers, absent in plans. */
  readonly ids?: AccessFlowIds;
}

/** Why sources do not reach destinations: the nearest miss. */
export interface AccessMiss {
  readonly code: MissCode;
  readonly message: string;
  readonly from: AccessParty;
  readonly to: AccessParty;
  /** The further reasons. */
  readonly also: readonly MissCode[];
  /** The object that the message is about; absent if no object would grant the access. */
  readonly by?: Deciding;
  /** For a failed access test, the place of the object in the files. */
  readonly at?: Span;
  /** Present in answers, absent in plans. */
  readonly ids?: AccessFlowIds;
}

/** The possible reasons for a missing flow, most basic first. */
export const MISS_CODES = {
  NO_RULE: 'No rule has the source and the destination on its sides.',
  DISABLED: 'A policy, rule, network resource or route that would grant it is disabled.',
  NO_ROUTER: 'The network has no enabled router, or the route has no routing peer.',
  NOT_APPROVED: 'A machine on the path awaits approval.',
  LOGIN_EXPIRED: 'The login of a machine on the path has expired, or its user is blocked.',
  DIRECTION: 'A rule grants only the opposite direction.',
  PORT: 'A rule grants other ports or another protocol.',
  POSTURE: 'The source fails a posture check, or may fail it.',
  NOT_DISTRIBUTED: 'The source does not receive the network resource or route.',
  NO_EDGE_TO_ROUTER: 'No policy connects the source with the routing peer of the route.',
  DROPPED_BY: 'A drop rule blocks it.',
} as const;

export type MissCode = keyof typeof MISS_CODES;

/**
 * The sources of a question, grouped by how much of its destinations they reach: `peer/mia`; `group/on-call` for machines that
 * join the group.
 */
export interface Reached {
  /** Sources that reach all destinations on all requested ports. */
  readonly wholly: readonly string[];
  /**
   * Sources that reach only some destinations or ports, or that reach them only if they pass posture checks whose result is
   * unknown.
   */
  readonly partly: readonly string[];
  readonly not: readonly string[];
}

/** The answer to a question about access. */
export interface AccessAnswer {
  /** The source of the access: the files, the live account, or saved answers. */
  readonly judged: string;
  readonly asked: { readonly from?: string; readonly to?: string };
  readonly flows: readonly AccessFlow[];
  /** Present only if the reason was requested. */
  readonly misses?: readonly AccessMiss[];
  /** Lists that could not be read. Access that depends on them is missing from the answer. */
  readonly unread: readonly string[];
}

/** A change that a plan makes to the access of some sources to some destinations in one protocol. */
export interface AccessChangeEntry {
  readonly change: 'gained' | 'lost' | 'changed';
  readonly from: string;
  readonly to: string;
  /** The address or range of a network resource or route. */
  readonly address?: string;
  readonly protocol: 'tcp' | 'udp' | 'icmp' | 'all';
  /**
   * Ports and ranges that the sources may use, as far as the results of posture checks are known; `*` for all ports, and for
   * protocols without ports.
   */
  readonly ports_before: readonly string[];
  readonly ports_after: readonly string[];
  /** The sources fail posture checks: the ports are those that they could use if they passed. */
  readonly only_if_passed?: true;
  /**
   * Ports that some of the sources gain or lose at some of the destinations; not every pair gains or loses all of them. Present
   * only in an entry that sums up too many changes to list, whose `ports_before` and `ports_after` are empty. Absent in plans of
   * earlier versions.
   */
  readonly summed?: SummedPorts;
  /** For lost access: ports that the plan gives the sources once they pass posture checks that they fail today. */
  readonly ports_if_passed?: readonly string[];
  /**
   * No machine routes to the destination yet. The sources get the ports, or those in `ports_if_passed`, when a machine joins one
   * of the routing groups.
   */
  readonly no_router?: true;
  /**
   * For lost access with `ports_if_passed`: no machine routed to the destination before the plan either, so nobody reached
   * `ports_before`.
   */
  readonly no_router_before?: true;
  /**
   * DNS zones resolve the domain of the destination, but no machine that routes to it receives these zones. The sources get the
   * ports when such a machine joins a group of the zones. Absent in plans of earlier versions.
   */
  readonly not_resolved?: true;
  /**
   * For gained access: other destinations by which sources already reached the address on all gained ports, such as an exit
   * node. Absent if there are none, and in plans of earlier versions.
   */
  readonly already_reached?: readonly AlreadyReached[];
  /**
   * For changed access: the change also adds access, or removes a condition. For lost access: the same, but for access that the
   * sources keep, or that they get once they pass posture checks.
   */
  readonly gains?: true;
  /** For changed access: the change also removes access, or adds a condition. */
  readonly loses?: true;
  /** Current machines among the sources. */
  readonly machines: readonly string[];
  readonly members_to_come: readonly string[];
  /** Current machines among the destinations, and future members among them; absent if there are none. */
  readonly to_machines?: readonly string[];
  readonly to_members_to_come?: readonly string[];
  readonly via: readonly AccessGrant[];
  /** The posture checks on which the access depends after the plan; for lost access, before the plan. */
  readonly posture?: AccessPosture;
  /** The posture checks before the plan, if they differ. */
  readonly posture_before?: AccessPosture;
  /** For lost access: the posture checks on which the access depends after the plan. */
  readonly posture_after?: AccessPosture;
  /**
   * The changes of the plan that cause the change of access: if the plan lacked any of them, the access would change differently.
   */
  readonly causes: readonly string[];
  /** In a large account, the causes may not be separated. Then at least one of `causes` causes the change. */
  readonly one_of?: true;
}

/** A destination by which sources of gained access already reached its address before the plan. */
export interface AlreadyReached {
  readonly by: string;
  /** The address or range of this destination. */
  readonly address?: string;
  /** If only some of the sources reached it: their name, and the current machines among them. */
  readonly from?: string;
  readonly machines?: readonly string[];
}

/**
 * Ports that several changes gain or lose together: sorted ranges with gaps between them, both ends included; empty for `icmp`.
 */
export interface SummedPorts {
  readonly gained: readonly AccessPortRange[];
  readonly lost: readonly AccessPortRange[];
}

/** A range of ports, both ends included. */
interface AccessPortRange {
  readonly start: number;
  readonly end: number;
}

/** Whether a change grants access: a run that allows no new access refuses such a change. */
export const givesAccess = ({ change, gains }: AccessChangeEntry): boolean =>
  change === 'gained' || gains === true;

/** Whether a change takes access. */
export const takesAccess = ({ change, loses }: AccessChangeEntry): boolean =>
  change === 'lost' || loses === true;

/**
 * Access that a plan grants, in the same form for every object that can grant access. A gain in several protocols has one entry
 * for each protocol.
 */
export interface AccessGain {
  readonly from: string;
  readonly to: string;
  /** The address or range of a network resource or route. */
  readonly address?: string;
  /** The groups that contain any of the destinations. */
  readonly to_groups: readonly string[];
  readonly protocol: 'tcp' | 'udp' | 'icmp';
  /** Sorted ranges with gaps between them, both ends included; empty for `icmp`, which has no ports. */
  readonly ports: readonly AccessPortRange[];
  /** `posture`: only sources that pass posture checks gain the access. `none`: the sources gain it without a condition. */
  readonly condition: 'none' | 'posture';
  /** The changes of the plan that cause the gain: if the plan lacked any of them, the gain would be different. */
  readonly causes: readonly string[];
  /** In a large account, the causes may not be separated. Then at least one of `causes` causes the gain. */
  readonly one_of?: true;
}

/** Access that is out of bounds during a run: less than both before and after the plan, or more than both. */
export interface AccessStepEntry {
  /**
   * `ACCESS_GAP`: access that exists both before and after the plan is missing. `ACCESS_OPENING`: access exists that exists
   * neither before nor after the plan.
   */
  readonly code: 'ACCESS_GAP' | 'ACCESS_OPENING';
  readonly from: string;
  readonly to: string;
  /** The address or range of a network resource or route. */
  readonly address?: string;
  /** `tcp/22`, `tcp/8000-8100`, `udp/*`, `icmp`, `*`. */
  readonly ports: readonly string[];
  /** Current machines among the sources. */
  readonly machines: readonly string[];
  readonly members_to_come: readonly string[];
  /** Current machines among the destinations; empty for a network resource or route. */
  readonly to_machines: readonly string[];
  /** The position, counted from 1, of the action after which the access is out of bounds. */
  readonly from_step: number;
  readonly from_action: ActionId;
  /** The position of the action after which the access is in bounds again. */
  readonly until_step: number;
  readonly until_action: ActionId;
  /** API calls between the two actions. */
  readonly calls: number;
}

/** Whether access stays in bounds after each action. */
export interface AccessOrder {
  /** `not_judged`: there were too many states to evaluate. */
  readonly status: 'in_bounds' | 'out_of_bounds' | 'not_judged';
  /** The number of entries that the list does not show. */
  readonly left_out: number;
  /** Pairs of actions whose preferred order the plan does not keep. */
  readonly given_up: readonly {
    /** The action that should come earlier but comes later. */
    readonly earlier: ActionId;
    readonly later: ActionId;
    /** `access`: to keep access in bounds. `constraint`: to satisfy a hard constraint or a stronger soft constraint. */
    readonly because: 'access' | 'constraint';
  }[];
}

/** A right that a plan grants. It is not access to a destination, but it can lead to access. */
export interface RightEntry {
  /** The address of the changed object. */
  readonly object: string;
  readonly right:
    | 'role'
    | 'sign_in'
    | 'credential'
    | 'ssh'
    | 'membership'
    | 'exposure'
    | 'events'
    | 'posture'
    | 'forwarding'
    | 'secret';
  /** The right in words. */
  readonly message: string;
}

/**
 * Sentences about names and addresses that lead elsewhere after a plan, and the groups, machines or
 * objects for which all of these sentences are true. An empty text means everybody.
 */
export interface MovedNames {
  readonly says: readonly string[];
  readonly of: readonly string[];
}

/** `user["mia@example.com"]: role admin`. */
export const rightText = ({ object, message }: Pick<RightEntry, 'object' | 'message'>): string =>
  `${object}: ${message}`;

/** The reason for changes of parts on which access does not depend. */
export const NOT_ABOUT_ACCESS = 'access does not depend on what changes there';

/** The reason for changes that could affect access but do not, if no more specific reason is known. */
export const AS_BEFORE = 'everybody reaches the same as before';

/** Changes that change nobody's access. */
export interface IdleEntry {
  /** The addresses of the changes. */
  readonly changes: readonly string[];
  /** The reason, such as `policy "Default", rule "Default" already allows it`. */
  readonly reason: string;
}

/** The changes of access by a plan. */
export interface PlanAccess {
  /**
   * `changed`: access changes, or the plan gives rights. `new-account`: the account had only the objects of a new account.
   */
  readonly status: 'unchanged' | 'changed' | 'new-account';
  /** Current machines whose access changes. */
  readonly machines: number;
  /**
   * The number of unchanged flows; for a new account, the number of all its flows. Absent for large accounts, where flows are not
   * counted.
   */
  readonly flows?: number;
  /** The numbers of pairs of a current machine and a destination. */
  readonly pairs: { readonly gained: number; readonly lost: number };
  /**
   * The number of changes of the plan that neither change access nor give a right; for a new account, only policies and routes
   * are counted.
   */
  readonly without_effect: number;
  /**
   * The same changes, grouped by reason; absent if there are none. Plans of earlier versions contain only policies and routes.
   */
  readonly no_effect?: readonly IdleEntry[];
  /** Lists that could not be read: access that depends on them is not compared. */
  readonly unread: readonly string[];
  readonly changes: readonly AccessChangeEntry[];
  /**
   * The members when the plan was made. For a group (`group/on-call`): the ids of machines, users and setup keys. For a user: the
   * ids of machines. Contains the groups and users for which a change concerns their future members, but not all current members.
   * A member that joins or is approved later counts as a future member. Absent if there is none.
   */
  readonly group_machines?: Readonly<Record<string, readonly string[]>>;
  /**
   * The ids of the network resources or routes, by their names in `to`, because somebody may rename them before the plan is
   * applied. Absent if no change concerns any.
   */
  readonly destination_ids?: Readonly<Record<string, readonly string[]>>;
  /** The access that the plan grants, also in a new account. */
  readonly gains: readonly AccessGain[];
  /** Rights that the plan grants; absent if it grants none. */
  readonly rights?: readonly RightEntry[];
  /**
   * The moved names and addresses that the notes `NAME_MOVES` sum up, as far as they depend on the account; absent if nothing
   * moves.
   */
  readonly moved_names?: readonly MovedNames[];
  /** Access that is out of bounds during the run. */
  readonly steps: readonly AccessStepEntry[];
  /** Absent if no action changes access. */
  readonly order?: AccessOrder;
}

/** The changes of access by a plan, and the rights that it grants. */
export type GivenAccess = Pick<
  PlanAccess,
  'gains' | 'changes' | 'rights' | 'group_machines' | 'destination_ids' | 'moved_names'
>;

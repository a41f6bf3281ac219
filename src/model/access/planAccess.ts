// Answers about access as people and programs read them: names only, no sets.
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
  /** The address or range, of a network resource or route. */
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
  /** The service of the reverse proxy that opens it, whatever the policies say. */
  readonly service?: string;
  /** The routing machines. */
  readonly through?: readonly string[];
  /** Of failed access tests: where files write it. */
  readonly at?: Span;
}

/** An object, or a rule of it, that decides an answer. */
export interface Deciding {
  readonly kind: string;
  readonly key: string;
  readonly rule?: string;
}

/** The sources that pass the posture checks of a flow. */
interface AccessPosture {
  readonly checks: readonly string[];
  readonly pass: readonly string[];
  readonly fail: readonly string[];
  readonly unknown: readonly string[];
}

/** An object, by what outlasts its name. */
export interface AccessObject {
  /** `outsiders` for the internet and others that are not objects. */
  readonly kind: string;
  /** As outputs name it: `group/on-call`. */
  readonly name: string;
  /** The server's; absent for what only files know. */
  readonly id?: string;
}

/** What a source or a destination is, for those who join answers with other systems. */
export interface AccessPartyIds {
  /** The one group, machine, network resource or route that it is; otherwise its machines, and whatever others join through. */
  readonly objects: readonly AccessObject[];
  /** The ids of its current machines, or their names. */
  readonly machines: readonly string[];
}

/** The ids of a flow. */
interface AccessFlowIds {
  readonly from: AccessPartyIds;
  readonly to: AccessPartyIds;
  /** The policies, routes, services and ingress ports that grant it; empty for missing access. */
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
  /** In answers, not in plans. */
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
  /** What the message is about; absent if nothing is there that would grant it. */
  readonly by?: Deciding;
  /** Of failed access tests: where files write that. */
  readonly at?: Span;
  /** In answers, not in plans. */
  readonly ids?: AccessFlowIds;
}

/** The possible reasons for a missing flow, most basic first. */
export const MISS_CODES = {
  NO_RULE: 'No rule has the source and the destination on its sides.',
  DISABLED: 'A policy, rule, network resource or route that would grant it is disabled.',
  NO_ROUTER: 'The network has no enabled router, or the route has no routing peer.',
  NOT_APPROVED: 'A machine on the path awaits approval.',
  DIRECTION: 'A rule grants only the opposite direction.',
  PORT: 'A rule grants other ports or another protocol.',
  POSTURE: 'The source fails a posture check, or may fail it.',
  NOT_DISTRIBUTED: 'The source does not receive the network resource or route.',
  NO_EDGE_TO_ROUTER: 'No policy connects the source with the routing peer of the route.',
  DROPPED_BY: 'A drop rule blocks it.',
} as const;

export type MissCode = keyof typeof MISS_CODES;

/** The sources of a question by what they reach of its destinations: `peer/mia`, `group/on-call` for machines that join it. */
export interface Reached {
  /** Everything, on all ports that were asked for. */
  readonly wholly: readonly string[];
  /** Only some destinations or ports, or only if posture checks pass of which that is unknown. */
  readonly partly: readonly string[];
  readonly not: readonly string[];
}

/** The answer to a question about access. */
export interface AccessAnswer {
  /** The source of the access: the files, the live account, or saved answers. */
  readonly judged: string;
  readonly asked: { readonly from?: string; readonly to?: string };
  readonly flows: readonly AccessFlow[];
  /** Only if the reason was requested. */
  readonly misses?: readonly AccessMiss[];
  /** Lists that could not be read. Access that depends on them is missing in the answer. */
  readonly unread: readonly string[];
}

/** Access of some sources to some destinations in one protocol that a plan changes. */
export interface AccessChangeEntry {
  readonly change: 'gained' | 'lost' | 'changed';
  readonly from: string;
  readonly to: string;
  /** The address or range, of a network resource or route. */
  readonly address?: string;
  readonly protocol: 'tcp' | 'udp' | 'icmp' | 'all';
  /**
   * Ports and ranges that the sources may use, as far as posture is known; `*` for all ports, and for
   * protocols without ports.
   */
  readonly ports_before: readonly string[];
  readonly ports_after: readonly string[];
  /** The sources fail posture checks: the ports are those that passing would give them. */
  readonly only_if_passed?: true;
  /** Of changed access: it also gives some, or the same under fewer conditions. */
  readonly gains?: true;
  /** Of changed access: it also takes some, or leaves the same under more conditions. */
  readonly loses?: true;
  /** Current machines among the sources. */
  readonly machines: readonly string[];
  readonly members_to_come: readonly string[];
  readonly via: readonly AccessGrant[];
  /** The posture checks that the access depends on after the plan; of lost access, before it. */
  readonly posture?: AccessPosture;
  /** Those before the plan, if they are others. */
  readonly posture_before?: AccessPosture;
  /** Of lost access: those that it depends on after the plan. */
  readonly posture_after?: AccessPosture;
  /** The changes of the plan that cause it: without any of them, it would be another change. */
  readonly causes: readonly string[];
  /** If the causes were not told apart, in a large account: one of them, or several. */
  readonly one_of?: true;
}

/** Whether a change gives access: what a run that allows no new access refuses. */
export const givesAccess = ({ change, gains }: AccessChangeEntry): boolean =>
  change === 'gained' || gains === true;

/** Whether a change takes access. */
export const takesAccess = ({ change, loses }: AccessChangeEntry): boolean =>
  change === 'lost' || loses === true;

/** Access that a plan grants, in one form however it is granted: a gain of several protocols has an entry for each. */
export interface AccessGain {
  readonly from: string;
  readonly to: string;
  /** The address or range, of a network resource or route. */
  readonly address?: string;
  /** The groups with any of the destinations. */
  readonly to_groups: readonly string[];
  readonly protocol: 'tcp' | 'udp' | 'icmp';
  /** Sorted ranges with a gap between them, both ends included; empty for `icmp`, which has no ports. */
  readonly ports: readonly { readonly start: number; readonly end: number }[];
  /** `posture`: only sources that pass posture checks gain it. `none`: the sources gain it whatever posture checks decide. */
  readonly condition: 'none' | 'posture';
  /** The changes of the plan that cause it: without any of them, it would be another change. */
  readonly causes: readonly string[];
  /** If the causes were not told apart, in a large account: one of them, or several. */
  readonly one_of?: true;
}

/** Access that is out of bounds during a run: less than both before and after the plan, or more than both. */
export interface AccessStepEntry {
  /**
   * `ACCESS_GAP`: access that exists before and after is missing. `ACCESS_OPENING`: access exists that is neither
   * before nor after.
   */
  readonly code: 'ACCESS_GAP' | 'ACCESS_OPENING';
  readonly from: string;
  readonly to: string;
  /** The address or range, of a network resource or route. */
  readonly address?: string;
  /** `tcp/22`, `tcp/8000-8100`, `udp/*`, `icmp`, `*`. */
  readonly ports: readonly string[];
  /** Current machines among the sources. */
  readonly machines: readonly string[];
  readonly members_to_come: readonly string[];
  /** Current machines among the destinations; empty for a network resource or route. */
  readonly to_machines: readonly string[];
  /** The position of the action that starts it, counted from 1. */
  readonly from_step: number;
  readonly from_action: ActionId;
  /** The position of the action that ends it. */
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
  /** Pairs of actions whose preferred order the plan does not follow. */
  readonly given_up: readonly {
    /** The action that should come earlier, and comes later. */
    readonly earlier: ActionId;
    readonly later: ActionId;
    /** `access`: to keep access in bounds. `constraint`: because of a hard constraint, or a stronger soft one. */
    readonly because: 'access' | 'constraint';
  }[];
}

/** A right that a plan gives. It is not access to a destination, but leads to it. */
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
    | 'forwarding';
  /** The right in words. */
  readonly message: string;
}

/** `user["mia@example.com"]: role admin`. */
export const rightText = ({ object, message }: Pick<RightEntry, 'object' | 'message'>): string =>
  `${object}: ${message}`;

/** Changes of policies that change nobody's access. */
export interface IdleEntry {
  /** The addresses of the changes. */
  readonly changes: readonly string[];
  /** Why, such as `policy "Default", rule "Default" already allows it`. */
  readonly reason: string;
}

/** What a plan changes about access. */
export interface PlanAccess {
  /** `new-account`: the account had only the objects of a new account. */
  readonly status: 'unchanged' | 'changed' | 'new-account';
  /** Current machines whose access changes. */
  readonly machines: number;
  /** Unchanged flows; for a new account, its flows. Not counted for large accounts. */
  readonly flows?: number;
  /** Pairs of a current machine and a destination. */
  readonly pairs: { readonly gained: number; readonly lost: number };
  /** Changes of the plan that do not change access. */
  readonly without_effect: number;
  /** Why changes of policies do not change access, as far as it is known; absent if there is no reason. */
  readonly no_effect?: readonly IdleEntry[];
  /** Lists that could not be read: access that depends on them is not compared. */
  readonly unread: readonly string[];
  readonly changes: readonly AccessChangeEntry[];
  /** What is granted, also in a new account. */
  readonly gains: readonly AccessGain[];
  /** Rights that the plan gives; absent if it gives none. */
  readonly rights?: readonly RightEntry[];
  /** Access that is out of bounds during the run. */
  readonly steps: readonly AccessStepEntry[];
  /** Absent if no action changes access. */
  readonly order?: AccessOrder;
}

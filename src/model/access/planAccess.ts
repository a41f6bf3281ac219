// Answers about access as people and programs read them: names only, no sets.
import type { ActionId } from '../names.ts';

/** Who takes part in a flow. */
export interface AccessParty {
  /** `group/on-call`, `peer/mia`, `network_resource/production/orders-db`, `4 machines`. */
  readonly name: string;
  /** Machines of today; empty for a network resource or route. */
  readonly machines: readonly string[];
  /** Who can still join: `group/on-call`, `setup_key/servers`, `user/mia@example.com`. */
  readonly members_to_come: readonly string[];
  /** The address or range, of a network resource or route. */
  readonly address?: string;
}

/** A rule, or an open route, that lets a flow through. */
export interface AccessGrant {
  readonly policy?: string;
  readonly rule?: string;
  /** The rule is bidirectional, and the flow runs against it. */
  readonly reverse?: true;
  /** A route without access-control groups: its routing machines accept everything. */
  readonly open_route?: string;
  /** The routing machines. */
  readonly through?: readonly string[];
}

/** Which sources pass the posture checks that a flow depends on. */
interface AccessPosture {
  readonly checks: readonly string[];
  readonly pass: readonly string[];
  readonly fail: readonly string[];
  readonly unknown: readonly string[];
}

/** Sources that reach destinations in one way. */
export interface AccessFlow {
  readonly from: AccessParty;
  readonly to: AccessParty;
  /** `tcp/22`, `tcp/8000-8100`, `udp/*`, `icmp`, `*`. */
  readonly ports: readonly string[];
  readonly via: readonly AccessGrant[];
  readonly posture?: AccessPosture;
}

/** Why sources do not reach destinations: the nearest miss. */
export interface AccessMiss {
  readonly code: MissCode;
  readonly message: string;
  readonly from: AccessParty;
  readonly to: AccessParty;
  /** What else is missing. */
  readonly also: readonly MissCode[];
}

/** Every reason why a flow is missing, most basic first. */
export const MISS_CODES = {
  NO_RULE: 'No rule has the source and the destination on its sides.',
  DISABLED: 'A policy, rule, network resource or route that would grant it is disabled.',
  NO_ROUTER: 'The network has no enabled router, or the route no routing peer.',
  NOT_APPROVED: 'A machine that takes part awaits approval.',
  DIRECTION: 'A rule grants the opposite direction only.',
  PORT: 'A rule grants other ports or another protocol.',
  POSTURE: 'The source fails a posture check, or may fail it.',
  NOT_DISTRIBUTED: 'The source does not receive the network resource or route.',
  NO_EDGE_TO_ROUTER: 'No policy connects the source with the routing peer of the route.',
  DROPPED_BY: 'A drop rule takes it away.',
} as const;

export type MissCode = keyof typeof MISS_CODES;

/** The answer to a question about access. */
export interface AccessAnswer {
  /** What was judged: the files, the live account, or saved answers. */
  readonly judged: string;
  readonly asked: { readonly from?: string; readonly to?: string };
  readonly flows: readonly AccessFlow[];
  /** Only where the reason was asked for. */
  readonly misses?: readonly AccessMiss[];
  /** Lists that could not be read. Access that depends on them is not part of the answer. */
  readonly unread: readonly string[];
}

/** Access that a plan changes, of some sources to some destinations in one protocol. */
export interface AccessChangeEntry {
  readonly change: 'gained' | 'lost' | 'changed';
  readonly from: string;
  readonly to: string;
  /** The address or range, of a network resource or route. */
  readonly address?: string;
  readonly protocol: 'tcp' | 'udp' | 'icmp' | 'all';
  /** Ports and ranges; `*` for all of them, and for protocols without ports. */
  readonly ports_before: readonly string[];
  readonly ports_after: readonly string[];
  /** Machines of today among the sources. */
  readonly machines: readonly string[];
  readonly members_to_come: readonly string[];
  readonly via: readonly AccessGrant[];
  readonly posture?: AccessPosture;
  /** The changes of the plan that it comes from. */
  readonly causes: readonly string[];
}

/** Access that is out of bounds for a part of a run: less than before and after the plan, or more than both. */
export interface AccessStepEntry {
  /** `ACCESS_GAP`: what both allow is missing. `ACCESS_OPENING`: there is what neither allows. */
  readonly code: 'ACCESS_GAP' | 'ACCESS_OPENING';
  readonly from: string;
  readonly to: string;
  /** The address or range, of a network resource or route. */
  readonly address?: string;
  /** `tcp/22`, `tcp/8000-8100`, `udp/*`, `icmp`, `*`. */
  readonly ports: readonly string[];
  /** Machines of today among the sources. */
  readonly machines: readonly string[];
  readonly members_to_come: readonly string[];
  /** Machines of today among the destinations; empty for a network resource or route. */
  readonly to_machines: readonly string[];
  /** The place of the action that it begins with, counted from 1. */
  readonly from_step: number;
  readonly from_action: ActionId;
  /** The place of the action that ends it. */
  readonly until_step: number;
  readonly until_action: ActionId;
  /** API calls after the one action until the end of the other. */
  readonly calls: number;
}

/** What became of the order of the actions, where access was looked at after each. */
export interface AccessOrder {
  /** `not_judged`: there were too many states to look at. */
  readonly status: 'in_bounds' | 'out_of_bounds' | 'not_judged';
  /** Entries that are left out of the list, for being too many. */
  readonly left_out: number;
  /** Pairs of actions whose usual order the plan gives up. */
  readonly given_up: readonly {
    /** What should come earlier, and comes later. */
    readonly earlier: ActionId;
    readonly later: ActionId;
    /** `access`: so that access stays in bounds. `constraint`: a hard constraint, or a stronger soft one, stands against it. */
    readonly because: 'access' | 'constraint';
  }[];
}

/** What a plan changes about access. */
export interface PlanAccess {
  /** `new-account`: the account held only what a new one holds. */
  readonly status: 'unchanged' | 'changed' | 'new-account';
  /** Machines of today whose access changes. */
  readonly machines: number;
  /** Flows that stay as they are; of a new account, those that it gets. Large accounts are not counted. */
  readonly flows?: number;
  /** Pairs of a machine of today and a destination. */
  readonly pairs: { readonly gained: number; readonly lost: number };
  /** Changes of the plan that change no access. */
  readonly without_effect: number;
  /** Lists that could not be read: access that depends on them is not compared. */
  readonly unread: readonly string[];
  readonly changes: readonly AccessChangeEntry[];
  /** Access that is out of bounds on the way. */
  readonly steps: readonly AccessStepEntry[];
  /** Absent where no action changes access. */
  readonly order?: AccessOrder;
}

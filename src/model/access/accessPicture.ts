// The access of a whole account as a picture: who reaches what, the policies, and the networks. Names only, no sets.
import type { ActionId } from '../names.ts';
import type { AccessChangeEntry, AccessGrant, MissCode } from './planAccess.ts';
import type { RuleUse } from './ruleUse.ts';

/** Everything that a page or a drawing shows of one state. */
export interface AccessPicture {
  readonly matrix: AccessMatrix;
  readonly policies: readonly PolicyPicture[];
  readonly networks: readonly NetworkPicture[];
  /** What is open to others than machines of the account. */
  readonly openings: readonly OpeningPicture[];
  /** Lists that could not be read. Access that depends on them is missing in the picture. */
  readonly unread: readonly string[];
}

/** Sources by destinations. A side is a class of members that all rules treat alike. */
export interface AccessMatrix {
  /** `peer/mia`, `group/on-call` for machines that join it: sides refer to these by index. */
  readonly members: readonly string[];
  readonly rows: readonly MatrixSide[];
  readonly columns: readonly MatrixSide[];
  /** The different contents of cells. */
  readonly verdicts: readonly MatrixVerdict[];
  /** By row: the column, the verdict, and the number of columns in a row with that verdict. */
  readonly cells: readonly (readonly number[])[];
  /** Classes that do not fit into a matrix of this size. */
  readonly left_out: { readonly rows: number; readonly columns: number };
  /** Pairs that a rule names and that have no access, beyond those with an explanation. */
  readonly unexplained: number;
}

export interface MatrixSide {
  readonly name: string;
  /** Indexes of members; empty for a network resource or route. */
  readonly members: readonly number[];
  /** Groups that all members are in, without All; for a network resource its groups. */
  readonly groups: readonly string[];
  /** The address or range, of a network resource or route. */
  readonly address?: string;
}

/**
 * The access of a source to a destination. With posture checks `pass`: all of the class pass, `fail`: they fail,
 * `unknown`: it cannot be determined. `blocked`: a rule names the pair, and something else prevents the access. `around`: the
 * source reaches the address, and not by what has it here.
 */
export type MatrixVerdict =
  | (GrantedAccess & { readonly around?: WaysAround })
  | {
      readonly status: 'blocked';
      readonly code: MissCode;
      readonly message: string;
      readonly also: readonly MissCode[];
      readonly around?: WaysAround;
    }
  | { readonly status: 'around'; readonly around: WaysAround };

export interface GrantedAccess {
  readonly status: 'reaches' | 'pass' | 'fail' | 'unknown';
  readonly ports: readonly string[];
  readonly via: readonly AccessGrant[];
  /** The posture checks that decide. */
  readonly checks: readonly string[];
  /** How it leads to the destination, where its own address does not show it. */
  readonly detours?: readonly string[];
}

/** What else leads to the address of a destination: a wider route, an exit node, another network resource, or a part of a range. */
export interface WaysAround {
  /** What all of them allow. */
  readonly ports: readonly string[];
  readonly ways: readonly WayAround[];
  /** How many ways are not listed. */
  readonly more?: number;
}

/** Access to another destination that has the same address. */
export interface WayAround extends GrantedAccess {
  /** `route/wide 10.20.0.0/16`. */
  readonly to: string;
}

export interface PolicyPicture {
  readonly name: string;
  /** Its name as an object. */
  readonly object: string;
  readonly isEnabled: boolean;
  readonly isTemporary: boolean;
  readonly checks: readonly string[];
  readonly rules: readonly RulePicture[];
}

export interface RulePicture {
  readonly name: string;
  readonly isEnabled: boolean;
  readonly isDrop: boolean;
  readonly isBidirectional: boolean;
  /** `tcp/22`, `udp/*`, `icmp`, `*`; `netbird-ssh` for that protocol. */
  readonly ports: readonly string[];
  readonly from: readonly RuleSide[];
  readonly to: readonly RuleSide[];
  /** What was observed of its use, if a store was read and the rule accepts something. */
  readonly use?: RuleUse;
}

export interface RuleSide {
  /** `members`: those of a group. */
  readonly type: 'members' | 'machine' | 'resource';
  /** `group/on-call`, `peer/mia`, `network_resource/production/orders-db`. */
  readonly name: string;
  /** Current machines. */
  readonly machines: number;
}

/** A network, or the routes of one network id. */
export interface NetworkPicture {
  /** `network/production`, `route/legacy`. */
  readonly name: string;
  readonly routers: readonly RouterPicture[];
  readonly resources: readonly ResourcePicture[];
}

export interface RouterPicture {
  /** `members`: those of a group. */
  readonly type: 'members' | 'machine';
  /** The group or peer that serves. */
  readonly name: string;
  readonly isEnabled: boolean;
  /** Machines of today that are approved. */
  readonly machines: number;
}

export interface ResourcePicture {
  readonly name: string;
  readonly address: string;
  readonly isEnabled: boolean;
  /** Groups that it is in; of a route, its access-control groups. */
  readonly groups: readonly string[];
  /** The groups that a route is distributed to. */
  readonly receivers?: readonly RuleSide[];
  /** What else leads to its address or to a part of it. */
  readonly around?: readonly AddressPicture[];
}

/** `route/wide`, and the address that it has. */
export interface AddressPicture {
  readonly name: string;
  readonly address: string;
}

/** A port that an ingress peer opens, or a service of the reverse proxy. */
export interface OpeningPicture {
  /** Whether a service of the reverse proxy opens it, and not an ingress peer. */
  readonly isService: boolean;
  readonly name: string;
  /** `internet`, `users of group/sales`. */
  readonly from: string;
  readonly to: RuleSide;
  readonly ports: readonly string[];
}

/** How the access of a source to a destination changes: all of it, or a part. */
export type PairChange = 'gained' | 'lost' | 'changed';

/** A change of what a rule, a route or an opening grants, on the sides that have pairs of it. */
export interface PictureChange {
  readonly change: PairChange;
  /** What grants it after the change, or before if it is lost. */
  readonly by: Omit<AccessGrant, 'through' | 'reverse'>;
  /** Names of sides: `group/on-call`. */
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** Of its pairs, the destinations that a network or a route offers: `network_resource/production/orders-db`, `route/legacy 10.1.0.0/16`. */
  readonly offered: readonly string[];
}

/** The pictures of two states whose matrices have the same sides. Objects have the names of the later state in both. */
export interface ComparedPictures {
  readonly before: AccessPicture;
  readonly after: AccessPicture;
  readonly changes: readonly PictureChange[];
}

/** The access after a part of an apply, compared with that before it. */
export interface AccessStep {
  /** The position of the action that leads there, counted from 1. */
  readonly position: number;
  readonly action: ActionId;
  /** What has changed since the beginning. */
  readonly changes: readonly AccessChangeEntry[];
}

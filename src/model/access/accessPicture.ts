// The access of a whole account as a picture: who reaches which destinations, the policies, and the networks. It contains names
// only, no sets.
import type { ActionId } from '../names.ts';
import type { AccessChangeEntry, AccessGrant, MissCode } from './planAccess.ts';
import type { RuleUse } from './ruleUse.ts';

/** All data of one state for a page or a drawing. */
export interface AccessPicture {
  readonly matrix: AccessMatrix;
  readonly policies: readonly PolicyPicture[];
  readonly networks: readonly NetworkPicture[];
  /** Ports and services that are open to callers other than machines of the account. */
  readonly openings: readonly OpeningPicture[];
  /** Lists that could not be read. Access that depends on them is missing from the picture. */
  readonly unread: readonly string[];
}

/** A matrix of sources by destinations. A side is a class of members that all rules treat alike. */
export interface AccessMatrix {
  /** The members of all sides, which refer to them by index: `peer/mia`; `group/on-call` for machines that join the group. */
  readonly members: readonly string[];
  /** The ids of the members, in the same order. For a member without an id, its name. */
  readonly member_ids: readonly string[];
  readonly rows: readonly MatrixSide[];
  readonly columns: readonly MatrixSide[];
  /** The different contents of cells. */
  readonly verdicts: readonly MatrixVerdict[];
  /** The cells of each row: the column, the verdict, and the number of successive columns with that verdict. */
  readonly cells: readonly (readonly number[])[];
  /** The numbers of classes that do not fit into a matrix of this size. */
  readonly left_out: { readonly rows: number; readonly columns: number };
  /** The number of pairs that a rule names, that have no access, and that this matrix does not explain. */
  readonly unexplained: number;
}

export interface MatrixSide {
  readonly name: string;
  /** Indexes of members; empty for a network resource or route. */
  readonly members: readonly number[];
  /** Groups that contain all members, without All; for a network resource, its groups. */
  readonly groups: readonly string[];
  /** The address or range of a network resource or route. */
  readonly address?: string;
  /**
   * The ids of the objects that this side represents: a single group, or network resources and
   * routes. For an object without an id, its name. Absent if the side represents its members.
   */
  readonly ids?: readonly string[];
}

/**
 * The access of a source to a destination. With posture checks, `pass`: all machines of the class pass; `fail`: all of them fail;
 * `unknown`: the result cannot be determined. `blocked`: a rule names the pair, but something else prevents the access. `around`:
 * the source reaches the address, but not through the object that has the address here.
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
  /** The ids of the policies, routes and ingress ports that grant the access. For an object without an id, its name. */
  readonly via_ids: readonly string[];
  /** The posture checks that decide the access. */
  readonly checks: readonly string[];
  /** How the access leads to the destination, if the destination's own address does not show it. */
  readonly detours?: readonly string[];
}

/**
 * Other paths to the address of a destination: a wider route, an exit node, another network
 * resource, or a route to a part of a range.
 */
export interface WaysAround {
  /** The ports that every one of these paths allows. */
  readonly ports: readonly string[];
  readonly ways: readonly WayAround[];
  /** The number of paths that are not listed. */
  readonly more?: number;
}

/** Access to another destination with the same address. */
export interface WayAround extends GrantedAccess {
  /** The destination: `route/wide 10.20.0.0/16`. */
  readonly to: string;
}

export interface PolicyPicture {
  readonly name: string;
  /** The name of the destination without its address. */
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
  /** `tcp/22`, `udp/*`, `icmp`, `*`; `netbird-ssh` for the protocol of that name. */
  readonly ports: readonly string[];
  readonly from: readonly RuleSide[];
  readonly to: readonly RuleSide[];
  /** The observed use of the rule, if a store was read and the rule accepts traffic. */
  readonly use?: RuleUse;
}

export interface RuleSide {
  /** `members`: the members of a group. */
  readonly type: 'members' | 'machine' | 'resource';
  /** `group/on-call`, `peer/mia`, `network_resource/production/orders-db`. */
  readonly name: string;
  /** Current machines. */
  readonly machines: number;
  /**
   * For a group, a text that identifies its current machines: it is equal in both states of a comparison if the machines are the
   * same.
   */
  readonly members?: string;
  /** Resources and routes that lead to the overlay address of one of its machines. */
  readonly around?: readonly AddressPicture[];
}

/** A network, or all routes with one network id. */
export interface NetworkPicture {
  /** `network/production`, `route/legacy`. */
  readonly name: string;
  readonly routers: readonly RouterPicture[];
  readonly resources: readonly ResourcePicture[];
}

export interface RouterPicture {
  /** `members`: the members of a group. */
  readonly type: 'members' | 'machine';
  /** The group or peer whose machines route to the network. */
  readonly name: string;
  readonly isEnabled: boolean;
  /** Current machines that are approved. */
  readonly machines: number;
}

export interface ResourcePicture {
  readonly name: string;
  readonly address: string;
  readonly isEnabled: boolean;
  /** Groups that contain the resource; for a route, its access-control groups. */
  readonly groups: readonly string[];
  /** The groups to which a route is distributed. */
  readonly receivers?: readonly RuleSide[];
  /** Other ways to the address of the resource, or to a part of it. */
  readonly around?: readonly AddressPicture[];
}

/** A network resource or a route, such as `route/wide`, and its address. */
export interface AddressPicture {
  readonly name: string;
  readonly address: string;
}

/** A port that an ingress peer opens, or a service of the reverse proxy. */
export interface OpeningPicture {
  /** Whether a service of the reverse proxy opens the port. Otherwise, an ingress peer does. */
  readonly isService: boolean;
  readonly name: string;
  /** `internet`, `users of group/sales`. */
  readonly from: string;
  readonly to: RuleSide;
  readonly ports: readonly string[];
}

/**
 * How the access of a source to a destination changes. `gained`: only new ports; `lost`: only lost ports; `changed`: both, or
 * other posture checks or rules.
 */
export type PairChange = 'gained' | 'lost' | 'changed';

/** A change of the access that a rule, a route or an opening grants, with the sources and destinations of the affected pairs. */
export interface PictureChange {
  readonly change: PairChange;
  /** The object that grants the access after the change, or before the change if the access is lost. */
  readonly by: Omit<AccessGrant, 'through' | 'reverse'>;
  /** Names of sides: `group/on-call`. */
  readonly from: readonly string[];
  readonly to: readonly string[];
  /**
   * Those destinations of the affected pairs that a network or a route offers: `network_resource/production/orders-db`,
   * `route/legacy 10.1.0.0/16`.
   */
  readonly offered: readonly string[];
}

/**
 * The pictures of two states whose matrices have the same sides. Both pictures show the names that objects have in the later
 * state.
 */
export interface ComparedPictures {
  readonly before: AccessPicture;
  readonly after: AccessPicture;
  readonly changes: readonly PictureChange[];
}

/** A change of access since the beginning of an apply. */
export interface AccessStepChange extends AccessChangeEntry {
  /**
   * The position of the later action that reverts the change: it restores all access that was lost, or removes all that was
   * gained. Absent if the change lasts.
   */
  readonly until_step?: number;
}

/** The access after a part of an apply, compared with the access before that part. */
export interface AccessStep {
  /** The position of the last action of the part, counted from 1. */
  readonly position: number;
  readonly action: ActionId;
  /** The changes of access since the beginning of the apply. */
  readonly changes: readonly AccessStepChange[];
}

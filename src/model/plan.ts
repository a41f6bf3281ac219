// A plan: everything a run would do, as a value that can be stored, shown and carried out later.

import type { AccessGates } from './access/accessGates.ts';
import type { PlanAccess } from './access/planAccess.ts';
import type { LeftAlone, ShownChange } from './change.ts';
import type { HazardCode } from './codes.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { ActionId, Address, Key, KindName, RemoteId } from './names.ts';
import type { Desired } from './object.ts';
import type { ShownFields } from './secrets/shown.ts';
import type { Fields } from './value.ts';

/** Something about an action that a person must accept by name. */
export interface Hazard {
  readonly code: HazardCode;
  /** One sentence with the object in it. */
  readonly message: string;
  /** Whether `--allow` has accepted it. */
  readonly allowed: boolean;
}

interface ActionBase {
  readonly id: ActionId;
  readonly address: Address;
  readonly kind: KindName;
  readonly key: Key;
  /** The key of the object it nests in. */
  readonly parent?: Key;
  /** The key of the declared object, where the server keeps that in several and this is one of them. */
  readonly partOf?: Key;
  /** Actions that must be done before this one starts. */
  readonly after: readonly ActionId[];
  /** Live objects it writes, directly or through the other side of a fact. Actions that share one never overlap. */
  readonly writes: readonly Address[];
  readonly hazards: readonly Hazard[];
  /** Number of requests it takes if nothing goes wrong. */
  readonly requests: number;
  readonly precondition: Precondition;
}

/** No live object of the identity is under the parent, except those that the plan saw there, by id. */
export interface Absent {
  readonly type: 'absent';
  readonly except: readonly RemoteId[];
}

/** The object is what the plan saw, by a digest of the fields that matter to the action. */
export interface Unchanged {
  readonly type: 'unchanged';
  readonly digest: string;
  /** Paths of secrets with a visible host, which no digest covers: there the account holds what the files say. */
  readonly as_declared?: readonly string[];
}

/** The object is what the plan saw, and so are the objects that the server deletes with it. */
export interface UnchangedWhole extends Unchanged {
  readonly children: readonly SeenChildren[];
}

/** The objects of one kind inside an object, as the plan saw them. */
export interface SeenChildren {
  readonly kind: KindName;
  readonly objects: readonly { readonly id: RemoteId; readonly digest: string }[];
}

/** What must hold just before an action. Where it does not hold, the action is refused as stale. */
type Precondition = Absent | Unchanged | UnchangedWhole;

/** Makes an object; `fields` are canonical, pointers are keys. */
export interface CreateAction<F extends Fields = Fields> extends ActionBase {
  readonly verb: 'create';
  readonly fields: F;
  readonly precondition: Absent;
}

/** Members of a set that others own too, as far as the files speak of them. */
export interface Members {
  readonly add: readonly string[];
  readonly remove: readonly string[];
  readonly keep: readonly string[];
}

/** A set that the run creates, into which the server moves members by itself, and the members that it is to have. */
export interface RestoredSet {
  readonly kind: KindName;
  readonly key: Key;
  readonly field: string;
  readonly members: readonly string[];
}

/** Changes an object. `fields` are all that the files own, canonical, pointers as keys. */
export interface UpdateAction<F extends Fields = Fields> extends ActionBase {
  readonly verb: 'update';
  readonly remoteId: RemoteId;
  /** The id of the object it nests in as the account has it; `parent` names where it is to be. */
  readonly parentId?: RemoteId;
  readonly fields: F;
  /** What becomes of sets that others own too, by field. */
  readonly members: Readonly<Record<string, Members>>;
  /**
   * Ids of members, by field, that an earlier action of the run moves in or out: whether they are there when this one begins
   * is not held against the plan.
   */
  readonly moving?: Readonly<Record<string, readonly RemoteId[]>>;
  /** Sets that are read once the update is done, and written again where the server has moved other members into them. */
  readonly restores?: readonly RestoredSet[];
  /** Its digest is of the fields that the update writes. */
  readonly precondition: Unchanged;
}

/** Deletes an object. */
export interface DeleteAction extends ActionBase {
  readonly verb: 'delete';
  readonly remoteId: RemoteId;
  readonly parentId?: RemoteId;
  readonly precondition: UnchangedWhole;
}

/** One turn of calls. */
export type Action<F extends Fields = Fields> = CreateAction<F> | UpdateAction<F> | DeleteAction;

/** An action as a plan holds it. */
export type ShownAction = Action<ShownFields>;

/** The ids that the plan's keys stood for when it was made. */
export interface Pin {
  readonly kind: KindName;
  readonly key: Key;
  readonly id: RemoteId;
  /** What the server alone sets of it, where a pointer to it must say so. */
  readonly serverFields?: Fields;
}

/** Bases that a run knows of besides its own, which must lose nothing when the run is recorded as the next. */
export interface Recorded {
  /** What they declared. */
  readonly objects: readonly Desired[];
  /** The commits that they are from, that of the run's own base among them. */
  readonly commits: readonly string[];
}

/** What recording a plan as the next base would come after. */
export interface PlanBase {
  /** The commits of the bases that the plan was held against. */
  readonly commits: readonly string[];
  /** Objects that these declared, that the files no longer do, and that the plan leaves in the account. */
  readonly unpruned: readonly Address[];
}

/** The requests of a plan and of its apply. */
export interface PlanRequests {
  readonly made: number;
  readonly planned: number;
  /** Requests a minute that the apply may send, where that is known. */
  readonly rate?: number;
  /** An estimate of how long the apply takes. */
  readonly seconds?: number;
}

/** Two actions in an order that was wanted to keep access, and that the plan does not have. */
export interface GivenUp {
  readonly earlier: ActionId;
  readonly later: ActionId;
}

/** The actions of a plan in another order. */
interface Rearranged {
  readonly actions: readonly ShownAction[];
  readonly givenUp: readonly GivenUp[];
}

/**
 * Puts the actions of a plan in another order, in which what is given comes one after the other; the rest stays as it is
 * wherever it can. Null where the API makes that impossible.
 */
export type Rearrange = (
  pairs: readonly { readonly earlier: ActionId; readonly later: ActionId }[],
) => Rearranged | null;

export interface Plan {
  readonly dialect: string;
  /** The account that it was made for, by the id of that account's own group of everybody. */
  readonly account?: RemoteId;
  /** The server's address when it was made, without credentials. */
  readonly server?: string;
  /** When a plan that was saved was made, as RFC 3339. Tells it from others that would do the same. */
  readonly madeAt?: string;
  /** The git revision that the files are from, where they are from one. */
  readonly revision?: string;
  /** Not there for a plan without a base. */
  readonly base?: PlanBase;
  /** Where the files are, as the user called it: secrets from files are looked for there. */
  readonly folder: string;
  /** By kind, in the order people read it. */
  readonly changes: readonly ShownChange[];
  /** In an order that satisfies every `after`. */
  readonly actions: readonly ShownAction[];
  readonly leftAlone: readonly LeftAlone[];
  readonly pins: readonly Pin[];
  readonly diagnostics: readonly Diagnostic[];
  /** Requests it took to make the plan, and requests that carrying it out should take. */
  readonly requests: PlanRequests;
  /** Number of declared objects, those without a change included. */
  readonly declared: number;
  /** What it changes about who reaches what; absent where that was not asked for. */
  readonly access?: PlanAccess;
  /** What that was held against; absent where nothing is declared that judges access. */
  readonly gates?: AccessGates;
  /** Number of declared objects that the run was told to leave out. */
  readonly unselected?: number;
}

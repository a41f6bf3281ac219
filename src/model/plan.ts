// A plan: everything a run would do, as a value that can be stored, shown and carried out later.

import type { AccessGates } from './access/accessGates.ts';
import type { PlanAccess } from './access/planAccess.ts';
import type { Called } from './called.ts';
import type { LeftAlone, SecretRenewal, ShownChange } from './change.ts';
import type { HazardCode } from './codes.ts';
import type { Diagnostic, Span } from './diagnostic.ts';
import type { LoosenedGuard } from './guards.ts';
import type { MissingObject } from './missing.ts';
import type { ActionId, Address, Key, KindName, RemoteId } from './names.ts';
import type { Desired } from './object.ts';
import type { BaseContent } from './recordedBase.ts';
import type { ShownFields } from './secrets/shown.ts';
import type { SuggestedRenames } from './suggestedRename.ts';
import type { Fields, Path } from './value.ts';

/** A risk of an action that a person must accept by name. */
export interface Hazard {
  readonly code: HazardCode;
  /** One sentence that names the object. */
  readonly message: string;
  /** Whether `--allow` accepts it. */
  readonly allowed: boolean;
}

interface ActionBase {
  readonly id: ActionId;
  readonly address: Address;
  readonly kind: KindName;
  readonly key: Key;
  /** The key of its parent. */
  readonly parent?: Key;
  /** The key of the declared object, if the server keeps that object in parts and this is a part. */
  readonly partOf?: Key;
  /** Actions that must be done before this one starts. */
  readonly after: readonly ActionId[];
  /** Live objects it writes, directly or through a mirrored field. Actions that share one never overlap. */
  readonly writes: readonly Address[];
  readonly hazards: readonly Hazard[];
  /** It deletes an object that has ended, and nothing else: that it deletes it needs no allowance. */
  readonly ended?: true;
  /** The number of requests if nothing goes wrong. */
  readonly requests: number;
  readonly precondition: Precondition;
}

/** No live object of the identity is under the parent, except those that the plan saw there, by id. */
export interface Absent {
  readonly type: 'absent';
  readonly except: readonly RemoteId[];
}

/** The object is as the plan saw it, by a digest of the fields that matter to the action. */
export interface Unchanged {
  readonly type: 'unchanged';
  readonly digest: string;
  /** Paths of secrets with a visible host, which no digest covers: there the account has the declared values. */
  readonly as_declared?: readonly string[];
}

/** The object is as the plan saw it, and so are the objects that the server deletes with it. */
export interface UnchangedWhole extends Unchanged {
  readonly children: readonly SeenChildren[];
}

/** The children of one kind, as the plan saw them. */
export interface SeenChildren {
  readonly kind: KindName;
  readonly objects: readonly { readonly id: RemoteId; readonly digest: string }[];
}

/** The condition that must hold just before an action. If it does not hold, the action is refused as stale. */
type Precondition = Absent | Unchanged | UnchangedWhole;

/** Creates an object; `fields` are canonical, references are keys. */
export interface CreateAction<F extends Fields = Fields> extends ActionBase {
  readonly verb: 'create';
  /** When the object ends, as written: a later run knows by it that it may end the object. */
  readonly until?: string;
  readonly fields: F;
  readonly precondition: Absent;
}

/** The declared changes of the members of a shared set. */
export interface Members {
  readonly add: readonly string[];
  readonly remove: readonly string[];
  readonly keep: readonly string[];
}

/** A set that the run creates and into which the server moves members, with the members that it must have. */
export interface RestoredSet {
  readonly kind: KindName;
  readonly key: Key;
  readonly field: string;
  readonly members: readonly string[];
}

/** Updates an object. `fields` are all fields that the files own, canonical, with references as keys. */
export interface UpdateAction<F extends Fields = Fields> extends ActionBase {
  readonly verb: 'update';
  readonly remoteId: RemoteId;
  /** The id of its current parent; `parent` names the new one. */
  readonly parentId?: RemoteId;
  readonly fields: F;
  /** The changes of shared sets, by field. */
  readonly members: Readonly<Record<string, Members>>;
  /**
   * Ids of members, by field, that an earlier action of the run moves in or out: the precondition ignores whether they
   * are present.
   */
  readonly moving?: Readonly<Record<string, readonly RemoteId[]>>;
  /** After the update, the object gets a new one-time secret. Without fields and members, that is all. */
  readonly renews?: SecretRenewal;
  /** Sets that are read after the update, and written again if the server has moved other members into them. */
  readonly restores?: readonly RestoredSet[];
  /** Its digest is of the fields that the update writes, and of those that decide whom the object lets in from outside. */
  readonly precondition: Unchanged;
}

/** Deletes an object. */
export interface DeleteAction extends ActionBase {
  readonly verb: 'delete';
  readonly remoteId: RemoteId;
  readonly parentId?: RemoteId;
  readonly precondition: UnchangedWhole;
}

/** One action of a plan. */
export type Action<F extends Fields = Fields> = CreateAction<F> | UpdateAction<F> | DeleteAction;

/** An action as a plan contains it. */
export type ShownAction = Action<ShownFields>;

/** The ids of the keys at the time of planning. */
export interface Pin {
  readonly kind: KindName;
  readonly key: Key;
  readonly id: RemoteId;
  /** The read-only fields of the object that a reference to it must contain. */
  readonly serverFields?: Fields;
}

/** Other bases that must not lose a removal if the run is recorded as the next base. */
export interface Recorded {
  /** Their declarations. */
  readonly objects: readonly Desired[];
  /** Their commits, including that of the base of the run. */
  readonly commits: readonly string[];
  /** The commit of the recorded base of the folder, if it is among them. */
  readonly recorded?: string;
  /** Whether a person said that this is the first run of the folder. */
  readonly isFirst?: boolean;
  /** Whether the run is compared with any base, also an empty one: otherwise nothing says what was applied before. */
  readonly hasBase?: boolean;
}

/** The earlier bases, if the plan is recorded as the next base. */
export interface PlanBase {
  /** The commits of the bases that the plan was compared with. */
  readonly commits: readonly string[];
  /** The commit of the recorded base of the folder, if it is among them: an apply verifies its signature. */
  readonly recorded?: string;
  /** Commits of bases of other folders: they alone declare objects that would be removals. An apply verifies them too. */
  readonly believed?: readonly string[];
  /** A person said that this is the first run of the folder: it has no base, although the account has others. */
  readonly first?: true;
  /** Objects of these bases that the files no longer declare, and that the plan leaves in the account. */
  readonly unpruned: readonly Address[];
  /** What the next base is, once the plan is applied; absent for a plan that cannot be saved or recorded. */
  readonly content?: BaseContent;
}

/** The requests of a plan and of its apply. */
export interface PlanRequests {
  readonly made: number;
  readonly planned: number;
  /** The requests per minute that the apply may send, if known. */
  readonly rate?: number;
  /** An estimate of how long the apply takes. */
  readonly seconds?: number;
}

/** Two actions whose order in the plan is the reverse of the order that would keep access. */
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
 * Reorders the actions of a plan so that the given ones come in this order; the others stay in place if possible. Null
 * if the API makes that impossible.
 */
export type Rearrange = (
  pairs: readonly { readonly earlier: ActionId; readonly later: ActionId }[],
) => Rearranged | null;

/** An end as plans and reports show it. */
export interface ShownEnding {
  readonly kind: KindName;
  readonly key: Key;
  /** The member that ends, and the field that lists it; absent if the object itself ends. */
  readonly member?: string;
  readonly list?: string;
  /** When it ends, in RFC 3339. */
  readonly until: string;
  /** Where the files say so; not part of a saved plan. */
  readonly at?: Span;
}

/** The ends of a plan in whose files something ends. */
export interface PlanEndings {
  /** The reading of the clock that decided what has ended, in RFC 3339. */
  readonly clock: string;
  /** What has ended and is still in the account. */
  readonly overdue: readonly ShownEnding[];
  /** What ends within the time that the run was asked about; absent if it was not. */
  readonly expiring?: readonly ShownEnding[];
  /** The end that comes next: from then on, the plan is stale. */
  readonly next?: ShownEnding;
  /** The last end that the plan carries out: by an earlier clock, the plan is stale. */
  readonly last?: ShownEnding;
  /** What the ends alone do, if the plan is judged by guards. */
  readonly alone?: { readonly actions: readonly ShownAction[]; readonly pins: readonly Pin[] };
}

/** An end that the base has: what the plan takes away before it, an undo does not restore after it. */
export interface FormerEnd {
  readonly kind: KindName;
  /** The name in the base. */
  readonly key: Key;
  /** The live object; absent if the account has none, or keeps it in parts. */
  readonly id?: RemoteId;
  /** The member that ends; absent if the object itself ends. */
  readonly member?: string;
  /** Its live object, if it names one. */
  readonly member_id?: RemoteId;
  /** The path of its list, with the keys of items in place of their indexes. */
  readonly list?: Path;
  /** When it ends, in RFC 3339. */
  readonly until: string;
}

export interface Plan {
  readonly dialect: string;
  /** The account of the plan, by the id of its built-in group of all peers. */
  readonly account?: RemoteId;
  /** The address of the server, without credentials. */
  readonly server?: string;
  /** When the plan was saved, in RFC 3339; absent for a plan that was not. Its digest covers it. */
  readonly madeAt?: string;
  /** The git revision of the files, if they have one. */
  readonly revision?: string;
  /** Absent for a plan without a base. */
  readonly base?: PlanBase;
  /** The folder of the files, as the user wrote it: files of secrets are in it. */
  readonly folder: string;
  /** The folders of its other layers, by their paths from that folder; absent without layers. */
  readonly layers?: readonly string[];
  /** By kind, in reading order. */
  readonly changes: readonly ShownChange[];
  /** In an order that satisfies every `after`. */
  readonly actions: readonly ShownAction[];
  readonly leftAlone: readonly LeftAlone[];
  readonly pins: readonly Pin[];
  readonly diagnostics: readonly Diagnostic[];
  /** Requests that the plan took, and requests that the apply will take. */
  readonly requests: PlanRequests;
  /** The number of declared objects, with or without a change. */
  readonly declared: number;
  /** What it changes about access; absent if that was not requested. */
  readonly access?: PlanAccess;
  /** The results of its access tests and guards; absent if there are none. */
  readonly gates?: AccessGates;
  /** The guards that were last applied and that the files loosen; absent without a base. */
  readonly loosened?: readonly LoosenedGuard[];
  /** The unfinished applies whose objects counted as declared by the base: a complete apply of the plan closes them. */
  readonly countedRuns?: readonly string[];
  /** What ends; absent if nothing in the files does. */
  readonly endings?: PlanEndings;
  /** The ends in the base; absent if it has none, or if the plan only creates objects. */
  readonly formerEnds?: readonly FormerEnd[];
  /** Objects that the files name and that are missing from the account; not part of a saved plan. */
  readonly missing?: readonly (MissingObject & { readonly address: Address; readonly at: Span })[];
  /**
   * Differences of the account that the plan does not take back, because the objects cannot be written as declared without what is
   * missing or waited for; not part of a saved plan.
   */
  readonly held?: readonly ShownChange[];
  /** Renames that the files do not tell of, if they were asked for; not part of a saved plan. */
  readonly renames?: SuggestedRenames;
  /** The number of declared objects that the run leaves out on request. */
  readonly unselected?: number;
  /** Objects that are identified by id in it, with their names for people; absent if there are none. */
  readonly called?: readonly Called[];
}

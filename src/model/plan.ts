// A plan: all actions of a run, as a value that can be stored, shown and carried out later.

import type { AccessGates } from './access/accessGates.ts';
import type { JudgedWith } from './access/judgedWith.ts';
import type { PlanAccess } from './access/planAccess.ts';
import type { LeftAlone, LeftByRun, SecretRenewal, ShownChange } from './change.ts';
import type { HazardCode } from './codes.ts';
import type { Diagnostic, Span } from './diagnostic.ts';
import type { NotCommitted } from './fileRevision.ts';
import type { LoosenedGuard } from './guards.ts';
import type { LabelledId } from './idLabels.ts';
import type { MissingObject } from './missingObjects.ts';
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
  /** The sentence without its number and the names of the counted objects; absent if it counts nothing. */
  readonly says?: string;
  /**
   * The objects that the message counts, as `peer/<id>`, and the sets whose future members it includes; absent if nothing is
   * counted or the number is unknown.
   */
  readonly concerned?: readonly string[];
  /** Whether `--allow` accepts the hazard. */
  readonly allowed: boolean;
}

interface ActionBase {
  readonly id: ActionId;
  readonly address: Address;
  readonly kind: KindName;
  readonly key: Key;
  /** The key of its parent. */
  readonly parent?: Key;
  /**
   * Present if the server stores the declared object in several parts, of which this object is one: the key of the declared
   * object.
   */
  readonly partOf?: Key;
  /** Actions that must be done before this one starts. */
  readonly after: readonly ActionId[];
  /** Live objects that the action writes, directly or through a mirrored field. Actions with a common object never overlap. */
  readonly writes: readonly Address[];
  readonly hazards: readonly Hazard[];
  /** The action only deletes an object whose end time has passed. Such a deletion needs no allowance. */
  readonly ended?: true;
  /** The number of requests if every request succeeds at once. */
  readonly requests: number;
  readonly precondition: Precondition;
}

/** The parent has no live object with this identity, except those that the plan saw there by id. */
export interface Absent {
  readonly type: 'absent';
  readonly except: readonly RemoteId[];
}

/** The object is unchanged since the plan, by a digest of the fields that matter to the action. */
export interface Unchanged {
  readonly type: 'unchanged';
  readonly digest: string;
  /** Paths of secrets with a visible host. No digest covers them: at these paths, the account must have the declared values. */
  readonly as_declared?: readonly string[];
}

/** The object is unchanged since the plan, and so are the objects that the server deletes with it. */
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

/** Creates an object. `fields` are canonical, with references as keys. */
export interface CreateAction<F extends Fields = Fields> extends ActionBase {
  readonly verb: 'create';
  /** The end time of the object, as written. It shows a later run that it may delete the object. */
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

/** A set that the run creates and into which the server moves members, with the members that the set must have in the end. */
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
  /** The id of the current parent; `parent` names the new parent. */
  readonly parentId?: RemoteId;
  readonly fields: F;
  /** The changes of shared sets, by field. */
  readonly members: Readonly<Record<string, Members>>;
  /**
   * The ids of members that an earlier action of the run moves in or out, by field. The precondition does not check whether these
   * members are present.
   */
  readonly moving?: Readonly<Record<string, readonly RemoteId[]>>;
  /** After the update, the object gets a new one-time secret. Without fields and members, that is all. */
  readonly renews?: SecretRenewal;
  /** Sets that are read after the update, and written again if the server moved other members into them. */
  readonly restores?: readonly RestoredSet[];
  /** The digest covers the fields that the update writes, and the fields that decide whom the object admits from outside. */
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

/** The id that a key denoted when the plan was created. */
export interface Pin {
  readonly kind: KindName;
  readonly key: Key;
  readonly id: RemoteId;
  /** The read-only fields of the object that a reference to it must contain. */
  readonly serverFields?: Fields;
}

/** Other bases. If the run is recorded as the next base, it must not lose a removal that these bases still require. */
export interface Recorded {
  /** The declarations of these bases. */
  readonly objects: readonly Desired[];
  /** The commits of these bases, including the base of the run. */
  readonly commits: readonly string[];
  /** The commit of the folder's recorded base, if it is among `commits`. */
  readonly recorded?: string;
  /** Whether a person said that this is the first run of the folder. */
  readonly isFirst?: boolean;
  /** Whether the run is compared with any base, even an empty one: without a base, no record shows what was applied before. */
  readonly hasBase?: boolean;
}

/** The earlier bases, if the plan is recorded as the next base. */
export interface PlanBase {
  /** The commits of the bases with which the plan was compared. */
  readonly commits: readonly string[];
  /** The commit of the folder's recorded base, if it is among `commits`: an apply verifies its signature. */
  readonly recorded?: string;
  /**
   * Commits of bases of other folders. Only these bases declare certain objects, which would otherwise be removed, so an apply
   * verifies these commits too.
   */
  readonly believed?: readonly string[];
  /**
   * A person said that this is the first run of the folder. The folder has no base, although other folders of the account have
   * bases.
   */
  readonly first?: true;
  /** Objects of these bases that the files no longer declare, and that the plan leaves in the account. */
  readonly unpruned: readonly Address[];
  /** The content of the next base after the plan is applied; absent for a plan that cannot be saved or recorded. */
  readonly content?: BaseContent;
}

/** The numbers of requests of a plan and of its apply. */
export interface PlanRequests {
  readonly made: number;
  readonly planned: number;
  /** The requests per minute that the apply may send, if known. */
  readonly rate?: number;
  /** The estimated duration of the apply, in seconds. */
  readonly seconds?: number;
}

/** Two actions whose order in the plan is the reverse of the order that would keep access. */
export interface GivenUp {
  readonly earlier: ActionId;
  readonly later: ActionId;
}

/** The actions of a plan in another order, and the soft constraints that this order gives up. */
interface Rearranged {
  readonly actions: readonly ShownAction[];
  readonly givenUp: readonly GivenUp[];
}

/**
 * Returns the actions of a plan reordered so that the given pairs have the given order; the other actions stay in place if
 * possible. Null if the API makes that order impossible.
 */
export type Rearrange = (
  pairs: readonly { readonly earlier: ActionId; readonly later: ActionId }[],
) => Rearranged | null;

/** The end time of an object or a member, in the form of plans and reports. */
export interface ShownEnding {
  readonly kind: KindName;
  readonly key: Key;
  /** The member that expires, and the field that lists it; absent if the object itself expires. */
  readonly member?: string;
  readonly list?: string;
  /** The end time, in RFC 3339. */
  readonly until: string;
  /** The place of the end time in the files; not part of a saved plan. */
  readonly at?: Span;
}

/** The end times of a plan whose files contain end times. */
export interface PlanEndings {
  /** The time of the clock that decided which end times had passed, in RFC 3339. */
  readonly clock: string;
  /** Objects and members whose end time has passed, and that are still in the account. */
  readonly overdue: readonly ShownEnding[];
  /** Objects and members whose end time is within the requested period; absent if no period was requested. */
  readonly expiring?: readonly ShownEnding[];
  /** The next end time: from then on, the plan is stale. */
  readonly next?: ShownEnding;
  /** The last end time on which the plan acts: if the clock is before it, the plan is stale. */
  readonly last?: ShownEnding;
  /**
   * The actions and pins of a plan that only removes expired objects and members. Present if guards
   * evaluate the plan.
   */
  readonly alone?: { readonly actions: readonly ShownAction[]; readonly pins: readonly Pin[] };
}

/**
 * An end time in the base, or one that the plan gives to a member. If the plan, or an undo of it, removes the object or member
 * before this time, an undo after this time does not restore it.
 */
export interface FormerEnd {
  readonly kind: KindName;
  /** The name in the base, or in the files. */
  readonly key: Key;
  /** The live object; absent if the account has none, or keeps the object in parts. */
  readonly id?: RemoteId;
  /** The member that expires; absent if the object itself expires. */
  readonly member?: string;
  /** The live object of the member, if the member is a reference. */
  readonly member_id?: RemoteId;
  /** The path of the member's list, with the keys of items in place of their indexes. */
  readonly list?: Path;
  /** The end time, in RFC 3339. */
  readonly until: string;
}

export interface Plan {
  readonly dialect: string;
  /** The account of the plan, by the id of its built-in group of all peers. */
  readonly account?: RemoteId;
  /** The address of the server, without credentials. */
  readonly server?: string;
  /** The time at which the plan was saved, in RFC 3339; absent for an unsaved plan. The digest of the plan covers it. */
  readonly madeAt?: string;
  /** The git revision of the files; absent if they have none. */
  readonly revision?: string;
  /** Why the files have no revision, if that was asked; not part of a saved plan. */
  readonly notCommitted?: NotCommitted;
  /** Absent for a plan without a base. */
  readonly base?: PlanBase;
  /** The folder of the files, as the user wrote it: it contains the files of secrets. */
  readonly folder: string;
  /** The folders of the other layers, by their paths from `folder`; absent without layers. */
  readonly layers?: readonly string[];
  /** The changes by kind, in reading order. */
  readonly changes: readonly ShownChange[];
  /** The actions, in an order that satisfies every `after`. */
  readonly actions: readonly ShownAction[];
  readonly leftAlone: readonly LeftAlone[];
  readonly pins: readonly Pin[];
  readonly diagnostics: readonly Diagnostic[];
  /** The number of requests that the plan took, and that the apply will take. */
  readonly requests: PlanRequests;
  /** The number of declared objects, with or without a change. */
  readonly declared: number;
  /** The changes of access; absent if access was not requested. */
  readonly access?: PlanAccess;
  /** The facts from the files with which the access was judged; absent if there are none. */
  readonly judgedWith?: JudgedWith;
  /** The results of the access tests and guards; absent if there are none. */
  readonly gates?: AccessGates;
  /** The last applied guards that the files loosen; absent without a base. */
  readonly loosened?: readonly LoosenedGuard[];
  /** The unfinished applies whose objects counted as declared by the base: a complete apply of the plan closes them. */
  readonly countedRuns?: readonly string[];
  /** The end times in the files; absent if there are none. */
  readonly endings?: PlanEndings;
  /** The end times in the base, and those that the plan gives to members of the objects that it writes; absent if there are none. */
  readonly formerEnds?: readonly FormerEnd[];
  /** Objects that the files name and that are missing from the account; not part of a saved plan. */
  readonly missing?: readonly (MissingObject & { readonly address: Address; readonly at: Span })[];
  /**
   * Differences in the account that the plan does not revert: it cannot write these objects as declared as long as other objects
   * are missing or awaited. Not part of a saved plan.
   */
  readonly held?: readonly ShownChange[];
  /**
   * The changes that were made in the account, since the base, to objects that the files no longer
   * declare. Given as changes back to the base; not part of a saved plan.
   */
  readonly undeclared?: readonly ShownChange[];
  /**
   * The changes that would revert what unfinished applies created, changed or deleted. No file declares these objects, and the
   * plan does not make these changes.
   */
  readonly leftByRuns?: readonly LeftByRun[];
  /** Suggested renames that the files do not declare, if they were requested; not part of a saved plan. */
  readonly renames?: SuggestedRenames;
  /** The number of declared objects that the run leaves out on request. */
  readonly unselected?: number;
  /** Objects that the plan identifies by id, with their names for people; absent if there are none. */
  readonly called?: readonly LabelledId[];
}

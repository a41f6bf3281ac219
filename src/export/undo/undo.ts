// Turns a run into the desired state that undoes it, from the recorded earlier states. The result is planned like any desired
// state; later changes by others stay.
import type { Elsewhere } from '../../engine/pruning/declaredNow.ts';
import type { Kind } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { hasHidden } from '../../kinds/values/hidden.ts';
import { withSecretHosts } from '../../kinds/values/secretHosts.ts';
import { type BeforeImage, earlierRun } from '../../model/journal.ts';
import { addressOf } from '../../model/key.ts';
import {
  type ActionId,
  type Address,
  type KindName,
  type RemoteId,
  remoteId,
} from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import type { Action, DeleteAction, Plan } from '../../model/plan.ts';
import { isHosted } from '../../model/secrets/hostedSecret.ts';
import { secretsIn } from '../../model/secrets/secret.ts';
import { SECRET_HOST } from '../../model/secrets/secretHost.ts';
import { quoted } from '../../model/text/visible.ts';
import type { Fields } from '../../model/value.ts';
import { type EndedByPlan, endedBy } from './ended.ts';
import { type EndedSince, endedSince, type PlannedObject } from './formerEnds.ts';
import {
  createdAgain,
  type DeletedObject,
  nameAgain,
  type Undeleted,
  undeleted,
} from './undeleted.ts';
import { UndoAccount, type UndoInput } from './undoAccount.ts';
import { nameAsBefore, unchanged } from './undoneUpdate.ts';
import { type UndoPart, undoOfCreate } from './undoParts.ts';
import { undoWithoutOthers } from './undoWithoutOthers.ts';
import { undoWithoutUnserved } from './undoWithoutUnserved.ts';

/** The undo, as far as it is possible. */
export interface Undo {
  readonly desired: readonly Desired[];
  /** The base to plan it with: the state after the run, if the undo removes members or somebody changed a value again. */
  readonly base: readonly Desired[];
  /** Sentences about what cannot be restored, or only in part. */
  readonly lost: readonly string[];
  /** Sentences about objects that the run may have created, and that stay because nothing proves it. */
  readonly unproven: readonly string[];
  /** The declarations of other folders because of which objects or members stay. */
  readonly kept: readonly Elsewhere[];
}

/** The desired state that undoes the run in a journal, in the current account. */
export function undo(given: UndoInput): Undo {
  const isHostSecret = hasSecretHosts(given.plan);
  const objects = withSecretHosts(given.objects, given.kinds, [], { isIncomplete: isHostSecret });
  const input = { ...given, objects };
  const account = new UndoAccount(input);
  const traces = tracesOf(input, account);
  const { plan, now = Number.NEGATIVE_INFINITY } = input;
  const ended = { ...endedBy(plan, account), since: endedSince(plan, now, account) };
  const actions = oncePerObject(input.plan.actions.filter(({ id }) => traces.sent.has(id)));
  // All names after the undo are determined first, so that a name that the undo takes from one object is free for another.
  for (const action of actions) {
    const made = traces.made.get(action.id);
    if (action.verb === 'update') nameAsBefore(action, imageOf(action, traces), account);
    if (action.verb === 'create' && made) account.noteOfRun(action.kind, made, 'created');
  }
  const parts = undoneParts({ actions, traces, ended }, input, account);
  const desired = parts.flatMap(part => part.desired ?? []);
  const base = parts.flatMap(part => part.base ?? []).filter(hasFields);
  const named = byName(desired, account);
  const whole = { desired: named, base: base.map(one => underNameOf(one, desired, named)) };
  const others = undoWithoutOthers(whole, input.others, account);
  const served = undoWithoutUnserved(others.desired, input.unread ?? NONE, account);
  const isLeft = (one: Desired) => served.left.has(addressOf(one.kind, one.key));
  return {
    desired: served.desired.map(object => {
      const settled = account.settled(object);
      return isHostSecret ? withSecretHost(settled, account) : settled;
    }),
    base: others.base.filter(one => !isLeft(one)).map(object => account.settled(object)),
    lost: [
      ...parts.flatMap(({ desired: own, lost }) => (own && isLeft(own) ? [] : lost)),
      ...others.stays,
      ...served.lost,
    ],
    unproven: parts.flatMap(({ unproven }) => unproven ?? []),
    kept: others.kept,
  };
}

const NONE: ReadonlySet<KindName> = new Set();

// What undoes each action. Objects that are created again get their names before any other part refers to them.
function undoneParts(
  { actions, ...traced }: Traced & { readonly actions: readonly Written[] },
  input: UndoInput,
  account: UndoAccount,
): readonly UndoPart[] {
  const gone = new Map(
    actions.flatMap(action =>
      action.verb === 'delete'
        ? [[action.id, goneWith(action, traced, input, account)] as const]
        : [],
    ),
  );
  nameAgain([...gone.values()].flat().filter(isUndeleted), account);
  return actions.flatMap(action =>
    action.verb === 'delete'
      ? (gone.get(action.id) ?? []).map(one =>
          isUndeleted(one) ? createdAgain(one, account) : one,
        )
      : [partOf(action, traced, account)],
  );
}

// The addresses themselves are not in the journal, and any live object may have one of them.
function hasSecretHosts({ actions, changes }: Plan): boolean {
  const shown = [
    ...actions.flatMap(action => (action.verb === 'delete' ? [] : [action.fields])),
    ...changes.flatMap(({ before, after }) => [before ?? {}, after ?? {}]),
  ];
  return shown
    .flatMap(fields => secretsIn(fields))
    .some(({ secret }) => isHosted(secret) && secret.$host === SECRET_HOST);
}

function withSecretHost(object: Desired, account: UndoAccount): Desired {
  if (!hasHidden(account.kind(object.kind))) return object;
  return {
    ...object,
    hidden: {
      sources: new Map(),
      unread: new Map(),
      written: new Map(),
      places: new Map([['', '']]),
    },
  };
}

const hasFields = ({ fields }: Desired): boolean => Object.keys(fields).length > 0;

// An object that the undo deletes has its present name, unless a restored object takes that name.
function byName(desired: readonly Desired[], account: UndoAccount): Desired[] {
  const taken = new Set(desired.map(({ kind, key }) => `${kind} ${key}`));
  return desired.map(object => {
    const { id } = object.lifecycle;
    const live = id === undefined ? undefined : account.live(object.kind, remoteId(id));
    const key = live && account.shownKey(live);
    const isFree = key !== undefined && !taken.has(`${object.kind} ${key}`);
    return object.lifecycle.delete && isFree ? { ...object, key } : object;
  });
}

// The declaration in the base, under the name that the object has in the undo.
function underNameOf(
  base: Desired,
  before: readonly Desired[],
  after: readonly Desired[],
): Desired {
  const at = before.findIndex(({ kind, key }) => kind === base.kind && key === base.key);
  const key = after[at]?.key;
  return key === undefined ? base : { ...base, key };
}

/** An action, and the earlier ones that wrote the same object. */
type Written = Action & { readonly first?: ActionId };

// Objects that swap names take two updates each, which are undone as one.
function oncePerObject(actions: readonly Action[]): readonly Written[] {
  const byObject = new Map<string, Written>();
  for (const action of actions) {
    const object = action.verb === 'update' ? `${action.kind} ${action.remoteId}` : action.id;
    const earlier = byObject.get(object);
    if (action.verb !== 'update' || earlier?.verb !== 'update') {
      byObject.set(object, action);
      continue;
    }
    const fields = { ...earlier.fields, ...action.fields };
    const members = { ...earlier.members, ...action.members };
    byObject.set(object, { ...action, fields, members, first: earlier.first ?? earlier.id });
  }
  return [...byObject.values()];
}

const imageOf = ({ id, first = id }: Written, { images }: Traces) => images.get(first);

function partOf(
  action: Exclude<Written, DeleteAction>,
  { traces, ended }: Traced,
  account: UndoAccount,
): UndoPart {
  if (action.verb === 'update') return unended(action, imageOf(action, traces), ended, account);
  const isBegun = traces.begun.has(action.id);
  return undoOfCreate(action, { made: traces.made.get(action.id), isBegun }, account);
}

// The objects that a deletion deleted: their declarations, or why they are not created again.
function goneWith(
  action: Written & DeleteAction,
  { traces, ended }: Traced,
  input: UndoInput,
  account: UndoAccount,
): readonly (Undeleted | UndoPart)[] {
  const before = imageOf(action, traces);
  const end = ended.endOf(action);
  if (end !== undefined && !account.live(action.kind, action.remoteId))
    return [{ lost: [`${action.address} stays away: ${end}`] }];
  const { address, key, partOf, remoteId: id, parentId } = action;
  const gone = { kind: account.kind(action.kind), address, key, partOf, id, parentId, before };
  const along = account.live(action.kind, id) ? [] : alongWith(gone, input, account);
  return [gone, ...along].map(object => unlessEnded(object, ended.since, account));
}

// The declaration without the access that has expired since.
function unlessEnded(
  object: DeletedObject & PlannedObject,
  since: EndedSince,
  account: UndoAccount,
): Undeleted | UndoPart {
  const { address, before } = object;
  if (account.live(object.kind.name, object.id)) return { lost: [] };
  const left = before && since.leftOf(object, before);
  const end = since.endOf(object) ?? left?.over;
  if (end !== undefined) return { lost: [`${address} stays away: ${end}`] };
  const ended = left?.isEnded ? [endedPart(address)] : [];
  const until = since.untilOf(object);
  const endsIn = (fields: Fields) => since.endsIn(object, fields, {});
  return undeleted({ ...object, before: left?.before, until, endsIn }, ended, account);
}

const endedPart = (address: Address): string => `${address}: what had ended is not restored`;

const isUndeleted = (one: Undeleted | UndoPart): one is Undeleted => 'fields' in one;

/** The access that had expired when the run was planned, and the access that has expired since. */
type EndedForUndo = EndedByPlan & { readonly since: EndedSince };

/** What the journal shows about the run, and the access that has expired. */
interface Traced {
  readonly traces: Traces;
  readonly ended: EndedForUndo;
}

function unended(
  action: Extract<Written, { readonly verb: 'update' }>,
  before: BeforeImage<Fields> | undefined,
  ended: EndedForUndo,
  account: UndoAccount,
): UndoPart {
  const renewed = renewedPart(action, account);
  if (!before) return { lost: renewed };
  const { address, key, partOf, remoteId: id } = action;
  const image = ended.imageOf(action, before);
  const object = { kind: account.kind(action.kind), id, key, partOf };
  const left = ended.since.leftOf(object, image.before);
  if (left.over !== undefined)
    return { lost: [`${address} stays as it is: ${left.over}`, ...renewed] };
  const undone = withEnds(unchanged(action, left.before, account), object, { ended, account });
  const part = { ...undone, lost: [...undone.lost, ...renewed] };
  return image.isEnded || left.isEnded
    ? { ...part, lost: [...part.lost, endedPart(address)] }
    : part;
}

// The undo of an update, with the future expiries of the members that it restores.
function withEnds(
  part: UndoPart,
  object: PlannedObject,
  { ended, account }: { readonly ended: EndedForUndo; readonly account: UndoAccount },
): UndoPart {
  const { desired } = part;
  const live = account.live(object.kind.name, object.id);
  if (!desired || !live) return part;
  const there = canonicalFields(object.kind.shape, live.idFields, 'live');
  const ends = ended.since.endsIn(object, desired.fields, there);
  return ends.length === 0 ? part : { ...part, desired: { ...desired, ends } };
}

// A replaced secret does not become valid again, so the object keeps its new one.
function renewedPart(
  { address, kind, remoteId, renews }: Extract<Written, { readonly verb: 'update' }>,
  account: UndoAccount,
): string[] {
  if (renews === undefined || !account.live(kind, remoteId)) return [];
  return [`${address} keeps its new ${quoted(renews.secret)}: the former one is no longer valid`];
}

// Objects that the server deleted together with another object. No action read them, but the plan contains their fields.
function alongWith(
  home: DeletedObject,
  { plan }: UndoInput,
  account: UndoAccount,
): (DeletedObject & PlannedObject)[] {
  return plan.changes.flatMap(({ kind: name, address, key, id, before, with: along }) => {
    if (along !== home.address || id === undefined || !before) return [];
    const kind = account.kind(name);
    return [
      { kind, address, key, id, parentId: home.id, before: plannedImage(kind, before, account) },
    ];
  });
}

// The fields as the plan read them.
function plannedImage(kind: Kind, before: Fields, account: UndoAccount): BeforeImage<Fields> {
  const known = Object.entries(account.inIds(kind, before));
  const isOpen = ([, value]: (typeof known)[number]) => secretsIn(value).length === 0;
  return {
    fields: Object.fromEntries(known.filter(isOpen)),
    left_out: known.filter(field => !isOpen(field)).map(([field]) => field),
  };
}

/** By action: whether the server did or may have done anything, the earlier state, and the created object. */
interface Traces {
  readonly sent: ReadonlySet<ActionId>;
  /** The actions that the journal itself shows as sent. */
  readonly begun: ReadonlySet<ActionId>;
  readonly images: ReadonlyMap<ActionId, BeforeImage<Fields>>;
  readonly made: ReadonlyMap<ActionId, RemoteId>;
}

function tracesOf({ plan, entries, proven, isLost }: UndoInput, account: UndoAccount): Traces {
  const run = earlierRun(entries);
  const begun = new Set([...run.done.keys(), ...run.sent.keys(), ...run.begun.keys()]);
  const images = new Map<ActionId, BeforeImage<Fields>>();
  const made = new Map<ActionId, RemoteId>();
  for (const entry of entries) {
    if (entry.type === 'send') {
      if (entry.before && !images.has(entry.action)) images.set(entry.action, entry.before);
    } else if (entry.type === 'answer') {
      if (entry.id !== undefined) made.set(entry.action, entry.id);
    } else if (entry.type === 'end' && 'remoteId' in entry.outcome) {
      made.set(entry.outcome.action, entry.outcome.remoteId);
    }
  }
  const ids = new Map(proven.map(({ kind, key, id }) => [addressOf(kind, key), id]));
  for (const action of plan.actions) {
    const id = ids.get(addressOf(action.kind, action.key));
    if (action.verb === 'create' && id !== undefined && !made.has(action.id))
      made.set(action.id, id);
    if (!isLost || action.verb === 'create' || images.has(action.id)) continue;
    // The plan that was just read replaces the lost lines about the object.
    const change = plan.changes.find(one => one.kind === action.kind && one.id === action.remoteId);
    if (change?.before)
      images.set(action.id, plannedImage(account.kind(action.kind), change.before, account));
  }
  const sent = isLost ? new Set(plan.actions.map(({ id }) => id)) : begun;
  return { sent, begun, images, made };
}

// What a run has done → desired state that takes it back, by the images of what was there before. It is planned like any
// other; what others have changed since stays, as far as the run has not written it.
import { type BeforeImage, earlierRun } from '../../model/journal.ts';
import { type ActionId, type RemoteId, remoteId } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import type { Action } from '../../model/plan.ts';
import { secretsIn } from '../../model/secrets/secret.ts';
import type { Fields } from '../../model/value.ts';
import { UndoAccount, type UndoInput } from './undoAccount.ts';
import { type DeletedObject, type UndoPart, unchanged, undeleted, unmade } from './undoParts.ts';

/** The way back, as far as there is one. */
export interface Undo {
  readonly desired: readonly Desired[];
  /** Sentences on what does not come back, or not as it was. */
  readonly lost: readonly string[];
}

/** Desired state that takes back what a journal tells of, in the account as it is now. */
export function undo(input: UndoInput): Undo {
  const account = new UndoAccount(input);
  const traces = tracesOf(input);
  const parts = input.plan.actions
    .filter(({ id }) => traces.sent.has(id))
    .flatMap(action => partsOf(action, traces, input, account));
  const desired = parts.flatMap(part => part.desired ?? []);
  return {
    desired: byName(desired, account).map(object => account.settled(object)),
    lost: parts.flatMap(({ lost }) => lost),
  };
}

// What is to go is called what it is called, unless what comes back has that name.
function byName(desired: readonly Desired[], account: UndoAccount): Desired[] {
  const taken = new Set(desired.map(({ kind, key }) => `${kind} ${key}`));
  return desired.map(object => {
    const { id } = object.lifecycle;
    const live = id === undefined ? undefined : account.live(object.kind, remoteId(id));
    const isFree = live !== undefined && !taken.has(`${live.kind} ${live.key}`);
    return object.lifecycle.delete && isFree ? { ...object, key: live.key } : object;
  });
}

function partsOf(
  action: Action,
  { images, made }: Traces,
  input: UndoInput,
  account: UndoAccount,
): UndoPart[] {
  const before = images.get(action.id);
  if (action.verb === 'create') return [unmade(action, made.get(action.id), account)];
  if (action.verb === 'update') return [unchanged(action, before, account)];
  const { address, remoteId: id, parentId } = action;
  const gone = { kind: account.kind(action.kind), address, id, parentId, before };
  const along = account.live(action.kind, id) ? [] : alongWith(gone, input, account);
  return [gone, ...along].map(object => undeleted(object, account));
}

// What the server deleted along with an object: no action read it, but the plan knows what it was.
function alongWith(
  home: DeletedObject,
  { plan }: UndoInput,
  account: UndoAccount,
): DeletedObject[] {
  return plan.changes.flatMap(({ kind: name, address, id, before, with: along }) => {
    if (along !== home.address || id === undefined || !before) return [];
    const kind = account.kind(name);
    const known = Object.entries(account.inIds(kind, before));
    const isOpen = ([, value]: (typeof known)[number]) => secretsIn(value).length === 0;
    const image: BeforeImage<Fields> = {
      fields: Object.fromEntries(known.filter(isOpen)),
      left_out: known.filter(field => !isOpen(field)).map(([field]) => field),
    };
    return [{ kind, address, id, parentId: home.id, before: image }];
  });
}

/** By action: whether the server did or may have done anything, what was there before that, and what was made. */
interface Traces {
  readonly sent: ReadonlySet<ActionId>;
  readonly images: ReadonlyMap<ActionId, BeforeImage<Fields>>;
  readonly made: ReadonlyMap<ActionId, RemoteId>;
}

function tracesOf({ entries }: UndoInput): Traces {
  const { done, sent: open, begun } = earlierRun(entries);
  const sent = new Set([...done.keys(), ...open.keys(), ...begun.keys()]);
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
  return { sent, images, made };
}

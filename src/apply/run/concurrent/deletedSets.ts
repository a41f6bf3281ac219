// Reports members that joined a set between the plan and the deletion of the set, if others can
// join the set. They lose their membership although nobody approved that, and nothing can restore
// it.

import type { KindTable } from '../../../kinds/kind.ts';
import { accountMarkerOf } from '../../../kinds/lookup.ts';
import { type ReplacedSet, replacedSets } from '../../../kinds/values/replacedSets.ts';
import type { AuditEntry } from '../../../model/audit/entry.ts';
import { ApiError, present } from '../../../model/errors.ts';
import { idKey } from '../../../model/key.ts';
import { remoteId } from '../../../model/names.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Plan, ShownAction } from '../../../model/plan.ts';
import { nameText } from '../../../model/text/visible.ts';
import { isList } from '../../../model/value.ts';
import { isHeldBy } from '../../../wire/decodeAccount.ts';
import type { AccountPort } from '../../port.ts';
import type { RunNames } from '../turns/runNames.ts';
import { memberKind } from '../turns/sentMembers.ts';
import type { MembersBefore } from './checkWithoutLog.ts';
import { compareEvents, membersAtDeletion } from './memberHistory.ts';
import { type MemberNames, type MembersOf, memberNamesOnce } from './memberNames.ts';
import { type DeletedObject, membersIn } from './ownWrites.ts';
import { deletedMembers, perhapsDeletedMembers, withChanged } from './restoredOutcomes.ts';

/** The inputs of the check. */
export interface DeletedSetsInput {
  readonly kinds: KindTable;
  readonly names: RunNames;
  /** The objects that the run deleted. */
  readonly deleted: () => readonly DeletedObject[];
  readonly portOf: (action: ShownAction) => AccountPort;
}

/**
 * The evidence of who joined: the events since the start of the run or, if the token may not read
 * the log, the members before the run.
 */
export type Joining =
  | { readonly events: readonly AuditEntry[] }
  | { readonly before: MembersBefore };

/**
 * Returns the outcomes. The outcome of a deletion is a failure if members that the plan did not
 * show lost their membership.
 */
export async function withDeletedMembers(
  plan: Plan,
  outcomes: readonly Outcome[],
  joining: Joining,
  { kinds, names, deleted, portOf }: DeletedSetsInput,
): Promise<readonly Outcome[]> {
  const namesOf = memberNamesOnce(kinds);
  let seen = outcomes;
  for (const { action, object } of doneDeletions(plan, outcomes, deleted())) {
    const port = portOf(action);
    const looking = { action, object, port, joining, kinds, names, namesOf };
    for (const set of replacedSets(object.kind)) {
      const { lost, perhaps } = await lostMembers(plan, set, looking);
      const { field } = set;
      seen = withChanged(seen, action, outcome => {
        const told =
          lost.length === 0 ? outcome : deletedMembers(outcome, { field, members: lost });
        if (perhaps.length === 0) return told;
        return perhapsDeletedMembers(told, { field, members: perhaps });
      });
    }
  }
  return seen;
}

/** A completed deletion of a set. */
export interface DoneDeletion {
  readonly action: ShownAction;
  readonly object: DeletedObject;
}

/** The completed deletions of the run, limited to objects with sets that others can join. */
export function doneDeletions(
  { actions }: Plan,
  outcomes: readonly Outcome[],
  deleted: readonly DeletedObject[],
): readonly DoneDeletion[] {
  const done = new Set(outcomes.flatMap(one => (one.status === 'done' ? one.action : [])));
  return deleted.flatMap(object => {
    const action = actions.find(
      one =>
        one.verb === 'delete' &&
        one.kind === object.kind.name &&
        one.remoteId === object.at.id &&
        done.has(one.id),
    );
    return action ? [{ action, object }] : [];
  });
}

interface Looking extends DoneDeletion {
  readonly port: AccountPort;
  readonly joining: Joining;
  readonly kinds: KindTable;
  readonly names: RunNames;
  readonly namesOf: MembersOf;
}

/** The names of members that lost their membership, and of members that may have lost it. */
interface LostMembers {
  readonly lost: readonly string[];
  readonly perhaps: readonly string[];
}

async function lostMembers(plan: Plan, set: ReplacedSet, looking: Looking): Promise<LostMembers> {
  const { object, action, joining, namesOf, port } = looking;
  const log = logOf(object, joining);
  const there = membersAtDeletion(object, set, log.events);
  const isShown = shownMembers(plan, action, set, looking);
  const unseen = [...there].filter(member => !isShown(member, ''));
  const maybe = newMembers(object, set, log, looking);
  if (unseen.length === 0 && maybe === null) return { lost: [], perhaps: [] };
  const named = await namesOf(object.kind, set.field, port);
  const listed = (members: Iterable<string>) =>
    [...members].filter(named.exists).map(named.nameOf).sort();
  const lost = unseen.filter(member => !isShown(member, named.nameOf(member)));
  const candidates = (maybe?.(named) ?? []).filter(
    member => named.exists(member) && !there.has(member),
  );
  return { lost: listed(lost), perhaps: listed(await inNoSet(candidates, set, looking)) };
}

/** The log since the start of the run, and the event of the deletion if the log shows it. */
interface DeletionLog {
  readonly events: readonly AuditEntry[];
  readonly deletion: AuditEntry | undefined;
}

function logOf({ kind, at }: DeletedObject, joining: Joining): DeletionLog {
  const events = 'events' in joining ? joining.events : [];
  const codes = kind.auditEvents.flatMap(form => (form.type === 'delete' ? form.codes : []));
  const deletion = events.find(({ code, target }) => codes.includes(code) && target === at.id);
  return { events, deletion };
}

// Returns whether the plan showed a member, by its id or by its name.
function shownMembers(
  { changes }: Plan,
  { address }: ShownAction,
  { field }: ReplacedSet,
  { object, names }: Looking,
): (member: string, name: string) => boolean {
  const before = changes.find(change => change.address === address)?.before;
  // If the plan shows nothing of what it deletes, it cannot be determined which members joined
  // after the plan.
  if (before === undefined) return () => true;
  const shown = before[field];
  const keys = isList(shown) ? shown.map(String) : [];
  const kind = memberKind(object.kind, field);
  const ids = new Set<string>(
    keys.flatMap(key => {
      const id = names.find(kind, key);
      return id === undefined ? [] : idKey(id);
    }),
  );
  const texts = new Set(keys.map(nameText));
  return (member, name) => ids.has(member) || texts.has(name);
}

// The members that came into the account after the run began and before the deletion; null if there
// are none. They may have joined the set, because machines that enrol join their sets without an
// event.
function newMembers(
  { kind }: DeletedObject,
  { field }: ReplacedSet,
  { events, deletion }: DeletionLog,
  { kinds, joining }: Looking,
): ((named: MemberNames) => readonly string[]) | null {
  const of = present(kinds.get(memberKind(kind, field)), 'the kind of a member');
  if ('before' in joining) {
    const known = joining.before.get(of.name);
    return known ? ({ all = new Set() }) => [...all.difference(known)] : null;
  }
  const codes = of.createdEvent?.codes ?? [];
  const created = events.filter(
    event => codes.includes(event.code) && (!deletion || compareEvents(event, deletion) <= 0),
  );
  const ids = created.map(({ target }) => idKey(remoteId(target)));
  return ids.length === 0 ? null : () => ids;
}

// Leaves out members that are in another set now, because they probably belong to that set. A set
// that contains every member proves nothing.
async function inNoSet(
  members: readonly string[],
  { field }: ReplacedSet,
  { object: { kind, at }, port }: Looking,
): Promise<readonly string[]> {
  if (members.length === 0) return [];
  try {
    const listed = await port.list(kind, at.parentId);
    const marker = accountMarkerOf(kind);
    const own = listed.filter(({ body }) => !(marker && isHeldBy(marker, body)));
    const held = new Set(own.flatMap(({ body }) => [...membersIn(kind, field, body)]));
    return members.filter(member => !held.has(member));
  } catch (error) {
    if (error instanceof ApiError) return members;
    throw error;
  }
}

// Estimates the requests of a run, without the requests of its actions and of the audit log. Some
// of them read back writes whose response does not show what was stored: with one list for each
// kind at the end, and with earlier lists for actions that wait for such a write. Others check
// whether the account already has what the run creates.
import { refusesTwins } from '../../kinds/identity/identity.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { addressOf } from '../../model/key.ts';
import type { Action, ShownAction } from '../../model/plan.ts';
import { isHosted } from '../../model/secrets/hostedSecret.ts';
import { secretsIn } from '../../model/secrets/secret.ts';

/** The maximum number of requests that read back writes. The requests of the actions themselves do not count. */
export function requestsToReadBack(
  actions: readonly (Action | ShownAction)[],
  kinds: KindTable,
): number {
  const isAwaited = awaitedAmong(actions);
  const open = actions.filter(
    ({ verb, kind }) => verb !== 'delete' && kinds.get(kind)?.isReadAlways === true,
  );
  const lists = Map.groupBy(open, ({ kind, parent }) => `${kind} ${parent}`);
  return [...lists.values()].reduce((sum, list) => {
    const awaited = list.filter(isAwaited).length;
    return sum + Math.min(list.length, awaited + 1);
  }, 0);
}

/** The requests at the end of a run that check whether somebody else created duplicates: one list for each kind and parent. */
export function requestsToFindTwins(
  actions: readonly (Action | ShownAction)[],
  kinds: KindTable,
): number {
  const creates = actions.filter(({ verb }) => verb === 'create');
  const fresh = new Set(creates.map(({ address }) => address));
  const lists = creates.flatMap(({ kind: name, parent }) => {
    const kind = kinds.get(name);
    if (!kind || refusesTwins(kind)) return [];
    const isInFresh = kind.parent && parent && fresh.has(addressOf(kind.parent, parent));
    return isInFresh ? [] : `${name} ${parent}`;
  });
  return new Set(lists).size;
}

/**
 * The requests before the first write that check whether the account already has a secret address
 * that the run creates, with one list for each kind and parent. The plan cannot know this, because
 * the address is secret.
 */
export function requestsToFindAddresses(actions: readonly ShownAction[]): number {
  const lists = actions.flatMap(action =>
    action.verb === 'create' && secretsIn(action.fields).some(({ secret }) => isHosted(secret))
      ? [`${action.kind} ${action.parent}`]
      : [],
  );
  return new Set(lists).size;
}

// Returns whether another action waits for an action or writes the same object.
function awaitedAmong(
  actions: readonly (Action | ShownAction)[],
): (action: Action | ShownAction) => boolean {
  const earlier = new Set(actions.flatMap(({ after }) => after));
  const writers = new Map<string, number>();
  for (const { writes } of actions)
    for (const address of writes) writers.set(address, (writers.get(address) ?? 0) + 1);
  return ({ id, writes }) =>
    earlier.has(id) || writes.some(address => (writers.get(address) ?? 0) > 1);
}

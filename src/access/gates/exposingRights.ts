// The right to publish ports to the internet that no file declares. The settings of the account
// name the groups whose machines have this right. A machine that joins such a group gains the
// right, but no access. Changes of the settings themselves are rights too; the kind of the settings
// declares these.
import type { RightEntry } from '../../model/access/planAccess.ts';
import type { Live } from '../../model/object.ts';
import type { Plan } from '../../model/plan.ts';
import { nameText } from '../../model/text/visible.ts';
import { memberSetNamer } from '../ask/memberSetNames.ts';
import { accountAfter } from '../plan/accountAfter.ts';
import type { Comparison, PlannedAccount } from '../plan/comparison.ts';
import { isEmpty, minus } from '../sets/bits.ts';
import { flagIn, type StateObject, textsIn } from '../state/stateObject.ts';

const SETTINGS = 'account_settings';

/** The kinds that must be read if actions may let somebody join groups. */
export const kindsOfExposers = (actions: Plan['actions']): ReadonlySet<string> =>
  actions.some(mayJoin) ? new Set([SETTINGS]) : new Set();

/** The right to publish ports that a plan gives to machines by adding them to groups that have it. */
export function exposingRights(
  { before, after }: Comparison,
  { kinds, live, plan }: PlannedAccount & { readonly plan: Pick<Plan, 'changes'> },
): readonly RightEntry[] {
  const joining = plan.actions.filter(mayJoin);
  const [first] = joining;
  if (first === undefined || !exposes(live)) return [];
  const then = new Set(exposersIn(live));
  const groups = exposersIn(accountAfter(kinds, live, plan).objects).filter(one => then.has(one));
  const more = minus(after.world.inGroups(groups), before.world.inGroups(groups));
  if (groups.length === 0 || isEmpty(more)) return [];
  const { name, machines } = memberSetNamer(after.world).party(more);
  const joins = machines.length === 0 ? ' (future members)' : '';
  const named = new Set(groups);
  const changed = joining.filter(action => changesMembers(action, plan.changes));
  const own =
    changed.find(({ kind, key }) => kind === 'group' && named.has(key)) ??
    changed.find(action => joinedBy(action).some(group => named.has(group)));
  return [
    {
      object: (own ?? first).address,
      right: 'exposure',
      message: `${nameText(name)}${joins} may publish ports to the internet that no file declares, as a member of ${groups.map(nameText).join(', ')}`,
    },
  ];
}

const exposes = (live: readonly Live[]): boolean => live.some(({ kind }) => kind === SETTINGS);

function exposersIn(objects: readonly StateObject[]): readonly string[] {
  const settings = objects.find(({ kind }) => kind === SETTINGS);
  if (settings === undefined || !flagIn(settings.fields, 'peer_expose_enabled', false)) return [];
  return textsIn(settings.fields, 'peer_expose_groups');
}

// By kind, the field that adds machines to groups. All machines of a user get the same groups, and
// so do all machines that enrol with one key.
const JOINED: Readonly<Record<string, string>> = {
  group: 'peers',
  user: 'auto_groups',
  user_invite: 'auto_groups',
  setup_key: 'auto_groups',
};

// Whether an action changes the members. The presence of a field does not show this, because an
// update also writes unchanged values.
const changesMembers = (
  { verb, kind, address }: Plan['actions'][number],
  changes: Plan['changes'],
): boolean =>
  verb !== 'update' ||
  changes.some(
    change =>
      change.address === address && change.fields.some(({ path }) => path[0] === JOINED[kind]),
  );

// The groups that the machines of a user or key get from an action.
function joinedBy(action: Plan['actions'][number]): readonly string[] {
  const field = JOINED[action.kind];
  if (action.kind === 'group' || action.verb === 'delete' || field === undefined) return [];
  const added = action.verb === 'update' ? (action.members[field]?.add ?? []) : [];
  return [...textsIn(action.fields, field), ...added];
}

function mayJoin(action: Plan['actions'][number]): boolean {
  const field = JOINED[action.kind];
  if (field === undefined || action.verb === 'delete') return false;
  const members = action.verb === 'update' ? (action.members ?? {}) : {};
  return field in action.fields || field in members;
}

// Machines that gain or lose an IPv6 address in the overlay network. The account settings name the groups whose machines have
// such an address. The server chooses it, so a machine may get any address of the range.
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import { idKey } from '../../model/key.ts';
import { kindName } from '../../model/names.ts';
import { ALL } from '../state/groups.ts';
import { textIn, textsIn } from '../state/stateObject.ts';
import { type Draft, targetName, withFields } from './draft.ts';

const SETTINGS = 'account_settings';

/**
 * The range if the account settings contain none. The server then chooses a range of local IPv6
 * addresses.
 */
const ANY_RANGE = 'fd00::/8';

/**
 * The machines that have an IPv6 address according to the drafts, and the drafts that determine
 * this.
 */
interface Enabled {
  readonly by: readonly (Draft | undefined)[];
  /** The references to the machines; `all` for all machines of the account. */
  readonly machines: ReadonlySet<string> | 'all';
}

/**
 * Returns a function that follows the drafts. Each call adds or removes the addresses of machines
 * according to the changes since the last call, and returns the names of the drafts that it
 * changes. Without the account settings, it is unknown which machines have an address, so nothing
 * changes.
 */
export function ipv6Follower(
  kinds: KindTable,
  drafts: Map<string, Draft>,
): () => readonly string[] {
  const kind = kinds.get(kindName(SETTINGS));
  const settings = [...drafts].find(([, { object }]) => object.kind === SETTINGS)?.[0];
  if (kind === undefined || settings === undefined) return () => [];
  let last = enabledIn(drafts, kind, settings);
  return () => {
    const by = decisive(drafts, kind, settings);
    if (by.length === last.by.length && by.every((draft, at) => draft === last.by[at])) return [];
    const before = last.machines;
    last = enabledIn(drafts, kind, settings);
    return moved(drafts, before, last.machines, rangeIn(drafts.get(settings)));
  };
}

// The drafts of the account settings and of the groups that they name.
function decisive(
  drafts: ReadonlyMap<string, Draft>,
  kind: Kind,
  settings: string,
): readonly (Draft | undefined)[] {
  const draft = drafts.get(settings);
  const field = kind.shape.fields.get('ipv6_enabled_groups');
  if (draft === undefined || field === undefined) return [draft];
  const refs = refsIn(field.shape, draft.object.fields[field.name]);
  return [draft, ...refs.map(ref => drafts.get(targetName(ref.kind, ref.key)))];
}

function enabledIn(drafts: ReadonlyMap<string, Draft>, kind: Kind, settings: string): Enabled {
  const by = decisive(drafts, kind, settings);
  const groups = by.slice(1).flatMap(draft => draft?.object ?? []);
  const machines = groups.some(({ fields }) => textIn(fields, 'name') === ALL)
    ? 'all'
    : new Set(groups.flatMap(({ fields }) => textsIn(fields, 'peers')));
  return { by, machines };
}

const rangeIn = (settings: Draft | undefined): string =>
  textIn(settings?.object.fields ?? {}, 'network_range_v6') || ANY_RANGE;

function moved(
  drafts: Map<string, Draft>,
  before: Enabled['machines'],
  after: Enabled['machines'],
  range: string,
): readonly string[] {
  const isIn = (machines: Enabled['machines'], names: readonly string[]) =>
    machines === 'all' || names.some(name => machines.has(name));
  return [...drafts].flatMap(([name, draft]) => {
    const { kind, key, fields } = draft.object;
    if (kind !== 'peer') return [];
    const names = draft.id === undefined ? [key] : [key, idKey(draft.id)];
    const had = isIn(before, names);
    const has = isIn(after, names);
    // Nothing to do: the machine already has or lacks an address as it should, or gets the address
    // that the files declare.
    if (had === has || (has && textIn(fields, 'ipv6') !== '')) return [];
    drafts.set(name, withFields(draft, { ipv6: has ? range : '' }));
    return [name];
  });
}

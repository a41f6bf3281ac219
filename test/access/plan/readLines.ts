// The lines of an access diff as a person reads them: whom and what the names stand for, in the names of the slow evaluator.
import type { AccessChangeEntry } from '../../../src/model/access/planAccess.ts';
import type { Account } from '../slow/account.ts';
import { INTERNET } from '../slow/everyone.ts';

/** Destinations of a line. A name says how many there are, or which, or which machines without those that may join. */
export interface ReadTargets {
  /** Those that the line surely speaks of. */
  readonly sure: readonly string[];
  /** Those that it may speak of. */
  readonly possible: ReadonlySet<string>;
  /** How many of today there are, where only their number is told. */
  readonly count?: number;
}

/** Reads lines about a plan between two accounts. */
export function readerOf(before: Account, after: Account) {
  const both = [before, after];
  const idOf = (list: (one: Account) => readonly { id: string; name: string }[], name: string) => {
    const found = both.flatMap(list).find(one => one.name === name);
    if (found === undefined) throw new Error(`nothing has the name ${name}`);
    return found.id;
  };
  const machine = (name: string) => `machine ${idOf(one => one.peers, name)}`;
  const group = (name: string) => `group ${idOf(one => one.groups, name)}`;
  const newcomers = [
    ...new Set(
      both.flatMap(({ groups, users = [] }) => [
        ...groups.map(({ id }) => `group ${id}`),
        ...users.filter(one => one.is_blocked !== true).map(({ id }) => `user ${id}`),
      ]),
    ),
  ];
  // `group/on-call` or `user/mia@example.com`
  const newcomer = (name: string) =>
    name.startsWith('user/') ? `user ${without(name, 'user/')}` : group(without(name, 'group/'));
  const inGroup = (name: string, account: Account): ReadTargets => {
    const found = account.groups.find(one => one.name === name);
    if (found === undefined) throw new Error(`no group has the name ${name}`);
    // A line about a group is about whoever of it is logged in.
    const out = new Set(account.peers.flatMap(one => (one.login_expired ? one.id : [])));
    const members = (found.peers ?? []).filter(({ id }) => !out.has(id));
    const today = members.map(({ id }) => `machine ${id}`);
    const joins = name === 'All' ? newcomers : [`group ${found.id}`];
    return { sure: today.length > 0 ? today : joins, possible: new Set([...today, ...joins]) };
  };

  const targets = ({ to, address, change }: AccessChangeEntry): ReadTargets => {
    if (address !== undefined) {
      const [first = ''] = to.split(', ');
      const [kind, name = ''] = first.split('/');
      const id = kind === 'route' ? name : idOf(one => one.networks, name);
      const target = `${kind === 'route' ? 'route' : 'resource'} ${id} ${address}`;
      return { sure: [target], possible: new Set([target]) };
    }
    const [, today = '', , joins] = /^(.*?)(, )?(?:machines that enrol with (.*))?$/.exec(to) ?? [];
    const joining = joins === undefined || /^\d/.test(joins) ? [] : joins.split(', ').map(newcomer);
    const later = joins !== undefined && /^\d/.test(joins) ? newcomers : joining;
    const known =
      today === '' ? undefined : targetsToday(today, change === 'lost' ? before : after);
    return {
      ...known,
      sure: [...(known?.sure ?? []), ...joining],
      possible: new Set([...(known?.possible ?? []), ...later]),
    };
  };
  const targetsToday = (to: string, account: Account): ReadTargets => {
    if (to.startsWith('group/')) return inGroup(without(to, 'group/'), account);
    const count = /^(\d+) machines$/.exec(to)?.[1];
    if (count !== undefined) {
      const all = before.peers.map(({ id }) => `machine ${id}`);
      return { sure: [], possible: new Set(all), count: Number(count) };
    }
    const machines = to.split(', ').map(name => machine(without(name, 'peer/')));
    return { sure: machines, possible: new Set(machines) };
  };

  return {
    targets,
    sources: ({ from, machines, members_to_come }: AccessChangeEntry): readonly string[] => [
      ...machines.map(machine),
      ...members_to_come.map(newcomer),
      ...from.split(', ').filter(one => one === INTERNET),
    ],
    /** `peer/mia`, `group/on-call` or `user/mia@example.com`, as posture has them. */
    member: (name: string): string =>
      name.startsWith('peer/') ? machine(without(name, 'peer/')) : newcomer(name),
  };
}

function without(name: string, start: string): string {
  if (!name.startsWith(start)) throw new Error(`${name} does not begin with ${start}`);
  return name.slice(start.length);
}

// The nameservers that the machines of a group ask for a name, and the machines that get no DNS
// configuration.
import type { KindTable } from '../../kinds/kind.ts';
import { domainText } from '../../kinds/values/domain.ts';
import { addressOf } from '../../model/key.ts';
import { type Address, type Key, kindName } from '../../model/names.ts';
import type { Fields } from '../../model/value.ts';
import { accountAfter } from '../plan/accountAfter.ts';
import type { PlannedAccount } from '../plan/comparison.ts';
import { type MovingAction, movesMachines } from '../plan/movesMachines.ts';
import type { Group } from '../state/accessState.ts';
import { flagIn, objectsIn, type StateObject, textIn, textsIn } from '../state/stateObject.ts';
import { haveCommonAddresses } from '../world/address.ts';
import { EVERYBODY, groupIds, isGivenTo } from '../world/replies.ts';

/** The kind of groups of nameservers. */
export const NAMESERVERS = 'nameserver_group';

/** The kind of the settings that list the machines without DNS configuration. */
const SETTINGS = 'dns_settings';

/** The kinds of objects that decide which servers answer for names. */
export const ANSWERING_KINDS: ReadonlySet<string> = new Set([NAMESERVERS, SETTINGS]);

/**
 * Whether actions or changes may change which servers answer for names. If so, the names that lead
 * to guarded targets must be known.
 */
export const changeAnswers = (actions: readonly { readonly kind: string }[]): boolean =>
  actions.some(({ kind }) => ANSWERING_KINDS.has(kind));

/**
 * The kinds that must be read if actions change which servers answer, because other nameservers may
 * answer instead. `isNamed`: whether names of the account matter. If they do, the nameservers of a
 * machine also matter when the machine moves to another group.
 */
export const kindsOfAnswers = (
  kinds: KindTable,
  actions: readonly MovingAction[],
  isNamed = false,
): ReadonlySet<string> =>
  changeAnswers(actions) || (isNamed && actions.some(movesMachines(kinds)))
    ? ANSWERING_KINDS
    : new Set();

/** A group of nameservers that is enabled. */
interface Nameservers {
  readonly address: Address;
  readonly servers: readonly string[];
  /** The groups whose machines ask these nameservers. Their ids are the same in all states. */
  readonly groups: ReadonlySet<string>;
  readonly domains: readonly string[];
  readonly isPrimary: boolean;
}

/** The nameservers that machines ask, in one state of an account. */
export interface Asking {
  readonly nameservers: readonly Nameservers[];
  /** The groups whose machines get no DNS configuration. */
  readonly withoutDns: ReadonlySet<string>;
}

/**
 * The nameservers that machines ask before and after a plan. `before` and `after` contain the
 * groups of each state.
 */
export function askingIn(
  { kinds, live, plan }: Pick<PlannedAccount, 'kinds' | 'live' | 'plan'>,
  before: readonly Group[],
  after: readonly Group[],
): readonly [Asking, Asking] {
  const { objects } = accountAfter(kinds, live, plan);
  const former = accountAfter(kinds, live, { actions: [], changes: [], pins: [] });
  return [askingOf(former.objects, before), askingOf(objects, after)];
}

function askingOf(objects: readonly StateObject[], groups: readonly Group[]): Asking {
  const ids = groupIds(groups);
  const groupsIn = (fields: Fields, name: string) =>
    new Set(textsIn(fields, name).map(group => ids.get(group) ?? group));
  const nameservers = objects.flatMap(({ kind, key, fields }): Nameservers[] => {
    if (kind !== NAMESERVERS || !flagIn(fields, 'enabled', true)) return [];
    const address = addressOf(kindName(kind), key as Key);
    return [
      {
        address,
        servers: objectsIn(fields, 'nameservers').map(serverText),
        groups: groupsIn(fields, 'groups'),
        domains: textsIn(fields, 'domains'),
        isPrimary: flagIn(fields, 'primary', false),
      },
    ];
  });
  const settings = objects.filter(({ kind }) => kind === SETTINGS);
  const withoutDns = settings.flatMap(({ fields }) => [
    ...groupsIn(fields, 'disabled_management_groups'),
  ]);
  return { nameservers, withoutDns: new Set(withoutDns) };
}

const USUAL_PORT = 53;

function serverText(fields: Fields): string {
  const { port = USUAL_PORT } = fields;
  const ip = textIn(fields, 'ip');
  if (port === USUAL_PORT) return ip;
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}

/**
 * The groups that the nameservers and DNS settings of some states name, and `EVERYBODY` for all
 * machines.
 */
export const askingGroups = (states: readonly Asking[]): ReadonlySet<string> =>
  new Set([
    EVERYBODY,
    ...states.flatMap(({ nameservers, withoutDns }) => [
      ...nameservers.flatMap(({ groups }) => [...groups]),
      ...withoutDns,
    ]),
  ]);

/** Whether machines that are in these groups get no DNS configuration. */
export const isWithoutDns = ({ withoutDns }: Asking, groups: readonly string[]): boolean =>
  groups.some(group => isGivenTo(withoutDns, group));

/**
 * The nameservers that machines in these groups ask for a name: the nameservers for the longest
 * domain that contains the name. If there are none, the nameservers for all names. `isOfMachine`:
 * the server of the account answers for the domain of the name, so machines ask only nameservers
 * for this domain or a longer domain.
 */
export function nameserversFor(
  asking: Asking,
  name: string,
  groups: readonly string[],
  isOfMachine: boolean,
): readonly Nameservers[] {
  if (isWithoutDns(asking, groups)) return [];
  const given = asking.nameservers.filter(({ groups: asked }) =>
    groups.some(group => isGivenTo(asked, group)),
  );
  const covers = isOfMachine ? coversMachine : coversName;
  const lengthOf = ({ domains }: Nameservers) =>
    greatest(domains.filter(domain => covers(domain, name)).map(({ length }) => length));
  const longest = greatest(given.map(lengthOf));
  if (longest === 0) return isOfMachine ? [] : given.filter(({ isPrimary }) => isPrimary);
  // A wildcard covers names in several of the domains.
  const isPattern = name.startsWith('*.');
  return given.filter(one => (isPattern ? lengthOf(one) > 0 : lengthOf(one) === longest));
}

const greatest = (numbers: readonly number[]): number =>
  numbers.reduce((most, one) => Math.max(most, one), 0);

/** Whether a name belongs to a domain of nameservers, or is a wildcard that covers names of the domain. */
export const coversName = (domain: string, name: string): boolean =>
  haveCommonAddresses(name, domain) || haveCommonAddresses(name, `*.${domain}`);

/** Whether machines ask nameservers for a domain for the name of a machine. */
export function coversMachine(domain: string, name: string): boolean {
  const asked = [name, name.slice(name.indexOf('.') + 1)].map(domainText);
  return asked.includes(domainText(domain));
}

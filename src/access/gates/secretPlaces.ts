// Places to which the server sends the secrets of objects that a plan may leave as they are: it looks up the address of the object
// that they name, and the plan changes that address, or what its name leads to.
import type { KindTable, Shape } from '../../kinds/kind.ts';
import { domainText } from '../../kinds/values/domain.ts';
import { valueAt } from '../../kinds/values/items.ts';
import { withoutMasked } from '../../kinds/values/masked.ts';
import { pathText } from '../../kinds/values/pathText.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import { shapeAt } from '../../kinds/values/shapeAt.ts';
import type { RightEntry } from '../../model/access/planAccess.ts';
import { addressOf } from '../../model/key.ts';
import { type Key, kindName } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import type { Plan } from '../../model/plan.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { type Fields, isObject } from '../../model/value.ts';
import { accountAfter } from '../plan/accountAfter.ts';
import type { Comparison, PlannedAccount } from '../plan/comparison.ts';
import { movesMachines } from '../plan/movesMachines.ts';
import { areNested, type Sent, sendsSecrets, sentIn } from '../plan/sentElsewhere.ts';
import { once } from '../routed/computedOnce.ts';
import type { AccessState, Network, Resource } from '../state/accessState.ts';
import type { StateObject } from '../state/stateObject.ts';
import { changeNames, changeRecords, isName } from '../state/zones.ts';
import { rangeOf } from '../world/address.ts';
import { EVERYBODY, groupIds } from '../world/replies.ts';
import { namesOf } from '../world/roster.ts';
import { changeAnswers } from './nameservers.ts';
import { type ResolvedChange, resolvedChanges } from './resolvedNames.ts';

/** The kind of objects whose address a server looks up, as far as a plan can change it. A machine stays itself at any address. */
const RESOURCE = 'network_resource';

type Account = PlannedAccount & {
  readonly plan: Pick<Plan, 'changes'>;
  /** What the files declare. Of an object that they do not declare, any value that may be a secret counts as one. */
  readonly declared?: readonly Pick<Desired, 'kind' | 'key' | 'fields'>[];
};

/** The rights of whoever has the other address to the secrets of an object. */
export function secretPlaceRights(states: Comparison, account: Account): readonly RightEntry[] {
  const { kinds, live, plan, declared = [] } = account;
  const sending = new Set([...kinds.values()].filter(sendsSecrets).map(({ name }) => String(name)));
  if (!live.some(({ kind }) => sending.has(kind))) return [];
  const existing = new Set(live.map(({ kind, id }) => `${kind} ${id}`));
  const written = new Map(declared.map(one => [`${one.kind} ${one.key}`, one.fields]));
  const changed = new Map(plan.changes.map(one => [`${one.kind} ${one.id}`, one.fields]));
  const placesOf = placesIn(states, account);
  return accountAfter(kinds, live, plan).objects.flatMap((object): RightEntry[] => {
    const { kind, key, id } = object;
    // A new object sends its secrets somewhere for the first time.
    if (!sending.has(kind) || !existing.has(`${kind} ${id}`)) return [];
    const address = addressOf(kindName(kind), key as Key);
    const shape = kinds.get(kindName(kind))?.shape;
    if (shape === undefined) return [];
    const fields = written.get(`${kind} ${key}`) ?? hidden(kinds, object);
    const own = changed.get(`${kind} ${id}`) ?? [];
    return sentIn({ shape }, fields)
      .filter(({ isPlain, isShown }) => !(isPlain && isShown))
      .filter(({ to }) => !to.some(path => own.some(one => areNested(one.path, path))))
      .flatMap(sent =>
        placesOf(targetOf(shape, fields, sent)).map(place => ({
          object: address,
          right: 'secret' as const,
          message: `${quoted(pathText(shape, sent.path))} is sent to ${place}`,
        })),
      );
  });
}

function hidden(kinds: KindTable, { kind, fields }: StateObject): Fields {
  const all = withoutMasked(kinds.get(kindName(kind))?.shape, { ...fields }, () => false);
  return isObject(all) ? all : fields;
}

/** What an object names as the place for a secret. */
interface Target {
  readonly resource?: string;
  /** An address or a name beside it. */
  readonly host?: string;
  /** Whether the server looks it up: it does for objects and their kin, and not for a URL alone. */
  readonly isLookedUp: boolean;
}

function targetOf(shape: Shape, fields: Fields, { to }: Sent): Target {
  const values = to.map(path => ({ path, value: valueAt(shape, fields, path) }));
  const refs = values.flatMap(({ path, value }) => {
    const own = shapeAt(shape, path);
    return own ? refsIn(own, value) : [];
  });
  const resource = refs.find(({ kind }) => kind === RESOURCE)?.key;
  const host = values.flatMap(({ value }) => (typeof value === 'string' ? value : []))[0];
  return {
    ...(resource !== undefined && { resource }),
    ...(host !== undefined && { host }),
    isLookedUp: refs.length > 0 && !refs.some(({ kind }) => kind === 'peer'),
  };
}

/** Returns in words where else than before a target leads. */
function placesIn(states: Comparison, account: Account): (target: Target) => readonly string[] {
  const { stateBefore, stateAfter } = states;
  const { actions, changes } = account.plan;
  const mayMove =
    changeRecords(changes) ||
    changeAnswers(changes) ||
    changeNames(actions) ||
    actions.some(movesMachines(account.kinds));
  const changedFor = once(() => resolvedChanges(states, account));
  return ({ resource, host, isLookedUp }) => {
    if (!isLookedUp) return [];
    const is = resource === undefined ? undefined : resourceIn(stateAfter, resource);
    const was = is && formerOf(stateBefore, is.resource);
    const address = placeOf(is?.resource, host);
    const former = placeOf(was ?? is?.resource, host);
    if (address === undefined || former === undefined) return [];
    if (address !== former) return [`${nameText(address)} instead of ${nameText(former)}`];
    if (!mayMove || !isName(address)) return [];
    const asking = is && routingGroups(stateAfter, is.network);
    const moved = changedFor()(address).filter(
      one => asking === undefined || concerns(one, asking),
    );
    return moved.map(
      one => `${one.is} instead of ${one.was}, because ${quoted(address)} leads there`,
    );
  };
}

// The server overwrites the host unless the network resource is a range.
function placeOf(resource: Resource | undefined, host: string | undefined): string | undefined {
  const written = resource?.address ?? '';
  const range = rangeOf(written);
  const isOne = range === null || range.length === (range.version === 4 ? 32 : 128);
  const place = written === '' || !isOne ? (host ?? '') : written.replace(/\/(32|128)$/, '');
  return place === '' ? undefined : domainText(place);
}

interface Placed {
  readonly network: Network;
  readonly resource: Resource;
}

function resourceIn({ networks }: AccessState, key: string): Placed | undefined {
  for (const network of networks)
    for (const resource of network.resources)
      if (namesOf(resource).includes(key)) return { network, resource };
  return undefined;
}

// A resource that the plan creates again under its name has another id.
function formerOf({ networks }: AccessState, { id, key }: Resource): Resource | undefined {
  const all = networks.flatMap(({ resources }) => resources);
  return (id && all.find(one => one.id === id)) || all.find(one => one.key === key);
}

/** Who looks up the names of a network: the ids of the groups of its routing machines, and their keys. */
interface Lookers {
  readonly groups: ReadonlySet<string>;
  readonly machines: ReadonlySet<string>;
}

function routingGroups({ groups }: AccessState, { routers }: Network): Lookers {
  const ids = groupIds(groups);
  const enabled = routers.filter(({ isEnabled }) => isEnabled);
  const serving = new Set(enabled.flatMap(({ servers }) => servers.groups));
  const machines = new Set([
    ...enabled.flatMap(({ servers: { machine } }) => machine ?? []),
    ...groups.filter(({ key }) => serving.has(key)).flatMap(one => one.machines),
  ]);
  const theirs = groups
    .filter(group => serving.has(group.key) || group.machines.some(one => machines.has(one)))
    .map(({ key }) => ids.get(key) ?? key);
  return { groups: new Set([EVERYBODY, ...theirs]), machines };
}

const concerns = ({ groups, machines }: ResolvedChange, asking: Lookers): boolean =>
  groups.some(one => asking.groups.has(one)) || machines.some(one => asking.machines.has(one));

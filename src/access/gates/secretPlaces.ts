// Finds addresses to which the server sends secrets of objects that a plan may not change. Such an
// object names another object, and the server looks up the address of the named object. The plan
// changes that address, or the places to which its name resolves.
import type { Kind, KindTable, Shape } from '../../kinds/kind.ts';
import { domainText } from '../../kinds/values/domain.ts';
import { hasHidden, hiddenPaths, secretsAtHidden } from '../../kinds/values/hidden.ts';
import { hostText } from '../../kinds/values/hostText.ts';
import { valueAt } from '../../kinds/values/items.ts';
import { withoutMasked } from '../../kinds/values/masked.ts';
import { pathText } from '../../kinds/values/pathText.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import { shapeAt } from '../../kinds/values/shapeAt.ts';
import { accessName } from '../../model/access/accessName.ts';
import type { DeclaredSender, ThingSent } from '../../model/access/judgedWith.ts';
import type { RightEntry } from '../../model/access/planAccess.ts';
import { addressOf } from '../../model/key.ts';
import { type Address, type Key, kindName, type RemoteId } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import type { Plan } from '../../model/plan.ts';
import { isHosted } from '../../model/secrets/hostedSecret.ts';
import { isSecret } from '../../model/secrets/secret.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { type Fields, isObject, type Json } from '../../model/value.ts';
import { accountAfter } from '../plan/accountAfter.ts';
import type { Comparison, PlannedAccount } from '../plan/comparison.ts';
import { movesMachines } from '../plan/movesMachines.ts';
import { areNested, type Sent, sendsSecrets, sentIn } from '../plan/sentElsewhere.ts';
import { once } from '../routed/computedOnce.ts';
import type { AccessState, Resource } from '../state/accessState.ts';
import { flagIn, type StateObject, textIn } from '../state/stateObject.ts';
import { changeNames, isName, NAME_KINDS } from '../state/zones.ts';
import { haveCommonAddresses, rangeOf } from '../world/address.ts';
import { recordedAddresses } from '../world/nameTargets.ts';
import { namesOf } from '../world/roster.ts';
import { ANSWERING_KINDS, askingIn } from './nameservers.ts';
import { type LaterAccount, networkOf, otherLookups } from './routingLookups.ts';
import { addressesTaken, type TakenAddress } from './takenAddresses.ts';

/**
 * The kind of objects whose address a server looks up. Machines are not included, because a machine
 * is the same machine at any address.
 */
const RESOURCE = 'network_resource';

/**
 * The kinds whose changes may make a name resolve differently, in addition to changes that move
 * machines between groups.
 */
const LEADING_KINDS: ReadonlySet<string> = new Set([
  ...NAME_KINDS,
  ...ANSWERING_KINDS,
  'network',
  RESOURCE,
  'network_router',
  'setup_key',
]);

type Account = PlannedAccount & { readonly plan: Pick<Plan, 'changes'> };

/** A right, and the changes of the plan that give it. These may be changes of other objects. */
export interface RightWithCauses {
  readonly entry: RightEntry;
  readonly causes: readonly Address[];
}

/** The kinds whose objects send secrets or requests to addresses that they name. */
function sendingKinds(kinds: KindTable): ReadonlySet<string> {
  const isSending = (kind: Kind) => sendsSecrets(kind) || hasHidden(kind);
  return new Set([...kinds.values()].filter(isSending).map(({ name }) => String(name)));
}

/** What the declared objects of an account send after a plan, according to the files. */
export function declaredSenders(
  { kinds, live, plan }: Pick<PlannedAccount, 'kinds' | 'live' | 'plan'>,
  declared: readonly Pick<Desired, 'kind' | 'key' | 'fields'>[],
): readonly DeclaredSender[] {
  const sending = sendingKinds(kinds);
  if (!live.some(({ kind }) => sending.has(kind))) return [];
  const written = new Map(declared.map(one => [`${one.kind} ${one.key}`, one.fields]));
  const existing = new Set(live.map(one => `${one.kind} ${one.id}`));
  return accountAfter(kinds, live, plan).objects.flatMap(({ kind, key, id }): DeclaredSender[] => {
    const fields = written.get(`${kind} ${key}`);
    const shape = kinds.get(kindName(kind))?.shape;
    if (!sending.has(kind) || !fields || !shape || !existing.has(`${kind} ${id}`)) return [];
    return [{ kind: kindName(kind), id: id as RemoteId, sends: thingsSent(shape, fields) }];
  });
}

/**
 * The rights of the owner of a new address: to the secrets of an object, and to what is sent to a
 * web address. `senders`: what the declared objects send. In an undeclared object, any value that
 * may be a secret counts as a secret.
 */
export function secretPlaceRights(
  states: Comparison,
  account: Account,
  senders: readonly DeclaredSender[],
): readonly RightWithCauses[] {
  const { kinds, live, plan } = account;
  const sending = sendingKinds(kinds);
  if (!live.some(({ kind }) => sending.has(kind))) return [];
  const existing = new Map(live.map(one => [`${one.kind} ${one.id}`, one]));
  const known = new Map(senders.map(one => [`${one.kind} ${one.id}`, one.sends]));
  const changed = new Map(plan.changes.map(one => [`${one.kind} ${one.id}`, one.fields]));
  const placesOf = placesIn(states, account);
  return accountAfter(kinds, live, plan).objects.flatMap((object): RightWithCauses[] => {
    const { kind, key, id } = object;
    const former = existing.get(`${kind} ${id}`);
    // A new object sends its secrets for the first time, so no secret goes to a different place.
    if (!sending.has(kind) || former === undefined) return [];
    const shape = kinds.get(kindName(kind))?.shape;
    if (shape === undefined) return [];
    const fields = hidden(kinds, object);
    const own = changed.get(`${kind} ${id}`) ?? [];
    return (known.get(`${kind} ${id}`) ?? thingsSent(shape, fields))
      .filter(({ to }) => !to.some(path => own.some(one => areNested(one.path, path))))
      .flatMap(sent =>
        placesOf(targetOf(shape, fields, sent)).map(place => ({
          entry: rightTo(sent, place, {
            object: addressOf(kindName(kind), key as Key),
            isHostSecret: former.hasSecretHost === true,
          }),
          causes: place.causes(),
        })),
      );
  });
}

function thingsSent(shape: Kind['shape'], fields: Fields): readonly ThingSent[] {
  // A disabled object sends nothing.
  const isEnabled = flagIn(fields, 'enabled', true);
  const addresses = isEnabled
    ? [...hiddenPaths(shape, fields), ...secretsAtHidden(shape, fields)]
    : [];
  return [
    ...sentIn({ shape }, fields)
      .filter(({ isPlain, isShown }) => !(isPlain && isShown))
      .map(({ path, to }) => ({ name: pathText(shape, path), to, right: 'secret' as const })),
    ...addresses.map(({ path }) => ({
      name: pathText(shape, path),
      to: [path],
      right: 'events' as const,
    })),
  ];
}

function rightTo(
  { name, right }: ThingSent,
  { text }: Place,
  { object, isHostSecret }: { readonly object: Address; readonly isHostSecret: boolean },
): RightEntry {
  const verb = right === 'secret' ? 'is sent' : 'leads';
  // The host is secret, and the name of the machine would reveal it.
  const place = isHostSecret ? 'another machine, which has its address now' : text;
  return { object, right, message: `${quoted(name)} ${verb} to ${place}` };
}

function hidden(kinds: KindTable, { kind, fields }: StateObject): Fields {
  const all = withoutMasked(kinds.get(kindName(kind))?.shape, { ...fields }, () => false);
  return isObject(all) ? all : fields;
}

/** A new address for a secret, in words, and the changes that lead the secret there. */
interface Place {
  readonly text: string;
  readonly causes: () => readonly Address[];
}

/** The destination of a secret, as an object specifies it. */
interface Target {
  readonly resource?: string;
  /** An address or a name, possibly together with a resource. */
  readonly host?: string;
  /**
   * Whether the server looks up the address. It looks up the addresses of objects; an address in a
   * URL is used unchanged.
   */
  readonly isLookedUp: boolean;
  /** The hosts of addresses that are used unchanged. */
  readonly hosts: readonly string[];
}

function targetOf(shape: Shape, fields: Fields, { to }: Pick<Sent, 'to'>): Target {
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
    hosts: refs.length > 0 ? [] : values.flatMap(({ value }) => hostsIn(value)),
  };
}

function hostsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [hostText(value)];
  if (isHosted(value)) return [hostText(value.$host)];
  return isObject(value) && !isSecret(value) ? Object.values(value).flatMap(hostsIn) : [];
}

/** Returns the new places to which a target leads, in words, with the changes that lead it there. */
function placesIn(states: Comparison, account: Account): (target: Target) => readonly Place[] {
  const { stateBefore, stateAfter } = states;
  const { changes } = account.plan;
  const lookedUp = once(() => otherLookups(states, account));
  const taken = once(() => addressesTaken(stateBefore, stateAfter));
  const takenAt = (address: string): readonly Place[] => {
    const own = isName(address) ? recordedAddresses(stateAfter, address) : [address];
    return taken()
      .filter(one => own.some(place => haveCommonAddresses(place, one.address)))
      .map(one => takenPlace(one, changes));
  };
  return ({ resource, host, isLookedUp, hosts }) => {
    if (!isLookedUp) return hosts.flatMap(takenAt);
    const is = resource === undefined ? undefined : resourceIn(stateAfter, resource);
    const was = is && formerOf(stateBefore, is);
    const address = placeOf(is, host);
    const former = placeOf(was ?? is, host);
    if (address === undefined || former === undefined) return [];
    if (address !== former) {
      const causes = changes
        .filter(
          one =>
            one.kind === RESOURCE &&
            [one.key, `id:${one.id}`].some(name => namesOf(is ?? { key: '' }).includes(name)),
        )
        .map(one => one.address);
      return [
        { text: `${nameText(address)} instead of ${nameText(former)}`, causes: () => causes },
      ];
    }
    if (is === undefined || !isName(address)) return takenAt(address);
    const networkIn = networkOf(is);
    const find = lookedUp();
    const led = find(address, networkIn).map(text => ({
      text,
      causes: () =>
        causesOf(states, account, part => find(address, networkIn, part).includes(text)),
    }));
    return [...takenAt(address), ...led];
  };
}

// The address stays the same, but belongs to another machine now.
function takenPlace(taken: TakenAddress, changes: Account['plan']['changes']): Place {
  const { is, was } = taken;
  const ids = new Set([is.id, was?.id]);
  const moving = changes.filter(({ kind, id }) => kind === 'peer' && ids.has(id));
  const addresses = (moving.length > 0 ? moving : changes).map(one => one.address);
  const now = accessName('peer', is.key);
  const text = was
    ? `${now} instead of ${accessName('peer', was.key)}, which no longer has ${taken.address}`
    : `${now}, which gets ${taken.address}: no machine has it now`;
  return { text, causes: () => addresses };
}

/** The maximum number of changes that are left out one by one. */
const MOST_LEFT_OUT = 50;

// The changes without which the name would not resolve differently. If none of them is necessary
// alone, all changes that may be the reason.
function causesOf(
  { parts, stateBefore }: Comparison,
  { kinds, live, plan }: Account,
  leads: (part: LaterAccount) => boolean,
): readonly Address[] {
  const isLeading = movesMachines(kinds);
  const leading = plan.actions.filter(
    one => LEADING_KINDS.has(one.kind) || changeNames([one]) || isLeading(one),
  );
  const addresses = [...new Set(leading.map(one => one.address))];
  const needed = addresses.slice(0, MOST_LEFT_OUT).filter(address => {
    const { world } = parts.without(new Set([address])).reaches;
    const actions = plan.actions.filter(one => one.address !== address);
    const [, asking] = askingIn(
      { kinds, live, plan: { ...plan, actions } },
      stateBefore.groups,
      world.state.groups,
    );
    return !leads({ world, asking });
  });
  return needed.length > 0 ? needed : addresses;
}

// The server overwrites the host, unless the network resource is a range.
function placeOf(resource: Resource | undefined, host: string | undefined): string | undefined {
  const written = resource?.address ?? '';
  const range = rangeOf(written);
  const isOne = range === null || range.length === (range.version === 4 ? 32 : 128);
  const place = written === '' || !isOne ? (host ?? '') : written.replace(/\/(32|128)$/, '');
  return place === '' ? undefined : domainText(place);
}

const resourceIn = ({ networks }: AccessState, key: string): Resource | undefined =>
  networks.flatMap(({ resources }) => resources).find(one => namesOf(one).includes(key));

// If the plan creates a resource again under the same name, the resource has another id.
function formerOf({ networks }: AccessState, { id, key }: Resource): Resource | undefined {
  const all = networks.flatMap(({ resources }) => resources);
  return (id && all.find(one => one.id === id)) || all.find(one => one.key === key);
}

/**
 * The kinds that must be read if objects of an account send secrets to network resources with
 * names. Zones and nameservers decide where routing machines resolve the names, and any change of
 * an account may give a network other routing machines.
 */
export function kindsOfSentNames(
  kinds: KindTable,
  objects: readonly StateObject[],
  actions: Plan['actions'],
): ReadonlySet<string> {
  const isNamed = [...objects, ...actions].some(
    one => one.kind === RESOURCE && 'fields' in one && isName(textIn(one.fields, 'address')),
  );
  const isSent = (object: StateObject) => {
    const kind = kinds.get(kindName(object.kind));
    return (
      kind !== undefined && sendsSecrets(kind) && sentIn(kind, hidden(kinds, object)).length > 0
    );
  };
  return actions.length > 0 && isNamed && objects.some(isSent)
    ? NAME_KINDS.union(ANSWERING_KINDS)
    : new Set();
}

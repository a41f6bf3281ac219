// Services of the reverse proxy: what they open and to whom, independent of policies (docs/access.md#services).
import { admitNobody } from '../../kinds/values/exposure.ts';
import { hostText } from '../../kinds/values/hostText.ts';
import { areWholeInternet } from '../../kinds/values/wholeInternet.ts';
import { accessName } from '../../model/access/accessName.ts';
import { nameText } from '../../model/text/visible.ts';
import { type Fields, isObject, type Json } from '../../model/value.ts';
import type { CallerLimits, InternetPort, Outsiders, PortRange } from './accessState.ts';
import { flagIn, namedBy, objectsIn, type StateObject, textIn, textsIn } from './stateObject.ts';

/** The kind of services. */
export const SERVICE = 'proxy_service';

/** The whole internet. */
export const ANYBODY: Outsiders = { name: 'internet', are: 'anybody' };

/** The ports that a service opens: for each of its targets in the overlay, and for everybody who may call it. */
export function openedByService(object: StateObject): readonly InternetPort[] {
  const { kind, key, fields } = object;
  if (!flagIn(fields, 'enabled', true)) return [];
  const mode = textIn(fields, 'mode') || 'http';
  const named = namedBy(object);
  const passesName = flagIn(fields, 'pass_host_header', false);
  return objectsIn(fields, 'targets').flatMap((target, at) => {
    const place = placeOf(target);
    if (place === undefined || !flagIn(target, 'enabled', true)) return [];
    const callers = callersOf(fields, mode);
    const path = textIn(target, 'path') || '/';
    return callers.map((caller): InternetPort => {
      const to = place.isBeside ? besideOverlay(caller.to) : caller.to;
      const { lock } = caller;
      const who = lock === undefined ? to.name : `${to.name} ${lock.at}`;
      return {
        key: `${named.key} ${at} ${who}`,
        ...(named.id !== undefined && { id: `${named.id} ${at} ${who}` }),
        ...place,
        to,
        ...(lock !== undefined && { lock }),
        ...(path !== '/' && { path }),
        ...(path !== '/' && keepsPath(target) && { pathThere: path }),
        ...(mode === 'http' && passesName && { nameThere: textIn(fields, 'domain') || key }),
        service: key,
        ...(named.id !== undefined && { serviceId: named.id }),
        limits: callerLimits(fields.access_restrictions),
        by: [{ kind, key }],
        openings: [{ protocol: mode === 'udp' ? 'udp' : 'tcp', range: portOf(target) }],
      };
    });
  });
}

/** The addresses and names that the targets of a service are called by, where the object that they name does not say it. */
export const calledHosts = (fields: Fields): readonly string[] =>
  objectsIn(fields, 'targets').flatMap(target => placeOf(target)?.host ?? []);

type Called = Pick<InternetPort, 'machine' | 'resource' | 'host' | 'isBeside'>;

// A target that the proxy calls by itself is outside of the account, and so is an address beside the proxy: but what has the
// address may be the same as in the account.
function placeOf(target: Fields): Called | undefined {
  const options = isObject(target.options) ? target.options : {};
  const pointer = isObject(target.target) ? target.target : {};
  const beside = flagIn(options, 'direct_upstream', false) ? { isBeside: true as const } : {};
  if (typeof pointer.peer === 'string') return { machine: pointer.peer, ...beside };
  const [resource] = textsIn({ all: [pointer.network_resource ?? null] }, 'all');
  const host = hostText(textIn(target, 'host'));
  if (resource !== undefined) return { machine: '', resource, ...(host && { host }), ...beside };
  return host === '' ? undefined : { machine: '', host, isBeside: true };
}

// Otherwise the path of the target is left out of what it is asked for.
const keepsPath = ({ options }: Fields): boolean =>
  isObject(options) && textIn(options, 'path_rewrite') === 'preserve';

// The network around the proxy is unknown, and so is what the proxy reaches there.
const besideOverlay = (to: Outsiders): Outsiders => ({
  ...to,
  name: `${to.name} beside the overlay`,
  ...(to.are === 'anybody' && { are: 'some-of-the-internet' }),
});

const WEB = 80;
const SECURE = 443;

function portOf(target: Fields): PortRange {
  const given = typeof target.port === 'number' ? target.port : 0;
  const usual = textIn(target, 'protocol') === 'https' ? SECURE : WEB;
  const port = given === 0 ? usual : given;
  return { start: port, end: port };
}

// Who may connect to a service: if it is private, the machines of its groups, except those of blocked users; without a lock,
// everybody; otherwise everybody who opens one of its locks, and machines on the overlay, which need no sign-in.
function callersOf(fields: Fields, mode: string): readonly Callers[] {
  const { networks, blocked } = callerLimits(fields.access_restrictions);
  if (admitNobody(networks, blocked)) return [];
  const limits = limitsOf(fields.access_restrictions);
  if (mode !== 'http') return [{ to: fromInternet(undefined, limits) }];
  if (flagIn(fields, 'private', false)) {
    const members = machinesOf(textsIn(fields, 'access_groups'), ['unless blocked'], limits);
    return [{ to: { ...members, refusesBlocked: true } }];
  }
  const auth = isObject(fields.auth) ? fields.auth : {};
  const secrets = secretsIn(auth);
  const bearer = isObject(auth.bearer_auth) ? auth.bearer_auth : {};
  const asks = flagIn(bearer, 'enabled', false);
  const groups = textsIn(bearer, 'distribution_groups');
  if (secrets.length === 0 && !asks) return [{ to: fromInternet(undefined, limits) }];
  return [
    ...secrets.map(({ secret, lock }) => ({ to: fromInternet(secret, limits), lock })),
    ...(asks ? [{ to: usersOf(groups, limits) }] : []),
    { to: machinesOf(asks && groups.length > 0 ? groups : undefined, [], limits) },
  ];
}

/** Callers of a service, and the lock whose secret they have. */
interface Callers {
  readonly to: Outsiders;
  readonly lock?: InternetPort['lock'];
}

interface Secret {
  /** What callers have. */
  readonly secret: string;
  readonly lock: NonNullable<InternetPort['lock']>;
}

function secretsIn(auth: Fields): readonly Secret[] {
  const isClosed = (lock: Json | undefined) => isObject(lock) && flagIn(lock, 'enabled', false);
  const headers = objectsIn(auth, 'header_auths').filter(isClosed);
  return [
    ...(isClosed(auth.password_auth)
      ? [{ secret: 'a password', lock: { at: 'auth.password_auth', name: 'the password' } }]
      : []),
    ...(isClosed(auth.pin_auth)
      ? [{ secret: 'a PIN', lock: { at: 'auth.pin_auth', name: 'the PIN' } }]
      : []),
    ...headers.map(header => {
      const name = textIn(header, 'header').toLowerCase();
      const lock = { at: `auth.header_auths.${name}`, name: `the header ${nameText(name)}` };
      return { secret: 'a header', lock };
    }),
  ];
}

// Only a list of those who may call keeps others out, and only if it is not the whole internet: lists of blocked addresses and
// countries, and CrowdSec, let in nearly everybody.
function limitsOf(restrictions: Json | undefined): readonly string[] {
  const given = isObject(restrictions) ? restrictions : {};
  const networks = textsIn(given, 'allowed_cidrs');
  return [
    ...(networks.length > 0 && !areWholeInternet(networks) ? ['some addresses'] : []),
    ...(textsIn(given, 'allowed_countries').length > 0 ? ['some countries'] : []),
  ];
}

function callerLimits(restrictions: Json | undefined): CallerLimits {
  const given = isObject(restrictions) ? restrictions : {};
  const listed = (name: string) => textsIn(given, name).toSorted();
  return {
    networks: listed('allowed_cidrs'),
    countries: listed('allowed_countries'),
    blocked: [...listed('blocked_cidrs'), ...listed('blocked_countries')],
    isChecked: given.crowdsec_mode === 'enforce',
  };
}

function fromInternet(secret: string | undefined, limits: readonly string[]): Outsiders {
  if (secret === undefined && limits.length === 0) return ANYBODY;
  const name = [`internet${secret === undefined ? '' : ` with ${secret}`}`, ...from(limits)];
  return { name: name.join(' '), are: 'some-of-the-internet' };
}

function usersOf(groups: readonly string[], limits: readonly string[]): Outsiders {
  const name = [groups.length === 0 ? 'users' : `users of ${namesOf(groups)}`, ...from(limits)];
  return { name: name.join(' '), are: 'users', ...(groups.length > 0 && { groups }) };
}

// The limits come first for everybody: a machine calls from its overlay address.
function machinesOf(
  groups: readonly string[] | undefined,
  except: readonly string[],
  limits: readonly string[],
): Outsiders {
  const members = groups === undefined ? 'all machines' : namesOf(groups);
  return {
    name: [`service callers of ${members}`, ...except, ...from(limits)].join(' '),
    are: 'machines',
    ...(groups !== undefined && { groups }),
  };
}

const from = (limits: readonly string[]): readonly string[] =>
  limits.length === 0 ? [] : [`from ${limits.join(' and ')}`];

const namesOf = (groups: readonly string[]): string =>
  groups
    .map(group => accessName('group', group))
    .toSorted()
    .join(', ');

// Services of the reverse proxy: the ports that they open, and their callers. The access of callers
// does not depend on policies (docs/access.md#services).
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

/** The ports that a service opens: one for each target in the overlay and each type of caller. */
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
      const to = place.isCalledDirectly ? besideOverlay(caller.to) : caller.to;
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

/**
 * The addresses and names at which a service calls its targets, unless the objects of the targets
 * determine them.
 */
export const calledHosts = (fields: Fields): readonly string[] =>
  objectsIn(fields, 'targets').flatMap(target => placeOf(target)?.host ?? []);

type Called = Pick<InternetPort, 'machine' | 'resource' | 'host' | 'isCalledDirectly'>;

// The place at which a service calls a target. A target that the proxy calls directly and an
// address near the proxy are outside the account. But the account may have an object with the same
// address.
function placeOf(target: Fields): Called | undefined {
  const options = isObject(target.options) ? target.options : {};
  const pointer = isObject(target.target) ? target.target : {};
  const beside = flagIn(options, 'direct_upstream', false)
    ? { isCalledDirectly: true as const }
    : {};
  if (typeof pointer.peer === 'string') return { machine: pointer.peer, ...beside };
  const [resource] = textsIn({ all: [pointer.network_resource ?? null] }, 'all');
  const host = hostText(textIn(target, 'host'));
  if (resource !== undefined) return { machine: '', resource, ...(host && { host }), ...beside };
  return host === '' ? undefined : { machine: '', host, isCalledDirectly: true };
}

// Whether the proxy keeps the path of the target in requests. It removes the path, unless the
// option is `preserve`.
const keepsPath = ({ options }: Fields): boolean =>
  isObject(options) && textIn(options, 'path_rewrite') === 'preserve';

// The callers of a target outside the overlay, as separate outsiders. The network near the proxy is
// unknown, and so are the destinations that the proxy reaches there.
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

// The callers that may connect to a service. A private service admits the machines of its groups,
// except machines of blocked users. A service without a lock admits everybody. Any other service
// admits everybody who can open one of its locks. It also admits machines on the overlay, which
// need not sign in.
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

/** Callers of a service, and the lock whose secret they know. */
interface Callers {
  readonly to: Outsiders;
  readonly lock?: InternetPort['lock'];
}

interface Secret {
  /** The type of secret that callers know, in words. */
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

// The limits that really exclude callers. A list of allowed callers excludes callers unless it
// covers the whole internet. Lists of blocked addresses and countries, and CrowdSec, admit nearly
// everybody.
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

// The machines of these groups that may call. Limits to networks apply to machines too, because a
// machine calls from its overlay address.
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

// What a service of the reverse proxy must be besides what its schema says: names below a cluster, locks with secrets, targets
// that exist, and for each mode what goes with it.
import type { Kind } from '../../../src/kinds/kind.ts';
import { secretFrom } from '../../../src/model/secrets/secret.ts';
import { type Fields, isList, isObject, type Json } from '../../../src/model/value.ts';
import type { RandomSource } from './randomSource.ts';

/** What a service can name. */
interface Around {
  readonly random: RandomSource;
  readonly keys: (kind: Kind['name']) => readonly string[];
  /** Whether a network resource is a whole network, if its address is known. */
  readonly isSubnet?: (key: string) => boolean | undefined;
  /** The secret of every lock. */
  readonly secret: string;
}

/** Drawn fields, as a server takes them; null if there is nothing that it can lead to. */
export function coherentService(kind: Kind, fields: Fields, around: Around): Fields | null {
  const { random, keys } = around;
  const clusters = (kind.identitySuffix?.kinds ?? []).flatMap(name => keys(name));
  const mode = String(fields.mode ?? 'http');
  const drawn = (isList(fields.targets) ? fields.targets : []).filter(isObject);
  const targets = drawn.flatMap(target => targetIn(target, mode, around));
  if (clusters.length === 0 || targets.length === 0) return null;
  const own = String(fields.domain);
  const isBelow = clusters.some(one => own.endsWith(`.${one}`));
  const domain = isBelow ? own : `${random.pick(['a', 'b', 'c'])}.${random.some(clusters, 1)[0]}`;
  const groups = isList(fields.access_groups) ? fields.access_groups : [];
  const isPrivate = mode === 'http' && fields.private === true && groups.length > 0;
  const drawnAuth = mode === 'http' && isObject(fields.auth) ? fields.auth : undefined;
  const auth = drawnAuth && authIn(drawnAuth, around.secret);
  const asksToSignIn = isObject(auth?.bearer_auth) && auth.bearer_auth.enabled === true;
  const others = Object.entries(fields).filter(([name]) => !SET_HERE.has(name));
  return {
    ...Object.fromEntries(others),
    domain,
    targets: mode === 'http' ? distinct(targets) : targets.slice(0, 1),
    ...(mode === 'http' && (asksToSignIn || fields.private === false) && { private: false }),
    ...(fields.access_groups !== undefined && { access_groups: groups }),
    ...(mode === 'tls' && { listen_port: 20_000 + random.below(40_000) }),
    ...(auth && { auth }),
    ...(isPrivate && { private: true, auth: { ...auth, bearer_auth: { enabled: false } } }),
  };
}

const SET_HERE = new Set(['domain', 'targets', 'private', 'access_groups', 'listen_port', 'auth']);

/** Whether a server takes these fields together. */
export function isCoherent({ private: isPrivate, access_groups: groups, auth }: Fields): boolean {
  const asksToSignIn =
    isObject(auth) && isObject(auth.bearer_auth) && auth.bearer_auth.enabled === true;
  return isPrivate !== true || (isList(groups) && groups.length > 0 && !asksToSignIn);
}

function distinct(targets: readonly Fields[]): readonly Json[] {
  const by = new Map(targets.map(one => [`${one.path ?? ''} ${JSON.stringify(one.target)}`, one]));
  return [...by.values()];
}

function targetIn(drawn: Fields, mode: string, { random, keys, isSubnet }: Around): Fields[] {
  const { path: _, host: __, options, ...target } = drawn;
  const isWeb = mode === 'http';
  const [[kind = '', key = ''] = []] = Object.entries(isObject(drawn.target) ? drawn.target : {});
  const isWhole = kind === 'network_resource' ? isSubnet?.(String(key)) : false;
  const [machine] = random.some(keys('peer' as Kind['name']), 1);
  if (isWhole === undefined && machine === undefined) return [];
  const isBeside = kind === 'proxy_cluster';
  return [
    {
      ...target,
      ...(isWhole === undefined && { target: { peer: machine ?? '' } }),
      ...(isWeb && { path: random.pick(['/', '/a', '/b']) }),
      ...(!isWeb && { enabled: true }),
      port: isWeb ? random.pick([0, 80, 8080]) : random.pick([80, 8080]),
      ...((isBeside || isWhole === true) && { host: '203.0.113.7' }),
      ...((isBeside || options !== undefined) && {
        options: optionsIn(isObject(options) ? options : {}, mode, isBeside),
      }),
    },
  ];
}

function optionsIn(options: Fields, mode: string, isBeside: boolean): Fields {
  const { skip_tls_verify, path_rewrite, custom_headers, proxy_protocol, ...timeouts } = options;
  const { direct_upstream: _, ...durations } = timeouts;
  const direct = isBeside && { direct_upstream: true };
  if (mode !== 'http')
    return {
      ...durations,
      ...direct,
      ...(mode !== 'udp' && proxy_protocol !== undefined && { proxy_protocol }),
    };
  const headers = Object.keys(isObject(custom_headers) ? custom_headers : {});
  return {
    ...durations,
    ...direct,
    ...(skip_tls_verify !== undefined && { skip_tls_verify }),
    ...(path_rewrite !== undefined && { path_rewrite }),
    ...(headers.length > 0 && {
      custom_headers: Object.fromEntries(headers.map((_name, i) => [`X-Drawn-${i}`, 'seen'])),
    }),
  };
}

// A lock that closes has its secret.
function authIn(auth: Fields, secret: string): Fields {
  const { password_auth, pin_auth, bearer_auth, header_auths } = auth;
  const locked = (lock: Json | undefined, opens: string): Fields | undefined =>
    isObject(lock) ? { ...lock, [opens]: secretFrom(`\${env:${secret}}`) } : undefined;
  const password = locked(password_auth, 'password');
  const pin = locked(pin_auth, 'pin');
  const headers = isList(header_auths)
    ? header_auths.map((one, i) => ({ ...locked(one, 'value'), header: `x-drawn-${i}` }))
    : undefined;
  return {
    ...(password && { password_auth: password }),
    ...(pin && { pin_auth: pin }),
    // What a private service may not have is not drawn, and the service may turn out to be none.
    ...(isObject(bearer_auth) && { bearer_auth: { enabled: false, ...bearer_auth } }),
    ...(headers && { header_auths: headers }),
  };
}

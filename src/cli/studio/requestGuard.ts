// Determines which requests a studio answers: the requests of its own page, in a browser of this
// machine. Any page in that browser can send requests to a port of loopback. A page whose name now
// resolves to 127.0.0.1 can even read the responses. So the host name must be that of this server,
// and the origin must be the studio's own page. For everything that shows the files, the request
// must also contain the token.
import { createHash, timingSafeEqual } from 'node:crypto';

/** The requests that a studio answers, by path. */
const ROUTES = {
  '/': { method: 'GET', isOpen: true },
  '/updates': { method: 'GET', isOpen: false },
  '/ask': { method: 'POST', isOpen: false },
  '/refresh': { method: 'POST', isOpen: false },
} as const;

export type StudioPath = keyof typeof ROUTES;

/** The parts of a request that determine whether it is answered. */
export interface Asked {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headersDistinct: Readonly<NodeJS.Dict<string[]>>;
}

/** The port and the token of a studio. */
export interface StudioAccess {
  readonly port: number;
  readonly token: string;
}

/** A response that explains why the request is refused. */
export interface Refused {
  readonly status: 401 | 403 | 404 | 405;
  readonly why: string;
  readonly allow?: string;
}

/** The path of a request, or the response that refuses the request. */
export function admitted(asked: Asked, { port, token }: StudioAccess): StudioPath | Refused {
  const names = ['127.0.0.1', 'localhost'].map(name => `${name}:${port}`);
  const host = only(asked, 'host');
  if (host === undefined || !names.includes(host))
    return { status: 403, why: 'the request is for another host' };
  const site = onlyIfAny(asked, 'sec-fetch-site');
  const isOwnSite = site === undefined || site === 'same-origin' || site === 'none';
  const origin = onlyIfAny(asked, 'origin');
  if (!isOwnSite || (origin !== undefined && origin !== `http://${host}`))
    return { status: 403, why: 'the request comes from another site' };
  const path = asked.url ?? '';
  if (!isPath(path)) return { status: 404, why: 'there is nothing at this path' };
  const { method, isOpen } = ROUTES[path];
  if (asked.method !== method)
    return { status: 405, why: `this path answers ${method} only`, allow: method };
  if (isOpen || isToken(only(asked, 'authorization'), token)) return path;
  return { status: 401, why: 'the token is missing or wrong' };
}

const isPath = (path: string): path is StudioPath => Object.hasOwn(ROUTES, path);

// The value of a header; undefined unless it was sent exactly once. Programs disagree about the
// value of a repeated header, so a repeated header is refused.
function only({ headersDistinct }: Asked, name: string): string | undefined {
  const [value, ...others] = headersDistinct[name] ?? [];
  return others.length === 0 ? value : undefined;
}

const onlyIfAny = (asked: Asked, name: string): string | undefined =>
  asked.headersDistinct[name] === undefined ? undefined : (only(asked, name) ?? 'several');

// Compares digests, because all digests have the same length, so the time of the comparison reveals nothing about the token.
function isToken(header: string | undefined, token: string): boolean {
  const [given, wanted] = [header ?? '', `Bearer ${token}`].map(text =>
    createHash('sha256').update(text).digest(),
  );
  return given !== undefined && wanted !== undefined && timingSafeEqual(given, wanted);
}

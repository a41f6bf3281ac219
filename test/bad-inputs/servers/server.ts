// How a bad server is written down, and the ways in which it can answer badly.
import type { ServerResponse } from 'node:http';
import type { Asked, BadServer, Row } from '../row.ts';

export const NET = { 'net/a.yaml': 'groups: [{ name: devs }, { name: fresh }]\n' };

/** Answers a request for which `isIt` holds with a status, a type and a text. */
export const answers =
  (
    isIt: (asked: Asked) => boolean,
    text: string | Uint8Array | ((asked: Asked) => string),
    { status = 200, type = 'application/json', headers = {} as Record<string, string> } = {},
  ): BadServer =>
  asked => {
    if (!isIt(asked)) return 'as usual';
    asked.response.writeHead(status, { 'content-type': type, ...headers });
    asked.response.end(typeof text === 'function' ? text(asked) : text);
    return 'badly';
  };

export const all = (): boolean => true;
const reads = (path: string) => (asked: Asked) =>
  asked.method === 'GET' && asked.path.split('?')[0] === path;
export const groups = reads('/api/groups');

export type Server = readonly [
  title: string,
  server: BadServer,
  code: number,
  says: string,
  help: string,
  more?: Partial<Row>,
];

export const rows = (servers: readonly Server[], argv: readonly string[]): Row[] =>
  servers.map(([title, server, code, says, help, more]) => ({
    title,
    files: NET,
    argv,
    server,
    code,
    says,
    help,
    ...more,
  }));

export const tokenOf = ({ request }: Asked): string =>
  (request.headers.authorization ?? '').replace(/^\w+ /, '');

/** Breaks a connection, or never ends an answer. */
export const broken =
  (isIt: (asked: Asked) => boolean, breakIt: (response: ServerResponse) => void): BadServer =>
  asked => {
    if (!isIt(asked)) return 'as usual';
    breakIt(asked.response);
    return 'badly';
  };

/** Sends one byte after another, for ever. */
export function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('[');
  const timer = setInterval(() => response.write(' '), 50);
  response.on('close', () => clearInterval(timer));
}

/** Leaves the first request without an answer, and breaks off the others. */
export function hesitate(): (response: ServerResponse) => void {
  let count = 0;
  return response => void (++count > 1 && response.destroy());
}

/** A group as the account has it. */
export const ITEM =
  '{"id":"g1","name":"devs","peers_count":0,"resources_count":0,"issued":"api","peers":[],"resources":[]}';

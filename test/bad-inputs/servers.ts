// Bad servers: they refuse, break off, lie about what they send, or are none. What was read badly must not become a
// plan, and after a bad answer nothing may be written.
import type { ServerResponse } from 'node:http';
import type { Asked, BadServer, Place, Row } from './row.ts';

const NET = { 'net/a.yaml': 'groups: [{ name: devs }, { name: fresh }]\n' };

/** Answers a request for which `isIt` holds with a status, a type and a text. */
const answers =
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

const all = (): boolean => true;
const reads = (path: string) => (asked: Asked) =>
  asked.method === 'GET' && asked.path.split('?')[0] === path;
const groups = reads('/api/groups');

type Server = readonly [
  title: string,
  server: BadServer,
  code: number,
  says: string,
  help: string,
  more?: Partial<Row>,
];

const rows = (servers: readonly Server[], argv: readonly string[]): Row[] =>
  servers.map(([title, server, code, says, help, more]) => ({
    ...{ title, files: NET, argv, server, code, says, help },
    ...more,
  }));

const tokenOf = ({ request }: Asked): string =>
  (request.headers.authorization ?? '').replace(/^\w+ /, '');

const ITEM =
  '{"id":"g1","name":"devs","peers_count":0,"resources_count":0,"issued":"api","peers":[],"resources":[]}';

/** What every answer may be. */
const ANSWERS: readonly Server[] = [
  [
    'a web page instead of JSON',
    answers(all, '<!doctype html><title>Login</title>', { type: 'text/html' }),
    1,
    'a web page',
    'web pages',
  ],
  ['nothing instead of a list', answers(all, ''), 1, 'empty body', 'Management API'],
  [
    'JSON that ends in the middle',
    answers(groups, '[{"id":"g1","na'),
    1,
    'not JSON',
    'Management API',
  ],
  ['JSON with more behind it', answers(groups, '[]\n[]'), 1, 'not JSON', 'Management API'],
  ['a text under the type of JSON', answers(all, 'OK'), 1, 'not JSON', 'Management API'],
  ['an object instead of a list', answers(groups, '{"groups":[]}'), 1, 'list', ''],
  ['a number instead of a list', answers(groups, '42'), 1, 'list', ''],
  ['a list of texts', answers(groups, '["devs"]'), 1, '', ''],
  ['a list of nothing', answers(groups, '[null]'), 1, '', ''],
  ['a list of lists', answers(groups, '[[]]'), 1, '', ''],
  ['objects without an id', answers(groups, '[{"name":"devs"}]'), 1, '', ''],
  [
    'an id that is empty',
    answers(groups, ITEM.replace('g1', '').replace(/^.*$/, '[$&]')),
    1,
    '',
    '',
  ],
  ['an id that is nothing', answers(groups, `[${ITEM.replace('"g1"', 'null')}]`), 1, '', ''],
  ['an id that is an object', answers(groups, `[${ITEM.replace('"g1"', '{}')}]`), 1, '', ''],
  [
    'an id that is a number larger than numbers are exact',
    answers(groups, `[${ITEM.replace('"g1"', '12345678901234567890')}]`),
    1,
    '',
    '',
  ],
  [
    'one id for two objects',
    answers(groups, `[${ITEM},${ITEM.replace('devs', 'ops')}]`),
    1,
    'g1',
    '',
  ],
  [
    'bytes that are not UTF-8',
    answers(groups, Buffer.from(`[${ITEM.replace('devs', 'd\u00e9vs')}]`, 'latin1')),
    1,
    'UTF-8',
    '',
  ],
  ['UTF-16', answers(groups, Buffer.from(`\ufeff[${ITEM}]`, 'utf16le')), 1, '', 'Management API'],
  [
    'twenty thousand levels',
    answers(groups, `[{"id":"x","name":"y","peers":${'['.repeat(20_000)}${']'.repeat(20_000)}}]`),
    1,
    '',
    '',
  ],
  [
    'the answer compressed, and nobody asked for that',
    answers(
      groups,
      Buffer.from('1f8b08000000000000038b8e05002977 0f0d02000000'.replaceAll(' ', ''), 'hex'),
      { headers: { 'content-encoding': 'gzip' } },
    ),
    1,
    '',
    'Management API',
  ],
];

/** How a server refuses. */
const REFUSALS: readonly Server[] = [
  [
    'the token is not known',
    answers(all, '{"message":"token invalid","code":401}', { status: 401 }),
    1,
    '401',
    'token',
  ],
  [
    'the token may not',
    answers(all, '{"message":"permission denied","code":403}', { status: 403 }),
    1,
    '403',
    'may not',
  ],
  [
    'a path is not known, in words',
    answers(all, '404 page not found', { status: 404, type: 'text/plain' }),
    1,
    '404',
    'Management API',
  ],
  ['nothing is allowed here', answers(all, '', { status: 405 }), 1, '405', ''],
  ['a teapot', answers(all, 'short and stout', { status: 418 }), 1, '418', 'Management API'],
  [
    'too many requests, for ever',
    answers(all, '{}', { status: 429, headers: { 'retry-after': '99999999' } }),
    1,
    '429',
    '--rate',
  ],
  [
    'too many requests, until a day that is none',
    answers(all, '{}', { status: 429, headers: { 'retry-after': 'tomorrow' } }),
    1,
    '429',
    '--rate',
  ],
  [
    'a fault of its own',
    answers(all, '{"message":"internal","code":500}', { status: 500 }),
    1,
    '500',
    'log',
  ],
  [
    'a gateway without a server',
    answers(all, '<h1>502</h1>', { status: 502, type: 'text/html' }),
    1,
    '502',
    'log',
  ],
  [
    'closed for today',
    answers(all, '', { status: 503, headers: { 'retry-after': '3600' } }),
    1,
    '503',
    'log',
  ],
  [
    '200 kB of an error',
    answers(all, JSON.stringify({ message: 'x'.repeat(200_000) }), { status: 400 }),
    1,
    '200000 characters',
    '',
  ],
  [
    '200 kB of an error that is no JSON',
    answers(all, 'y'.repeat(200_000), { status: 500 }),
    1,
    '500',
    'log',
  ],
  [
    'an error that repeats the token',
    answers(all, asked => JSON.stringify({ message: `bad token ${tokenOf(asked)}` }), {
      status: 400,
    }),
    1,
    '400',
    '',
  ],
  [
    'an error that repeats the token in base64',
    answers(
      all,
      asked => JSON.stringify({ message: `bad ${Buffer.from(tokenOf(asked)).toString('base64')}` }),
      { status: 400 },
    ),
    1,
    '400',
    '',
  ],
  [
    'an error that repeats the header in base64',
    answers(
      all,
      asked =>
        JSON.stringify({
          message: `bad ${Buffer.from(`Token ${tokenOf(asked)}`).toString('base64')}`,
        }),
      { status: 400 },
    ),
    1,
    '400',
    '',
  ],
  [
    'an error that repeats the token in hexadecimal',
    answers(
      all,
      asked => JSON.stringify({ message: `bad ${Buffer.from(tokenOf(asked)).toString('hex')}` }),
      { status: 400 },
    ),
    1,
    '400',
    '',
  ],
  [
    'an error that repeats the token after 495 letters',
    answers(all, asked => JSON.stringify({ message: `${'z'.repeat(495)}${tokenOf(asked)}` }), {
      status: 400,
    }),
    1,
    '400',
    '',
  ],
  [
    'an error whose message is an object',
    answers(all, '{"message":{"toString":"x"}}', { status: 400 }),
    1,
    '400',
    '',
  ],
  [
    'an error with the prototype in it',
    answers(all, '{"__proto__":{"message":"gotcha"}}', { status: 400 }),
    1,
    '400',
    '',
  ],
  [
    'a redirect to another host',
    answers(all, '', { status: 302, headers: { location: 'https://evil.example.com/?token=x' } }),
    1,
    'redirect',
    '',
  ],
  [
    'a redirect to itself',
    answers(all, '', { status: 301, headers: { location: '/api/groups' } }),
    1,
    'redirect',
    '',
  ],
  ['a redirect to nowhere', answers(all, '', { status: 308 }), 1, 'redirect', ''],
  ['nothing has changed since', answers(all, '', { status: 304 }), 1, '304', ''],
  [
    'a success without content',
    answers(all, '', { status: 204 }),
    1,
    'empty body',
    'Management API',
  ],
];

/** Breaks a connection, or never ends an answer. */
const broken =
  (isIt: (asked: Asked) => boolean, breakIt: (response: ServerResponse) => void): BadServer =>
  asked => {
    if (!isIt(asked)) return 'as usual';
    breakIt(asked.response);
    return 'badly';
  };

/** Sends one byte after another, for ever. */
function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('[');
  const timer = setInterval(() => response.write(' '), 50);
  response.on('close', () => clearInterval(timer));
}

/** Leaves the first request without an answer, and breaks off the others. */
function hesitate(): (response: ServerResponse) => void {
  let count = 0;
  return response => void (++count > 1 && response.destroy());
}

const quick = ['plan', 'net', '--timeout', '1', '--deadline', '1000'];

const CONNECTIONS: readonly Server[] = [
  [
    'it closes before it answers',
    broken(all, response => response.destroy()),
    1,
    'GET /api/groups',
    'right address',
  ],
  [
    'it closes in the middle of an answer',
    broken(groups, response => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('[{"id"');
      setImmediate(() => response.destroy());
    }),
    1,
    'GET /api/groups',
    'right address',
  ],
  [
    'it sends less than it said',
    broken(groups, response => {
      response.writeHead(200, { 'content-length': '50' });
      response.write('[]');
      setImmediate(() => response.socket?.end());
    }),
    1,
    'GET /api/groups',
    'right address',
  ],
  [
    'it speaks something else',
    broken(all, response => {
      response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n');
    }),
    1,
    'GET /api/groups',
    'right address',
  ],
  [
    'it answers with headers without an end',
    broken(all, response => {
      response.socket?.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`);
      response.socket?.end();
    }),
    1,
    'GET /api/groups',
    'right address',
  ],
  [
    'it says two lengths',
    broken(all, response => {
      response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 5\r\n\r\n[]');
    }),
    1,
    'GET /api/groups',
    'right address',
  ],
  [
    'it sends chunks that are none',
    broken(all, response => {
      response.socket?.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n[]\r\n');
    }),
    1,
    'GET /api/groups',
    'right address',
  ],
  [
    'it says a length above all lengths',
    broken(all, response => {
      response.writeHead(200, { 'content-length': '9999999999' });
      response.flushHeaders();
    }),
    1,
    '512 MB',
    '',
  ],
];

/** Where there is no server, or one of another sort. */
const NO_SERVER: readonly Row[] = [
  {
    title: 'nothing listens there',
    argv: ['plan', 'net'],
    env: { MESHFORM_URL: 'http://127.0.0.1:1' },
    code: 1,
    says: 'nothing listens',
    help: 'right address',
  },
  {
    title: 'no such host is known',
    argv: ['plan', 'net'],
    env: { MESHFORM_URL: 'http://nowhere.invalid' },
    code: 1,
    says: 'GET /api/groups failed',
    help: 'right address',
  },
  {
    title: 'a port that is none',
    argv: ['plan', 'net'],
    env: { MESHFORM_URL: 'http://127.0.0.1:99999' },
    code: 64,
    says: 'not a web address',
    help: 'https://',
  },
  {
    title: 'TLS is asked of a port without',
    argv: (place: Place) => ['plan', 'net', '--url', place.account.url.replace('http:', 'https:')],
    code: 1,
    says: 'GET /api/groups failed',
    help: 'right address',
  },
  {
    title: 'the path of the API twice',
    argv: (place: Place) => ['plan', 'net', '--url', `${place.account.url}/api/api/v2`],
    code: 1,
    says: '404',
    help: 'Management API',
  },
].map(row => ({ files: NET, ...row }));

const APPLY = ['apply', 'net', '--yes', '--on-error', 'stop'];
const creates = ({ method, path }: Asked): boolean => method === 'POST' && path === '/api/groups';

/** An apply whose first write goes wrong: nothing is written after it. */
const WRITES: readonly Server[] = [
  [
    'the write is refused',
    answers(creates, '{"message":"no","code":422}', { status: 422 }),
    4,
    '422',
    '',
  ],
  [
    'the write is denied',
    answers(creates, '{"message":"no","code":403}', { status: 403 }),
    4,
    '403',
    'user',
  ],
  [
    'the token ends in between',
    answers(creates, '{"message":"expired","code":401}', { status: 401 }),
    4,
    '401',
    '--resume',
  ],
  [
    'the write is answered with a page',
    answers(creates, '<html>', { type: 'text/html' }),
    4,
    'fresh',
    'look whether it is there',
    { repeats: 1 },
  ],
  [
    'the write is answered with nothing',
    answers(creates, ''),
    4,
    'fresh',
    'look whether it is there',
    { repeats: 1 },
  ],
  [
    'the write is answered with a list',
    answers(creates, '[]'),
    4,
    'fresh',
    'look whether it is there',
    { repeats: 1 },
  ],
  [
    'the write is answered without an id',
    answers(creates, '{"name":"fresh"}'),
    4,
    'fresh',
    'look whether it is there',
    { repeats: 1 },
  ],
  [
    'the write is redirected',
    answers(creates, '', { status: 307, headers: { location: 'https://evil.example.com/' } }),
    4,
    'redirect',
    '',
  ],
  [
    'the write repeats the token in its refusal',
    answers(
      creates,
      asked =>
        JSON.stringify({
          message: `no ${tokenOf(asked)} ${Buffer.from(tokenOf(asked)).toString('base64')}`,
        }),
      { status: 400 },
    ),
    4,
    '400',
    '',
  ],
  [
    'the connection breaks in the write',
    broken(creates, response => response.destroy()),
    4,
    'fresh',
    'look whether it is there',
    { repeats: 1 },
  ],
];

const renamed = {
  files: { 'net/a.yaml': 'groups: [{ name: runners, lifecycle: { was: ops } }]\n' },
};
const readAgain = ({ method, path }: Asked): boolean =>
  method === 'GET' && /^\/api\/groups\/[^/]+$/.test(path);
const updates = ({ method, path }: Asked): boolean =>
  method === 'PUT' && path.startsWith('/api/groups/');

/** An apply that changes what is there: it is read once more just before. */
const UPDATES: readonly Server[] = [
  [
    'the object is a page when it is read again',
    answers(readAgain, '<html>'),
    4,
    'a web page',
    'Management API',
    renamed,
  ],
  [
    'the object is another one when it is read again',
    answers(readAgain, ITEM),
    5,
    '',
    'new plan',
    renamed,
  ],
  ['the object is a list when it is read again', answers(readAgain, '[]'), 4, '', '', renamed],
  [
    'the object is gone when it is read again',
    answers(readAgain, '{"message":"not found","code":404}', { status: 404 }),
    5,
    '',
    'new plan',
    renamed,
  ],
  [
    'the update is refused',
    answers(updates, '{"message":"no","code":400}', { status: 400 }),
    4,
    '400',
    'declared',
    renamed,
  ],
  [
    'the update fails inside of the server',
    answers(updates, '', { status: 500 }),
    4,
    '500',
    '--resume',
    renamed,
  ],
];

export const SERVERS: readonly Row[] = [
  ...rows(ANSWERS, ['plan', 'net']),
  ...rows(REFUSALS, ['drift', 'net']),
  ...rows(CONNECTIONS, ['plan', 'net']),
  ...rows(
    [
      [
        'it does not begin to answer, and then breaks off',
        broken(all, hesitate()),
        1,
        'GET /api/groups',
        'right address',
      ],
      ['it never ends an answer', broken(groups, drip), 1, 'GET /api/groups', 'right address'],
    ],
    quick,
  ),
  ...NO_SERVER,
  ...rows(WRITES, APPLY),
  ...rows(UPDATES, APPLY),
];

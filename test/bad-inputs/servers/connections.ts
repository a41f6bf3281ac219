import type { Place, Row } from '../row.ts';
import { all, broken, groups, NET, type Server } from './server.ts';

export const CONNECTIONS: readonly Server[] = [
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
export const NO_SERVER: readonly Row[] = [
  {
    title: 'connection refused',
    argv: ['plan', 'net'],
    env: { MESHFORM_URL: 'http://127.0.0.1:1' },
    code: 1,
    says: 'connection refused',
    help: 'right address',
  },
  {
    title: 'unknown host',
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
    help: 'the API, not the dashboard',
  },
].map(row => ({ files: NET, ...row }));

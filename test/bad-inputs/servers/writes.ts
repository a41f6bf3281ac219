import type { Asked } from '../row.ts';
import { answers, broken, ITEM, type Server, tokenOf } from './server.ts';

export const APPLY = ['apply', 'net', '--yes', '--on-error', 'stop'];
const creates = ({ method, path }: Asked): boolean => method === 'POST' && path === '/api/groups';

/** An apply whose first write goes wrong: nothing is written after it. */
export const WRITES: readonly Server[] = [
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
    'continue',
  ],
  [
    'the write is answered with a page',
    answers(creates, '<html>', { type: 'text/html' }),
    4,
    'fresh',
    'check whether it exists',
    { repeats: 1 },
  ],
  [
    'the write is answered with nothing',
    answers(creates, ''),
    4,
    'fresh',
    'check whether it exists',
    { repeats: 1 },
  ],
  [
    'the write is answered with a list',
    answers(creates, '[]'),
    4,
    'fresh',
    'check whether it exists',
    { repeats: 1 },
  ],
  [
    'the write is answered without an id',
    answers(creates, '{"name":"fresh"}'),
    4,
    'fresh',
    'check whether it exists',
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
    'check whether it exists',
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
export const UPDATES: readonly Server[] = [
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
    'declaration',
    renamed,
  ],
  [
    'the update fails inside of the server',
    answers(updates, '', { status: 500 }),
    4,
    '500',
    'continue',
    renamed,
  ],
];

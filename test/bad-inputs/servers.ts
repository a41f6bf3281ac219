// Bad servers: they refuse, break off, lie about what they send, or are none. What was read badly must not become a
// plan, and after a bad answer nothing may be written.
import type { Row } from './row.ts';
import { ANSWERS } from './servers/answers.ts';
import { CONNECTIONS, NO_SERVER } from './servers/connections.ts';
import { REFUSALS } from './servers/refusals.ts';
import { all, broken, drip, groups, hesitate, rows } from './servers/server.ts';
import { APPLY, UPDATES, WRITES } from './servers/writes.ts';

const quick = ['plan', 'net', '--timeout', '1', '--deadline', '1000'];

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

// A program may load files without a clock: what has ended is carried out at the time of the plan, and no plan is made without one.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  loadDesired,
  loadSchemas,
  type Plan,
  planDesired,
  projectSettings,
  readTransport,
} from '../../src/index.ts';
import { startAccount } from '../support/account.ts';
import { inFolder } from '../support/cli.ts';

const tools = loadSchemas();

const END = '2026-12-01T00:00:00Z';
const BEFORE = Date.parse('2026-11-30T12:00:00Z');
const AFTER = Date.parse('2026-12-02T12:00:00Z');

const FILES = `groups: [{ name: admins }, { name: guests }, { name: servers }]
policies:
  - name: ssh
    rules: [{ name: ssh, sources: [admins, { name: guests, until: '${END}' }], destinations: [servers], protocol: tcp, ports: ["22"] }]
  - name: web
    lifecycle: { until: '${END}' }
    rules: [{ name: web, sources: [admins], destinations: [servers], protocol: tcp, ports: ["80"] }]
`;

/** The clocks that a program gives to loading and to planning, in milliseconds. */
interface Clocks {
  readonly loaded?: number;
  readonly planned?: number;
}

/** The plan of `FILES` as a program makes it. */
function planWith({ loaded, planned }: Clocks): Promise<Plan> {
  return inFolder(async folder => {
    await writeFile(join(folder, 'network.yaml'), FILES);
    const account = await startAccount({ dialect: 'netbird' });
    onTestFinished(() => account.close());
    const state = await loadDesired(tools, {
      path: folder,
      strict: false,
      env: () => undefined,
      host: { env: {} },
      cwd: folder,
      shownAs: path => path,
      ...(loaded !== undefined && { now: loaded }),
    });
    const settings = { ...projectSettings(state), concurrency: 1 };
    const transport = readTransport({
      ...account.transport,
      now: () => planned ?? loaded ?? AFTER,
    });
    return planDesired(tools, state, transport, {
      ...settings,
      ...(planned !== undefined && { now: planned }),
    });
  });
}

const rulesIn = ({ actions }: Plan) =>
  actions
    .filter(({ kind }) => kind === 'policy')
    .map(action => [action.verb, action.key, 'fields' in action ? action.fields.rules : null]);

test.each<[string, Clocks]>([
  ['only to the plan', { planned: AFTER }],
  ['to both', { loaded: AFTER, planned: AFTER }],
  ['to loading, before the end, and to the plan', { loaded: BEFORE, planned: AFTER }],
])('an expired object is not created by a program that gives a clock %s', async (_, clocks) => {
  const plan = await planWith(clocks);
  expect(plan.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(rulesIn(plan)).toEqual([
    ['create', 'ssh', [expect.objectContaining({ name: 'ssh', sources: ['admins'] })]],
  ]);
});

test('an object that expires later is created', async () => {
  const plan = await planWith({ planned: BEFORE });
  expect(rulesIn(plan).map(([verb, key]) => `${verb} ${key}`)).toEqual([
    'create ssh',
    'create web',
  ]);
  expect(plan.endings?.next).toMatchObject({ until: expect.stringContaining('2026-12-01') });
});

test.each<[string, Clocks]>([
  ['no clock', {}],
  ['a clock to loading only', { loaded: AFTER }],
])('files with expiries are not planned by a program that gives %s', async (_, clocks) => {
  const plan = await planWith(clocks);
  expect(plan.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([
    expect.objectContaining({
      code: 'CLOCK_MISSING',
      message: expect.stringContaining('policy `ssh`'),
    }),
  ]);
});

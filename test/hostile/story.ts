// Every verb in every format on one account, from the first file to the last resort: what it said, by a label each.
import { expect } from 'vitest';
import { present } from '../../src/model/errors.ts';
import { isObject, type Json, type JsonObject } from '../../src/model/value.ts';
import type { CliOptions, Ended } from '../support/cli.ts';
import { SECRETS } from '../support/examples/everything.ts';
import { approved } from './approved.ts';
import { asciiJson } from './disguise.ts';
import { type Fixture, fileName } from './fixture.ts';
import type { Refusal } from './server.ts';

/** Names that come to the account by hand. */
export const BY_HAND = ['seen by hand', 'made by hand', 'why it is so'] as const;

export interface Story {
  readonly ended: ReadonlyMap<string, Ended>;
  /** What the server answered to a call that was printed, by the label of the command. */
  readonly answered: ReadonlyMap<string, Json | undefined>;
}

const TERMINAL: CliOptions = { isTerminal: true, env: { FORCE_COLOR: '1' } };

const NO_SECRETS = Object.fromEntries(Object.keys(SECRETS).map(name => [name, '']));

/** Runs a command, and remembers what it said by a label. */
export type Say = (label: string, argv: readonly string[], options?: CliOptions) => Promise<void>;

/** Tells it. `on` is what a name is called; `codes` are how commands have to end. */
export async function story(
  fixture: Fixture,
  on: (name: string) => string,
  refusals: readonly Refusal[],
  codes?: ReadonlyMap<string, number>,
): Promise<Story> {
  const ended = new Map<string, Ended>();
  const answered = new Map<string, Json | undefined>();
  const { server, folder, write } = fixture;
  const say: Say = async (label, argv, options) => {
    const one = await fixture.run(argv, options);
    ended.set(label, one);
    // Names are no reason to end in another way.
    const expected = codes?.get(label) ?? one.code;
    expect(one.code, `${argv.join(' ')}\n${one.stderr}\n${one.stdout}`).toBe(expected);
  };
  const formats = async (label: string, argv: readonly string[], ...names: string[]) => {
    for (const name of names) await say(`${label} ${name}`, [...argv, '--format', name]);
  };
  const there = `./${folder}`;
  await write(`${folder}/meshform.yaml`, asciiJson(projectFile(on)));

  await say('init', ['init', `./${fileName(on('labs'))}`]);
  await formats('validate', ['validate', there], 'text', 'json');
  await say('plan coloured', ['plan', there], TERMINAL);
  await formats(
    'plan',
    ['plan', there, '--out', 'plan.json'],
    'text',
    'json',
    'markdown',
    'comment',
  );
  await formats('adopt', ['plan', there, '--adopt', 'report'], 'text', 'json');
  await formats('show', ['show', 'plan.json'], 'text', 'json', 'markdown', 'comment');
  const kept = ['--secrets-to', 'file:kept.jsonl'];
  await say('apply refused', ['apply', there, '--yes']);
  await say('apply without secrets', ['apply', there, '--yes', ...kept], { env: NO_SECRETS });
  await say('apply', ['apply', there, ...kept], { ...TERMINAL, answer: 'yes' });
  await say('plan empty', ['plan', there]);
  await drawings(there, say);

  await byHand(fixture);
  await formats('drift', ['drift', there], 'text', 'json', 'markdown', 'comment', 'junit');
  await say('drift coloured', ['drift', there], TERMINAL);
  const prune = ['plan', there, '--prune', 'unmanaged'];
  await formats('prune', prune, 'text', 'json', 'markdown', 'comment');
  await say('prune refused', ['apply', there, '--yes', '--prune', 'unmanaged']);
  await say('limited', ['plan', there, '--only', `group/${on('servers')}`]);
  await say('export', ['export']);
  await say('export out', ['export', '--out', 'exported']);
  await say('export plan', ['plan', 'exported']);
  await say('export check', ['export', '--check', there]);
  await formats('adopt again', ['plan', there, '--adopt', 'report'], 'text', 'json');

  for (const [operation, path] of Object.entries(CALLS)) {
    await formats(operation, ['api', 'call', operation], 'json');
    answered.set(operation, server.last(path));
    await formats(operation, ['api', 'call', operation], 'table');
  }
  for (const log of ['audit', 'traffic', 'proxy']) {
    await formats(`events ${log}`, ['events', log], 'jsonl', 'table');
    await say(`events ${log} coloured`, ['events', log], TERMINAL);
  }
  await say('apply jsonl', ['apply', there, '--yes', '--format', 'jsonl', ...kept]);
  await byHand(fixture);
  await say('apply json', ['apply', there, '--yes', '--format', 'json', ...kept]);

  await approved(fixture, on, say);

  for (const refusal of refusals) {
    server.refuse(() => refusal, on('wiki'));
    const readers = [
      ['plan', there],
      ['export'],
      ['events', 'audit'],
      ['api', 'call', 'listGroups'],
    ];
    for (const argv of readers) await say(`refused ${argv[0]} ${refusal}`, argv);
    server.refuse(method => (method === 'GET' ? null : refusal), on('wiki'));
    await byHand(fixture);
    const journal = `${refusal} ${fileName(on('suppliers'))}.jsonl`;
    await say(`refused apply ${refusal}`, ['apply', there, '--yes', '--journal', journal]);
    server.refuse(null, '');
    await say(`resume ${refusal}`, ['apply', there, '--yes', '--resume', journal]);
    const undo = ['apply', '--yes', '--allow', 'DELETES_OBJECT', '--undo', journal];
    await say(`undo ${refusal}`, undo);
  }
  return { ended, answered };
}

// Pages and drawings, of the files and of the account.
async function drawings(there: string, say: Say): Promise<void> {
  await say('page', ['access', there, '--html', '-']);
  await say('page of a plan', ['plan', there, '--prune', 'unmanaged', '--html', '-']);
  await say('page in a file', ['access', '--live', '--html', 'page.html']);
  for (const format of ['mermaid', 'dot', 'svg'])
    await say(`graph ${format}`, ['graph', there, '--format', format]);
  await say('graph in a file', ['graph', '--live', '--out', 'graph.mmd']);
}

/** Lists that are called for one by one, and their paths. */
const CALLS: Readonly<Record<string, string>> = {
  listGroups: '/api/groups',
  listPolicies: '/api/policies',
  listPeers: '/api/peers',
  listUsers: '/api/users',
  listNetworks: '/api/networks',
  listRoutes: '/api/routes',
  listPostureChecks: '/api/posture-checks',
  listAuditEvents: '/api/events/audit',
};

const projectFile = (on: (name: string) => string): JsonObject => ({
  acknowledge: [
    { object: `network/${on('lyon')}`, reason: on(BY_HAND[2]), until: '2026-12-31' },
    { object: `group/${on('nobody')}`, reason: on(BY_HAND[2]), until: '2025-12-31' },
  ],
  protect: [`group/${on('servers')}`],
});

// Somebody changes, adds and deletes, in the plain words of the emulator.
export async function byHand(
  { account }: Fixture,
  description: string = BY_HAND[0],
): Promise<void> {
  const named = async (path: string, name: string): Promise<JsonObject> => {
    const list = (await account.call('GET', path)) as readonly JsonObject[];
    return present(list.find(isObject) && list.find(one => one.name === name), name);
  };
  const change = async (path: string, name: string) => {
    const { id, name: own } = await named(path, name);
    const body = { name: own ?? '', description };
    await account.call('PUT', `${path}/${id}`, body);
  };
  await change('/api/networks', 'lyon');
  await change('/api/networks', 'porto');
  const groups = (await account.call('GET', '/api/groups')) as readonly JsonObject[];
  if (!groups.some(({ name }) => name === BY_HAND[1]))
    await account.call('POST', '/api/groups', { name: BY_HAND[1] });
  const policies = (await account.call('GET', '/api/policies')) as readonly JsonObject[];
  const gone = policies.find(({ name }) => name === 'helpdesk pings everything');
  if (gone) await account.call('DELETE', `/api/policies/${gone.id}`);
}

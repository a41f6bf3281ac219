// The dialect on the command line: nobody has to name it, and a wrong one is refused before anything is written.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { DIALECTS } from '../../../src/kinds/traits.ts';
import { isObject } from '../../../src/model/value.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { resealed } from '../../support/resealed.ts';

const NETWORK = `groups: [{ name: staff }]
networks:
  - name: office
    resources: [{ name: wiki, address: 10.0.0.1, groups: [staff] }]
    routers: [{ peer_groups: [staff], masquerade: true }]
`;
const LIST = '/api/networks/resources';
// Servers of dialect `netbird` keep the two rules in two policies, and one id names one of them.
const TWO_RULES = `groups: [{ name: staff }]
policies:
  - name: p
    lifecycle: { id: p1 }
    rules:
      - { name: a, sources: [staff], destinations: [staff], protocol: tcp }
      - { name: b, sources: [staff], destinations: [staff], protocol: udp }
`;

const open: TestAccount[] = [];
afterEach(() => Promise.all(open.splice(0).map(account => account.close())));

async function account(dialect: 'spec' | 'netbird'): Promise<TestAccount> {
  const started = await startAccount({ dialect });
  open.push(started);
  return started;
}

/** Runs in a folder with these files. */
const within = (files: Readonly<Record<string, string>>, use: (cwd: string) => Promise<void>) =>
  inFolder(async cwd => {
    for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
    await use(cwd);
  });

/** Makes a saved plan hold for any account. */
async function forAnyAccount(path: string): Promise<void> {
  const saved = JSON.parse(await readFile(path, 'utf8'));
  const { account: _, ...ours } = saved.meshform;
  await writeFile(path, JSON.stringify(resealed({ ...saved, meshform: ours })));
}

const writes = ({ requests }: TestAccount): number =>
  requests.filter(({ method, path }) => method !== 'GET' && path.startsWith('/api/')).length;

describe.each(DIALECTS)('a server of dialect %s', dialect => {
  const other = dialect === 'spec' ? 'netbird' : 'spec';

  test('is planned, applied, exported and undone without a mention of the dialect', async () => {
    const server = await account(dialect);
    await within({ 'network.yaml': NETWORK }, async cwd => {
      const at = { cwd, env: environmentOf(server) };
      const planned = await meshform(['plan', '--format', 'json'], at);
      expect(JSON.parse(planned.stdout).meshform.dialect).toBe(dialect);
      const steps = [
        ['apply', '--yes', '--journal', 'run.journal'],
        ['plan', '--detailed-exitcode'],
        ['drift'],
        ['plan', '--adopt', 'report'],
        ['export', '--check', '.', '--kinds', 'networks'],
        ['apply', '--undo', 'run.journal', '--yes', '--allow', 'DELETES_OBJECT'],
      ];
      for (const words of steps)
        expect([words[0], (await meshform(words, at)).code]).toEqual([words[0], 0]);
    });
  });

  test(`is refused as a server of dialect ${other}, before the first write`, async () => {
    const server = await account(dialect);
    await server.call('POST', '/api/networks', { name: 'elsewhere' });
    const before = writes(server);
    await within({ 'network.yaml': NETWORK, 'meshform.yaml': `dialect: ${other}\n` }, async cwd => {
      const at = { cwd, env: environmentOf(server) };
      for (const words of [
        ['plan'],
        ['apply', '--yes'],
        ['drift'],
        ['export'],
        ['plan', '--adopt', 'report'],
      ]) {
        const ended = await meshform(words, at);
        expect([words[0], ended.code]).toEqual([words[0], 3]);
        expect(ended.stderr).toContain('error DIALECT_MISMATCH');
      }
      expect((await meshform(['plan', '--dialect', 'auto'], at)).code).toBe(0);
    });
    expect(writes(server)).toBe(before);
  });
});

describe.each([403, 404, 500])(
  'a server of dialect netbird whose account-wide lists are answered with %i',
  status => {
    const refuse = (server: TestAccount) =>
      server.fault({ method: 'GET', path: LIST, effect: 'status', status, times: 100 });

    test('is refused as spec because of its other responses, before the first write', async () => {
      const server = await account('netbird');
      await refuse(server);
      const text = TWO_RULES.replace('    lifecycle: { id: p1 }\n', '');
      await within({ 'policy.yaml': text }, async cwd => {
        for (const words of [['plan'], ['apply', '--yes']]) {
          const ended = await meshform([...words, '--dialect', 'spec'], {
            cwd,
            env: environmentOf(server),
          });
          expect(ended).toMatchObject({
            code: 3,
            stderr: expect.stringContaining('DIALECT_MISMATCH'),
          });
          expect(ended.stderr).toContain('it returns null for empty lists');
        }
      });
      expect(writes(server)).toBe(0);
    });

    test('is refused by a saved plan for spec, before the first write', async () => {
      const made = await account('spec');
      const server = await account('netbird');
      await refuse(server);
      await within({ 'network.yaml': NETWORK }, async cwd => {
        const planned = ['plan', '--out', 'plan.json'];
        expect((await meshform(planned, { cwd, env: environmentOf(made) })).code).toBe(0);
        await forAnyAccount(join(cwd, 'plan.json'));
        const words = ['apply', 'plan.json', '--yes', '--any-server'];
        const ended = await meshform(words, { cwd, env: environmentOf(server) });
        expect(ended).toMatchObject({
          code: 3,
          stderr: expect.stringContaining('DIALECT_MISMATCH'),
        });
      });
      expect(writes(server)).toBe(0);
    });
  },
);

test('a server whose responses contain no null is not written to in the wrong dialect, by files or by a saved plan', async () => {
  const server = await account('netbird');
  const peer = await server.enrol('machine');
  const all = [await server.call('GET', '/api/groups')].flat().find(isObject);
  await server.control('POST', '/emulator/load', {
    '/api/networks': [{ id: 'n1', name: 'other' }],
    '/api/networks/n1/resources': [
      { id: 'r1', name: 'all', address: '10.9.0.1', enabled: true, groups: [all?.id ?? ''] },
    ],
    '/api/networks/n1/routers': [
      { id: 'x1', peer: peer.id ?? '', metric: 100, masquerade: true, enabled: true },
    ],
    '/api/policies': [],
  });
  const shown = JSON.stringify(await server.call('GET', '/api/groups'));
  expect(shown).not.toContain('null');
  await within(
    {
      'network.yaml': NETWORK.replace('groups: [{ name: staff }]\n', '').replaceAll('staff', 'All'),
    },
    async cwd => {
      const at = { cwd, env: environmentOf(server) };
      const before = writes(server);
      for (const words of [
        ['plan', '--out', 'plan.json', '--dialect', 'spec'],
        ['apply', 'plan.json', '--yes'],
        ['apply', '--yes', '--dialect', 'spec'],
      ]) {
        const { code, stderr } = await meshform(words, at);
        expect([words[1], code, stderr.includes('DIALECT_MISMATCH')]).toEqual(
          words[0] === 'plan' ? ['--out', 0, false] : [words[1], 3, true],
        );
      }
      expect(writes(server)).toBe(before);
    },
  );
});

test('a saved plan for another dialect is refused, before the first write', async () => {
  const server = await account('spec');
  await within({ 'network.yaml': NETWORK }, async cwd => {
    const at = { cwd, env: environmentOf(server) };
    await server.fault({ method: 'GET', path: LIST, effect: 'status', status: 403, times: 1 });
    expect((await meshform(['plan', '--out', 'plan.json'], at)).code).toBe(0);
    const ended = await meshform(['apply', 'plan.json', '--yes'], at);
    expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining('DIALECT_MISMATCH') });
    expect(ended.stderr).toContain('dialect `netbird` is set, and the server speaks `spec`');
  });
  expect(writes(server)).toBe(0);
});

describe('a field that servers of one dialect do not accept', () => {
  const SHORT = `groups: [{ name: a }]
setup_keys: [{ name: short, type: reusable, expires_in: 60, auto_groups: [a] }]
`;
  const apply = ['apply', '--yes', '--secrets-to', 'file:keys'];

  test('makes a plan depend on the dialect, and is refused before anything is written', async () => {
    const server = await account('spec');
    await within({ 'network.yaml': SHORT }, async cwd => {
      const { code, stderr } = await meshform(apply, { cwd, env: environmentOf(server) });
      expect([code, stderr]).toEqual([3, expect.stringContaining('error DIALECT_UNSUPPORTED')]);
    });
    expect(writes(server)).toBe(0);
  });

  test('is written if the server accepts it', async () => {
    const server = await account('netbird');
    await within({ 'network.yaml': SHORT }, async cwd => {
      expect(await meshform(apply, { cwd, env: environmentOf(server) })).toMatchObject({ code: 0 });
    });
    expect(writes(server)).toBe(2);
  });
});

test('a saved plan of a policy in parts is not applied to a server that keeps policies whole', async () => {
  const made = await account('netbird');
  const other = await account('spec');
  const text = TWO_RULES.replace('    lifecycle: { id: p1 }\n', '');
  await within({ 'network.yaml': text }, async cwd => {
    const planned = await meshform(['plan', '--out', 'p.json'], { cwd, env: environmentOf(made) });
    expect(planned).toMatchObject({ code: 0 });
    const saved = JSON.parse(await readFile(join(cwd, 'p.json'), 'utf8'));
    expect(saved.meshform.dialect).toBe('netbird');
    await forAnyAccount(join(cwd, 'p.json'));
    const words = ['apply', 'p.json', '--yes', '--any-server'];
    const { code, stderr } = await meshform(words, { cwd, env: environmentOf(other) });
    expect([code, stderr]).toEqual([3, expect.stringContaining('DIALECT_MISMATCH')]);
  });
  expect(writes(other)).toBe(0);
});

test('a dialect that no response reveals is assumed, with a note', async () => {
  const server = await account('spec');
  for (const status of [403, 500])
    await within({ 'network.yaml': NETWORK }, async cwd => {
      await server.fault({
        method: 'GET',
        path: '/api/networks/resources',
        effect: 'status',
        status,
      });
      const { code, stderr } = await meshform(['plan'], { cwd, env: environmentOf(server) });
      expect([code, stderr]).toEqual([0, expect.stringContaining('`netbird` is assumed')]);
    });
});

describe('validate', () => {
  const validated = async (project: string, ...flags: readonly string[]) => {
    let ended = { code: 0, stdout: '' };
    const files = { 'network.yaml': TWO_RULES, 'meshform.yaml': project };
    await within(files, async cwd => {
      ended = await meshform(['validate', ...flags], { cwd });
    });
    return ended;
  };

  test('warns about fields that one dialect refuses, and names the dialect', async () => {
    const { code, stdout } = await validated('');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /network\.yaml:4:\d+ warning DIALECT_UNSUPPORTED[\s\S]*dialect `netbird`/,
    );
  });

  test('reports them as errors if the project is for that dialect, and not at all if it is for the other', async () => {
    expect(await validated('dialect: netbird\n')).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('error DIALECT_UNSUPPORTED'),
    });
    expect(await validated('dialect: spec\n')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Valid/),
    });
  });
});

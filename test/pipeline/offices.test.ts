// The example of twenty offices in three environments: what an office and an environment cost, and that each environment holds.
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import { loadDesired } from '../../src/pipeline/loading/loadDesired.ts';
import { loadSchemas } from '../../src/pipeline/schemas.ts';
import { startAccount } from '../support/account.ts';
import { inFolder, meshform } from '../support/cli.ts';
import { KINDS } from '../support/files.ts';
import { plan, reconcile } from '../support/reconcile.ts';
import { SERVERS } from '../support/servers/servers.ts';

vi.setConfig({ testTimeout: 60_000 });

const OFFICES = fileURLToPath(new URL('../../examples/offices/', import.meta.url));
const ENVIRONMENTS = ['production', 'staging', 'training'];

interface Rendered {
  readonly groups: readonly unknown[];
  readonly networks: readonly {
    readonly name: string;
    readonly routers: readonly unknown[];
    readonly resources: readonly unknown[];
  }[];
  readonly policies: readonly { readonly name: string }[];
}

/** What an environment declares, written out. */
async function rendered(folder: string): Promise<Rendered> {
  const { code, stdout, stderr } = await meshform(['render', folder]);
  expect(code, stderr).toBe(0);
  return parse(stdout);
}

const linesOf = (text: string): number => text.trimEnd().split('\n').length;

/** A copy of the example. */
const inCopy = (use: (folder: string) => Promise<void>): Promise<void> =>
  inFolder(async cwd => {
    await cp(OFFICES, cwd, { recursive: true });
    // Layers lie inside one work tree.
    await mkdir(join(cwd, '.git'));
    await use(cwd);
  });

test('there are three environments', async () => {
  const found = await readdir(OFFICES);
  expect(found.filter(name => name !== 'base').sort()).toEqual(ENVIRONMENTS);
});

test('the base has twenty offices, each with a network, two routers, four resources and three policies', async () => {
  const { networks, policies } = await rendered(join(OFFICES, 'base'));
  expect(networks).toHaveLength(20);
  for (const { name, routers, resources } of networks) {
    expect([routers.length, resources.length], name).toEqual([2, 4]);
    const own = policies.filter(policy => policy.name.split(' ').includes(name));
    expect(own, name).toHaveLength(3);
  }
});

describe.each(ENVIRONMENTS)('%s', name => {
  test('is valid without a finding, and its access tests hold', async () => {
    const folder = join(OFFICES, name);
    const checked = await meshform(['validate', folder, '--lint', '--strict']);
    expect([checked.code, checked.stdout]).toEqual([
      0,
      expect.stringMatching(/^Valid: \d+ objects/),
    ]);
    expect((await meshform(['test', folder])).code).toBe(0);
  });

  test('has a project file of at most 12 lines', async () => {
    const project = await readFile(join(OFFICES, name, 'meshform.yaml'), 'utf8');
    expect(linesOf(project)).toBeLessThanOrEqual(12);
  });
});

test.each(ENVIRONMENTS)('%s becomes a live account, and then has an empty plan', async name => {
  const account = await startAccount(SERVERS[ENVIRONMENTS.indexOf(name) % SERVERS.length]);
  onTestFinished(() => account.close());
  const { desired } = await loadDesired(loadSchemas(KINDS), {
    path: join(OFFICES, name),
    strict: true,
    env: () => undefined,
    host: { env: {} },
    cwd: OFFICES,
    shownAs: file => file,
  });
  const { result } = await reconcile(account, desired);
  expect(result.outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
  expect((await plan(account, desired)).changes).toEqual([]);
});

test('a new office is one line in one file, in every environment, and its tests still pass', () =>
  inCopy(async folder => {
    const file = join(folder, 'base/offices.yaml');
    const before = await rendered(join(folder, 'production'));
    const text = await readFile(file, 'utf8');
    const added = `${text.trimEnd()}\n    vigo: { net: 10.21.0 }\n`;
    expect(linesOf(added) - linesOf(text)).toBeLessThanOrEqual(6);
    await writeFile(file, added);
    const after = await rendered(join(folder, 'production'));
    expect(after.networks.length - before.networks.length).toBe(1);
    expect(after.networks.find(network => network.name === 'vigo')).toMatchObject({
      routers: [{}, {}],
      resources: [{}, {}, {}, {}],
    });
    const own = after.policies.filter(policy => policy.name.split(' ').includes('vigo'));
    // Three of every environment, and that of production.
    expect(own).toHaveLength(4);
    for (const name of ENVIRONMENTS)
      expect((await meshform(['test', join(folder, name)])).code, name).toBe(0);
  }));

test('a new environment is a project file of two lines, with everything from the base', () =>
  inCopy(async folder => {
    const project = 'layers: [../base, .]\nname: drill\n';
    expect(linesOf(project)).toBeLessThanOrEqual(12);
    await mkdir(join(folder, 'drill'));
    await writeFile(join(folder, 'drill/meshform.yaml'), project);
    expect(await rendered(join(folder, 'drill'))).toEqual(await rendered(join(folder, 'base')));
    expect((await meshform(['test', join(folder, 'drill')])).code).toBe(0);
  }));

test.each([
  [
    'a rule that opens cameras to the staff of an office',
    'production/more.yaml',
    'policies: [{ name: more, rules: [{ name: a, sources: [riga staff], destinations: [cameras], protocol: tcp, ports: ["554"] }] }]\n',
    'FAIL  only security watches',
  ],
  [
    'an address of one office in the network of another',
    'staging/lab.yaml',
    'networks: [{ name: bremen, resources: [{ name: more, address: 10.9.0.30, groups: [bremen services] }] }]\n',
    'FAIL  only security watches',
  ],
])('the access tests notice %s', (_, file, text, failed) =>
  inCopy(async folder => {
    await writeFile(join(folder, file), text);
    const { code, stdout } = await meshform(['test', join(folder, file.split('/')[0] ?? '')]);
    expect([code, stdout]).toEqual([6, expect.stringContaining(failed)]);
  }),
);

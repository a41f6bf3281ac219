// `access` as people type it: over files, a live account and saved answers, in every format.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { shippedSchema } from '../../../src/kinds/registry.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;
const QUICKSTART = 'examples/quickstart';
const COMPANY = 'examples/company';
const isValid = new Ajv2020({ strict: false }).compile(shippedSchema('access.schema.json'));

let account: TestAccount;
beforeEach(async () => {
  account = await startAccount();
});
afterEach(() => account.close());

const access = (...words: string[]) => meshform(['access', ...words], { cwd: ROOT });
const flowsOf = (stdout: string) => {
  const { judged: _, ...answer } = JSON.parse(stdout);
  return answer;
};

test('files without machines still have access to report', async () => {
  expect(await access('to', 'network_resource/office/wiki:tcp/443', QUICKSTART)).toEqual({
    code: 0,
    stderr: '',
    stdout: `group/laptops (future members) → network_resource/office/wiki wiki.office.internal  tcp/443
    policy "laptops use the office", rule "files and wiki", through group/gateways
    only with "recent agent": 1 unknown (group/laptops)

1 flow. Evaluated: the files in examples/quickstart.
`,
  });
});

test('every selector and every format answers', async () => {
  const asked = [
    'group/engineers',
    'all',
    'network/production',
    'route/legacy',
    '10.20.0.5',
    '10.20.0.0/24',
    'wiki.office.internal:tcp/443',
    'group/engineers:icmp',
    'all:udp/*',
    'all:tcp/8000-8100',
  ];
  for (const to of asked) {
    const { code, stdout, stderr } = await access('to', to, COMPANY, '--format', 'json');
    if (code === 3) expect(stderr).toContain('matches no destination');
    else expect(isValid(JSON.parse(stdout)), to).toBe(true);
  }
  const all = ['from', 'all', 'to', 'all', '--why', COMPANY];
  expect((await access(...all, '--format', 'csv')).stdout).toMatch(/^verdict,from,.*\nreaches,/);
  expect((await access(...all, '--format', 'markdown')).stdout).toContain('| from | to | ports |');
  expect((await access(...all)).stdout).toMatch(/\d+ flows\. \d+ reasons for missing access\./);
});

test.each([
  [
    'network_resource/office/wiki',
    'is a destination, not a source',
    'access to network_resource/office/wiki',
  ],
  ['group/laptop', 'matches no source in', 'did you mean `group/laptops`?'],
  ['network_resource/office/wik', 'matches no source in', 'access [from SELECTOR]'],
])('a question about what %s reaches is an error with a hint', async (from, fault, hint) => {
  const { code, stderr } = await access('from', from, QUICKSTART);
  expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining(fault) });
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(hint);
  expect(stderr).not.toContain(`did you mean \`${from}\``);
});

test('live answers and saved answers agree, and only GET is sent', () =>
  inFolder(async cwd => {
    const env = environmentOf(account);
    expect((await meshform(['apply', QUICKSTART, '--yes'], { cwd: ROOT, env })).code).toBe(0);
    const groups = (await account.call('GET', '/api/groups')) as { id: string; name: string }[];
    await account.enrol(
      'gate',
      groups.flatMap(({ id, name }) => (name === 'gateways' ? id : [])),
    );
    const asked = account.requests.length;
    const saved = await meshform(['export', '--state', 'account.json'], { cwd, env });
    expect(saved).toMatchObject({ code: 0, stdout: '' });
    const question = ['access', 'from', 'all', 'to', 'all', '--why', '--format', 'json'];
    const live = await meshform([...question, '--live'], { cwd, env });
    const later = await meshform([...question, '--state', 'account.json'], { cwd });
    expect(flowsOf(later.stdout)).toEqual(flowsOf(live.stdout));
    expect(flowsOf(live.stdout).flows.length).toBeGreaterThan(2);
    expect(new Set(account.requests.slice(asked).map(({ method }) => method))).toEqual(
      new Set(['GET']),
    );
    const lines = ['access', '--format', 'ndjson', '--state', 'account.json'];
    expect((await meshform(lines, { cwd })).stdout).toBe('{"reach":[]}\n');
    // A second export takes the place of the first; a file of another kind stays.
    expect((await meshform(['export', '--state', 'account.json'], { cwd, env })).code).toBe(0);
    await writeFile(join(cwd, 'notes.txt'), 'mine');
    expect((await meshform(['export', '--state', 'notes.txt'], { cwd, env })).code).toBe(64);
    expect(await readFile(join(cwd, 'notes.txt'), 'utf8')).toBe('mine');
  }));

test.each([
  [64, []],
  [64, ['from']],
  [64, ['from', 'nobody']],
  [64, ['from', 'group/laptops:tcp/99999']],
  [64, ['from', 'group/laptops', 'from', 'group/gateways']],
  [64, ['to', 'all', 'one', 'two']],
  [64, ['to', 'all', '--live', '--state', 'x']],
  [64, ['to', 'all', '--state', 'x', 'y']],
  [3, ['to', 'group/laptop', QUICKSTART]],
  [3, ['from', 'network/office', QUICKSTART]],
])('exit code %i without output: access %j', async (code, words) => {
  const ended = await access(...words);
  expect(ended).toMatchObject({ code, stdout: '' });
  expect(ended.stderr).toMatch(/^Error: /);
});

test('a path beside --live is named with the flag that excludes it', async () => {
  const { code, stderr } = await access('to', 'all', QUICKSTART, '--live');
  expect([code, stderr]).toEqual([
    64,
    expect.stringContaining(`\`${QUICKSTART}\` is not asked: the state comes from --live`),
  ]);
  expect(stderr).toContain(`remove \`${QUICKSTART}\`, or --live`);
});

test('a misspelt name gets a suggestion', async () => {
  const { stderr } = await access('to', 'group/laptop', QUICKSTART);
  expect(stderr).toContain('did you mean `group/laptops`?');
});

test('a saved account contains services, and an account saved by an older version is reported to lack them', () =>
  inFolder(async cwd => {
    const proxied = await startAccount({ dialect: 'netbird', edition: 'self-hosted' });
    onTestFinished(() => proxied.close());
    const cluster = { address: 'eu.proxy.test', shared: true };
    await proxied.control('POST', '/emulator/proxy-clusters', cluster);
    const { id } = await proxied.enrol('web');
    await proxied.call('POST', '/api/reverse-proxies/services', {
      name: 'status',
      domain: 'status.eu.proxy.test',
      mode: 'http',
      enabled: true,
      targets: [
        { target_id: id ?? '', target_type: 'peer', port: 8080, protocol: 'http', enabled: true },
      ],
    });
    const env = environmentOf(proxied);
    const save = await meshform(['export', '--state', 'account.json'], { cwd, env });
    expect(save).toMatchObject({ code: 0 });
    const asked = ['access', 'from', 'internet', 'to', 'peer/web', '--state', 'account.json'];
    const { stdout } = await meshform(asked, { cwd });
    expect(stdout).toContain('internet → peer/web  tcp/8080\n');
    expect(stdout).not.toContain('Not read');
    const whole = JSON.parse(await readFile(join(cwd, 'account.json'), 'utf8'));
    const { services: _, ...older } = whole.account;
    await writeFile(join(cwd, 'account.json'), JSON.stringify({ account: older }));
    expect((await meshform(asked, { cwd })).stdout).toContain(
      'Not read: proxy services (not part of the answers)',
    );
  }));

test('a server without a reverse proxy has no services, and its saved account says so', () =>
  inFolder(async cwd => {
    const env = environmentOf(account);
    const { stderr } = await meshform(['export', '--state', 'account.json'], { cwd, env });
    expect(stderr).not.toContain('services');
    const { account: lists } = JSON.parse(await readFile(join(cwd, 'account.json'), 'utf8'));
    expect(lists.services).toEqual([]);
  }));

test('answers have the ids of a live account, and names for objects that only the files have', async () => {
  const env = environmentOf(account);
  await inFolder(async cwd => {
    await writeFile(
      join(cwd, 'net.yaml'),
      `groups: [{ name: ops }, { name: db }]
policies:
  - name: ssh
    rules: [{ name: ssh, sources: [ops], destinations: [db], protocol: tcp, ports: ["22"] }]
`,
    );
    const run = async (...words: string[]) => (await meshform(words, { cwd, env })).stdout;
    await run('apply', 'net.yaml', '--yes');
    const asked = ['access', 'from', 'group/ops', 'to', 'group/db'];
    const idsIn = async (...source: string[]) => {
      const [head = '', line = ''] = (await run(...asked, ...source, '--format', 'csv')).split(
        '\n',
      );
      expect(head).toMatch(/,from_ids,from_machine_ids,to_ids,to_machine_ids,via_ids$/);
      return line
        .replace(/^.*"(?=,)/, '')
        .split(',')
        .slice(1);
    };
    expect(await idsIn('net.yaml')).toEqual(['group/ops', '', 'group/db', '', 'policy/ssh']);
    const live = JSON.parse(await run(...asked, '--live', '--format', 'json'));
    expect(isValid(live), JSON.stringify(isValid.errors)).toBe(true);
    const { from, to, via } = live.flows[0].ids;
    const idsOf = (all: readonly { id: string }[]) => all.map(({ id }) => id).join(' ');
    const ids = [from.objects[0].id, '', to.objects[0].id, '', idsOf(via)];
    expect(new Set(ids).size).toBe(4);
    expect(await idsIn('--live')).toEqual(ids);
    const graph = await run(...asked, '--live', '--format', 'graphml');
    for (const id of [from.objects[0].id, to.objects[0].id])
      expect(graph).toContain(`group.${id}"`);
  });
});

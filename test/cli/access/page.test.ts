// `--html` and `graph` as people type them: what they write, where, and what they leave alone.
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { elementsIn } from '../../support/page/html.ts';

const QUICKSTART = new URL('../../../examples/quickstart', import.meta.url).pathname;
const COMPANY = new URL('../../../examples/company', import.meta.url).pathname;

const headings = (html: string) =>
  elementsIn(html)
    .filter(({ tag }) => tag === 'h2')
    .map(({ text }) => text);
const SECTIONS = [
  'Map',
  'Who reaches what',
  'What is blocked',
  'Policies',
  'Networks and their routers',
];

test('access --html writes a page of all access, for files and for saved answers', () =>
  inFolder(async cwd => {
    const ended = await meshform(['access', '--html', 'page.html', COMPANY], { cwd });
    expect(ended).toEqual({ code: 0, stdout: '', stderr: '' });
    const page = await readFile(join(cwd, 'page.html'), 'utf8');
    expect(headings(page)).toEqual(SECTIONS);
    expect(elementsIn(page).filter(({ tag }) => tag === 'svg').length).toBeGreaterThan(5);
    expect((await stat(join(cwd, 'page.html'))).size).toBeLessThan(500_000);
    // Each line of the map leads from a box to a box.
    const drawn = elementsIn(page).map(({ attributes }) => attributes);
    const boxes = new Set(drawn.flatMap(({ 'data-id': id }) => id ?? []));
    const ends = drawn.flatMap(({ 'data-from': from, 'data-to': to }) =>
      [from ?? [], to ?? []].flat(),
    );
    expect(ends.length).toBeGreaterThan(100);
    expect(ends.filter(end => !boxes.has(end))).toEqual([]);
    // A page takes the place of a page.
    expect((await meshform(['access', '--html', 'page.html', QUICKSTART], { cwd })).code).toBe(0);
    expect((await readFile(join(cwd, 'page.html'), 'utf8')).length).toBeLessThan(page.length);
  }));

test('a map has a drawing for each way to collapse it, and shows only one of them', () =>
  inFolder(async cwd => {
    await meshform(['access', '--html', 'page.html', COMPANY], { cwd });
    const page = await readFile(join(cwd, 'page.html'), 'utf8');
    const drawings = elementsIn(page)
      .map(({ attributes }) => attributes)
      .filter(({ class: name }) => name === 'map-drawing');
    expect(drawings.map(({ 'data-by': by }) => by)).toEqual(['none', 'place', 'folder', 'label']);
    expect(drawings.filter(one => !('hidden' in one))).toHaveLength(1);
  }));

test('a question is answered on stdout, and its HTML page shows only the rows of the answer', () =>
  inFolder(async cwd => {
    const asked = ['access', 'from', 'group/laptops', '--html', 'page.html', QUICKSTART];
    const { stdout } = await meshform(asked, { cwd });
    expect(stdout).toContain('group/laptops (future members) →');
    const page = await readFile(join(cwd, 'page.html'), 'utf8');
    const data = elementsIn(page).find(({ attributes }) => attributes.id === 'data');
    expect(JSON.parse(data?.text ?? '').matrix.rows).toMatchObject([{ name: 'group/laptops' }]);
  }));

test('plan --html has the plan, its access changes, and the access after it', () =>
  inFolder(async cwd => {
    const account = await startAccount();
    const env = environmentOf(account);
    const first = await meshform(['plan', QUICKSTART, '--html', 'plan.html'], { cwd, env });
    expect(first.stdout).toContain('Plan: 10 to add');
    const page = await readFile(join(cwd, 'plan.html'), 'utf8');
    expect(headings(page)).toEqual([
      'What the plan changes about access',
      ...SECTIONS.slice(0, 2),
      'The plan',
      ...SECTIONS.slice(2),
    ]);
    expect(page).toContain('Access: new account');
    expect(page).toContain('policy[&quot;laptops use the office&quot;]');
    expect(page).toContain('network_resource/office/wiki');
    expect((await meshform(['apply', QUICKSTART, '--yes'], { cwd, env })).code).toBe(0);
    // A plan without a change has a page of the account as it is.
    const again = await meshform(['plan', QUICKSTART, '--html', 'plan.html'], { cwd, env });
    expect(again.stdout).toContain('No changes.');
    const later = await readFile(join(cwd, 'plan.html'), 'utf8');
    expect(later).toContain('Access: unchanged');
    expect(later).toContain('network_resource/office/wiki');
    await account.close();
  }));

test('--html - prints only the page on stdout', async () => {
  const { code, stdout } = await meshform(['access', '--html', '-', QUICKSTART]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^<!doctype html>\n/);
  elementsIn(stdout);
});

test.each([
  ['mermaid', /^%% meshform graph\nflowchart LR\n/],
  ['dot', /^\/\/ meshform graph\ndigraph access \{\n/],
  ['svg', /^<!-- meshform graph -->\n<svg /],
])('graph writes %s to stdout and to a file', (format, beginning) =>
  inFolder(async cwd => {
    const generated = await meshform(['graph', COMPANY, '--format', format], { cwd });
    expect(generated.stdout).toMatch(beginning);
    expect(generated.stdout).toContain('staging');
    const out = await meshform(['graph', COMPANY, '--format', format, '--out', 'g'], { cwd });
    expect(out).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await readFile(join(cwd, 'g'), 'utf8')).toBe(generated.stdout);
    expect((await meshform(['graph', QUICKSTART, '--out', 'g'], { cwd })).code).toBe(0);
  }),
);

test('graph --only draws the objects at most two hops from an object', async () => {
  const whole = await meshform(['graph', COMPANY]);
  const part = await meshform(['graph', COMPANY, '--only', 'network_resource/finance/ledger']);
  expect(part.code).toBe(0);
  expect(part.stdout).toContain('finance-gateways');
  expect(part.stdout).toContain('auditors');
  expect(part.stdout).not.toContain('warehouse');
  expect(part.stdout.length).toBeLessThan(whole.stdout.length / 5);
});

test.each([
  ['group/finance-tem', 3, 'did you mean'],
  ['finance', 64, 'is not a selector'],
  ['group/finance-team:tcp/22', 64, 'has ports'],
])('graph --only %s is refused', async (only, exit, sentence) => {
  const { code, stderr, stdout } = await meshform(['graph', COMPANY, '--only', only]);
  expect(code).toBe(exit);
  expect(stderr.toLowerCase()).toContain(sentence);
  expect(stdout).toBe('');
});

test.each([
  ['mermaid', '  subgraph f1["'],
  ['dot', '  subgraph cluster_1 {'],
  ['svg', '<g class="frame">'],
])('graph --by network has a frame for each network in %s', async (format, frame) => {
  const { stdout } = await meshform(['graph', COMPANY, '--by', 'network', '--format', format]);
  expect(stdout).toContain(frame);
  const { stdout: without } = await meshform(['graph', COMPANY, '--format', format]);
  expect(without).not.toContain(frame);
});

test.each([
  ['network', ['network/finance', 'network/production']],
  ['folder', ['policies', 'networks']],
  ['label', ['scanners', 'gateways']],
])('graph --by %s draws frames with these names', async (by, names) => {
  const { stdout } = await meshform(['graph', COMPANY, '--by', by, '--format', 'dot']);
  const frames = [...stdout.matchAll(/subgraph cluster_\d+ \{\n {2}label="([^"]*)"/g)];
  expect(frames.map(([, name]) => name)).toEqual(expect.arrayContaining(names));
});

test.each([['--live'], ['--state', 'account.json']])(
  'graph --by folder is refused with %s, because only files have folders',
  async (...from) => {
    const { code, stderr } = await meshform(['graph', '--by', 'folder', ...from]);
    expect(code).toBe(64);
    expect(stderr).toContain('--by folder needs files');
  },
);

test('graph --live and --state draw the same account', () =>
  inFolder(async cwd => {
    const account = await startAccount();
    const env = environmentOf(account);
    await meshform(['apply', QUICKSTART, '--yes'], { cwd, env });
    await meshform(['export', '--state', 'account.json'], { cwd, env });
    const live = await meshform(['graph', '--live'], { cwd, env });
    const saved = await meshform(['graph', '--state', 'account.json'], { cwd });
    expect(live.code).toBe(0);
    expect(saved.stdout).toBe(live.stdout);
    await account.close();
  }));

test.each([
  ['access', ['access', QUICKSTART, '--html', 'notes.txt'], 'is not a page'],
  ['graph', ['graph', QUICKSTART, '--out', 'notes.txt'], 'is not a drawing'],
])('%s replaces a file of another kind only with --force', (_, argv, why) =>
  inFolder(async cwd => {
    await writeFile(join(cwd, 'notes.txt'), 'mine');
    const refused = await meshform(argv, { cwd });
    expect(refused).toMatchObject({ code: 64, stdout: '' });
    expect(refused.stderr).toContain(why);
    expect(await readFile(join(cwd, 'notes.txt'), 'utf8')).toBe('mine');
    expect((await meshform([...argv, '--force'], { cwd })).code).toBe(0);
    expect(await readFile(join(cwd, 'notes.txt'), 'utf8')).not.toBe('mine');
  }),
);

test.each([
  [64, ['access', QUICKSTART, '--force', '--html', '-']],
  [64, ['access', QUICKSTART, '--html', 'a.html', '--why']],
  [64, ['access', '--state', 'x', '--format', 'ndjson', '--html', 'a.html']],
  [64, ['access', QUICKSTART, '--html', '/nowhere/a.html']],
  [64, ['plan', QUICKSTART, '--html', 'a.html', '--adopt', 'report']],
  [64, ['graph', QUICKSTART, '--live']],
  [64, ['graph', '--force', QUICKSTART]],
  [3, ['access', 'from', 'group/laptop', '--html', 'a.html', QUICKSTART]],
])('exit code %i without output: %j', (code, argv) =>
  inFolder(async cwd => {
    const ended = await meshform(argv, { cwd });
    expect(ended).toMatchObject({ code, stdout: '' });
    expect(ended.stderr).toMatch(/^Error: /);
  }),
);

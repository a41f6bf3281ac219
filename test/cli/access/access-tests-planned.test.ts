// Access tests before a plan is saved or carried out: judged on the account with the plan carried out.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { resealed } from '../../support/resealed.ts';
import {
  BEFORE,
  CLOSED,
  CONTRACTORS,
  DB,
  GROUPS,
  idOf,
  meshformOf,
  NARROWED,
  NETWORKS,
  refused,
  SSH,
  started,
  testsOf,
} from './gatedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

let account: TestAccount;
beforeEach(async () => {
  account = await startAccount();
});
afterEach(() => account.close());

const PASSING = testsOf({
  name: 'ssh stays',
  from: 'group/engineers',
  allow: ['group/bastions:tcp/22'],
});
const FAILING = testsOf(
  { name: 'ssh stays', from: 'group/engineers', allow: ['group/bastions:tcp/22'] },
  { name: 'and 443', from: 'group/engineers', allow: ['group/bastions:tcp/443'] },
  { name: 'nobody at the database', to: `${DB}:tcp/5432`, only_from: ['group/engineers'] },
);

test('passing tests are counted, and the plan is unchanged', () =>
  started(account, async ({ want, run, cwd }) => {
    await want(NARROWED, { 'tests.yaml': PASSING });
    const { code, stdout } = await run('plan', '--out', 'plan.json');
    expect([code, existsSync(join(cwd, 'plan.json'))]).toEqual([0, true]);
    expect(stdout).toMatch(/^Access tests: 1 passed, 0 failed$/m);
    const shown = await run('show', 'plan.json');
    expect(shown.stdout).toContain('Access tests: 1 passed, 0 failed');
    const applied = await run('apply', 'plan.json', '--yes');
    expect([applied.code, applied.stdout]).toEqual([
      0,
      expect.stringContaining('Access tests: 1 passed, 0 failed'),
    ]);
  }));

test('a failing test prints the plan, saves none, and nothing is applied', () =>
  started(account, async folder => {
    const { want, run, cwd } = folder;
    await want(NARROWED + CONTRACTORS, { 'tests.yaml': FAILING });
    const { code, stdout, stderr } = await run('plan', '--out', 'plan.json');
    expect([code, existsSync(join(cwd, 'plan.json'))]).toEqual([6, false]);
    expect(stdout).toContain(`Access tests: 1 passed, 2 failed
FAIL  and 443
      tests.yaml:3:57  allow: group/bastions:tcp/443 is not reached by all
        group/engineers (2 machines and future members) ↛ group/bastions (1 machine and future members)
            PORT: policy "ssh", rule "ssh" allows tcp/22 only
              declared at network.yaml:20:9
FAIL  nobody at the database
      tests.yaml:4:105  only_from: network_resource/production/orders-db:tcp/5432 is reached by others
        group/contractors (future members) → network_resource/production/orders-db 10.20.0.5/32  tcp/5432
            policy "contractors pg", rule "pg", through peer/gw
              declared at network.yaml:23:9
`);
    expect(stdout).toMatch(/^Plan: 1 to add, 1 to change, 0 to destroy\.$/m);
    expect(stderr).toContain('Error: refused: 2 access tests failed\n  FAIL  and 443\n');
    expect((await refused(account, folder)).stdout).toContain('Access tests: 1 passed, 2 failed');
    expect((await run('plan', '--detailed-exitcode')).code).toBe(6);
  }));

test('JSON and Markdown carry the verdicts', () =>
  started(account, async ({ want, run }) => {
    await want(NARROWED, { 'tests.yaml': FAILING });
    const json = await run('plan', '--format', 'json');
    expect(json.code).toBe(6);
    expect(meshformOf(json).access_tests).toMatchObject({
      judged: true,
      passed: false,
      tests: [
        {
          name: 'and 443',
          passed: false,
          failures: [{ line: 'allow', misses: [{ code: 'PORT' }] }],
        },
        { name: 'nobody at the database', passed: true },
        { name: 'ssh stays', passed: true, failures: [] },
      ],
    });
    const markdown = await run('plan', '--format', 'markdown');
    expect(markdown.code).toBe(6);
    expect(markdown.stdout).toContain('**Access tests: 2 passed, 1 failed**');
    expect(markdown.stdout).toContain('FAIL  and 443');
  }));

test('--no-tests is reported in every output, and in the saved plan', () =>
  started(account, async ({ want, run }) => {
    await want(NARROWED, { 'tests.yaml': FAILING });
    const line = 'Access tests: 3 not judged (--no-tests)';
    const text = await run('plan', '--no-tests', '--out', 'plan.json');
    expect([text.code, text.stdout]).toEqual([0, expect.stringContaining(line)]);
    const markdown = await run('plan', '--no-tests', '--format', 'markdown');
    expect(markdown.stdout).toContain(`**${line}**`);
    const json = await run('plan', '--no-tests', '--format', 'json');
    expect(meshformOf(json).access_tests).toMatchObject({ judged: false });
    expect((await run('show', 'plan.json')).stdout).toContain(line);
    const applied = await run('apply', 'plan.json', '--yes');
    expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining(line)]);
    const again = await run('apply', '--no-tests', '--yes');
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining(line)]);
  }));

test('undeclared policies count for access tests, including the account’s Default', () =>
  started(account, async ({ want, run }) => {
    const [first] = CLOSED.split('  - name');
    await want(GROUPS + NETWORKS + first + SSH, {
      'tests.yaml': testsOf({ from: 'group/engineers', deny: ['group/databases:tcp/22'] }),
    });
    expect((await run('test')).code).toBe(0);
    expect((await run('plan')).code).toBe(0);
    const id = await idOf(account, 'policies', 'Default');
    const open = { name: 'Default', enabled: true };
    const rule = { name: 'Default', enabled: true, action: 'accept', bidirectional: true };
    const all = [await idOf(account, 'groups', 'All')];
    const rules = [{ ...rule, protocol: 'all', sources: all, destinations: all }];
    await account.call('PUT', `/api/policies/${id}`, { ...open, rules });
    const { code, stdout } = await run('plan');
    expect([code, stdout]).toEqual([6, expect.stringContaining('policy "Default"')]);
    // Nothing changes, and the tests are judged all the same.
    expect(stdout).toContain('No changes.');
  }));

test('an apply of a saved plan evaluates the tests on the account at that time', () =>
  started(account, async folder => {
    const { want, run } = folder;
    await want(NARROWED, {
      'tests.yaml': testsOf({ name: 'closed', from: 'all', deny: ['group/databases:tcp/22'] }),
    });
    expect((await run('plan', '--out', 'plan.json')).code).toBe(0);
    const groups = await Promise.all(
      ['contractors', 'databases'].map(one => idOf(account, 'groups', one)),
    );
    const [from = '', to = ''] = groups;
    const rule = { name: 'r', enabled: true, action: 'accept', bidirectional: false };
    const rules = [{ ...rule, protocol: 'all', sources: [from], destinations: [to] }];
    await account.call('POST', '/api/policies', { name: 'by hand', enabled: true, rules });
    const ended = await refused(account, folder, 'plan.json');
    expect(ended.stderr).toContain('policy "by hand", rule "r"');
    expect((await run('apply', 'plan.json', '--no-tests', '--yes')).code).toBe(0);
  }));

test('the digest covers the tests: a file with other tests does not match the plan', () =>
  started(account, async ({ want, run, cwd }) => {
    await want(NARROWED, { 'tests.yaml': PASSING });
    const file = join(cwd, 'plan.json');
    await run('plan', '--out', file);
    const saved = JSON.parse(await readFile(file, 'utf8'));
    const { access_tests: tests } = saved.meshform;
    const forged = [
      { ...tests, tests: [] },
      { ...tests, judged: false },
      { ...tests, tests: [{ ...tests.tests[0], allow: [] }] },
    ];
    for (const other of [...forged, undefined]) {
      const inner = { ...saved.meshform, access_tests: other };
      await writeFile(file, JSON.stringify({ ...saved, meshform: inner }));
      const ended = await run('apply', file, '--yes');
      expect([ended.code, ended.stdout], ended.stderr).toEqual([3, '']);
    }
    const [first] = tests.tests;
    const malformed = { ...first, allow: [{ ...first.allow[0], text: 'nonsense' }] };
    const inner = { ...saved.meshform, access_tests: { ...tests, tests: [malformed] } };
    await writeFile(file, JSON.stringify(resealed({ ...saved, meshform: inner })));
    const ended = await run('show', file);
    expect([ended.code, ended.stderr]).toEqual([3, expect.stringContaining('not a selector')]);
  }));

test('moving tests within their file does not change the digest', () =>
  started(account, async ({ want, run }) => {
    await want(NARROWED, { 'tests.yaml': PASSING });
    const { digest } = meshformOf(await run('plan', '--format', 'json'));
    await want(NARROWED, { 'tests.yaml': `# moved\n${PASSING}` });
    expect(meshformOf(await run('plan', '--format', 'json')).digest).toBe(digest);
  }));

test('an unreadable list fails the tests that depend on it, and no others', () =>
  started(account, async ({ want, run }) => {
    await want(NARROWED, {
      'tests.yaml': testsOf(
        { name: 'machines', from: 'peer/mia', allow: ['peer/jump:tcp/22'] },
        { name: 'routes', from: 'peer/mia', deny: ['192.168.0.1:tcp/22', 'all:udp/9'] },
      ),
    });
    await account.fault({ path: '/api/routes', effect: 'status', status: 403 });
    const { code, stdout } = await run('plan');
    expect(code).toBe(6);
    expect(stdout).toContain('Access tests: 1 passed, 1 failed');
    expect(stdout).toMatch(/deny: all:udp\/9 cannot be judged: routes could not be\s+read/s);
  }));

test('a created object can be named, a deleted or omitted object fails, and an unknown name is an error', () =>
  started(account, async ({ want, run }) => {
    const test = (from: string) => ({
      'tests.yaml': testsOf({ from, deny: ['group/databases'] }),
    });
    const more = BEFORE.replace('groups:', 'groups:\n  - name: interns');
    await want(more, test('group/interns'));
    expect((await run('plan')).code).toBe(0);
    const apart = await run('plan', '--only', 'policy/ssh');
    expect([apart.code, apart.stdout]).toEqual([6, expect.stringContaining('cannot be judged')]);
    await want(more, test('group/interms'));
    const typo = await run('plan');
    expect([typo.code, typo.stdout]).toEqual([3, '']);
    expect(typo.stderr).toMatch(/tests.yaml:2:\d+ error ACCESS_TEST_INVALID/);
    const gone = BEFORE.replace(
      '- name: contractors',
      '- { name: contractors, lifecycle: { delete: true } }',
    );
    await want(gone, test('group/contractors'));
    const { code, stdout } = await run('plan');
    expect([code, stdout]).toEqual([
      6,
      expect.stringContaining('that can be a source after the plan'),
    ]);
  }));

test('a resumed apply runs the access tests again', () =>
  started(account, async folder => {
    const { want, run } = folder;
    await want(NARROWED + CONTRACTORS, { 'tests.yaml': PASSING });
    await account.fault({ method: 'POST', path: '/api/policies', effect: 'status', status: 400 });
    const cut = await run('apply', '--yes', '--journal', 'run.jsonl');
    expect(cut.code).toBe(4);
    const resumed = await run('apply', '--resume', 'run.jsonl', '--yes');
    expect([resumed.code, resumed.stdout], resumed.stderr).toEqual([
      0,
      expect.stringContaining('Access tests: 1 passed, 0 failed'),
    ]);
  }));

test('drift does not run access tests', () =>
  started(account, async ({ want, run }) => {
    await want(BEFORE, {
      'tests.yaml': testsOf({ from: 'group/engineers', allow: ['group/databases'] }),
    });
    expect((await run('drift')).code).toBe(0);
    expect((await run('plan')).code).toBe(6);
  }));

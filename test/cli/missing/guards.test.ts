// Guards and access tests of objects that somebody renamed or deleted in the account: they follow the object, or cannot be judged; they
// never speak of another object that has taken the name.
import { describe, expect, test, vi } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import type { TestAccount } from '../../support/account.ts';
import { someOf } from '../../support/variations.ts';
import { expectCode, type Teams, teams } from '../bases/teams.ts';

// Whole stories, of several applies each.
vi.setConfig({ testTimeout: 60_000 });

const RULE = 'protocol: tcp, bidirectional: false, ports: ["22"]';
const FILES = `groups:
  - { name: databases, peers: [db1] }
  - { name: runners, peers: [ci] }
  - { name: bastions, peers: [gw] }
  - { name: devs, peers: [dev] }
policies:
  - { name: way in, rules: [{ name: r, ${RULE}, sources: [runners], destinations: [bastions] }] }
`;
/** Developers reach the database, and the way in is cut. */
const OPENED = FILES.replace('way in', 'devs db ssh').replace(
  'sources: [runners], destinations: [bastions]',
  'sources: [devs], destinations: [databases]',
);
const DENY = 'access_tests: [{ name: it, from: group/devs, deny: [peer/db1:tcp/22] }]\n';
const WAY = '{from: peer/ci, to: "group/bastions:tcp/22"}';

const MACHINES = ['db1', 'ci', 'gw', 'dev'];

async function idOf(account: TestAccount, path: string, name: string): Promise<string> {
  const listed = (await account.call('GET', path)) as JsonObject[];
  return String(listed.find(one => one.name === name)?.id);
}

async function renamed(account: TestAccount, name: string): Promise<void> {
  const id = await idOf(account, '/api/peers', name);
  const now = { name: `${name}-new`, ssh_enabled: false, login_expiration_enabled: false };
  await account.call('PUT', `/api/peers/${id}`, { ...now, inactivity_expiration_enabled: false });
}

/** An account to which the files were applied, with a base. */
const story = (
  project: string,
  tell: (all: Teams & { want: (text: string) => Promise<void> }) => Promise<void>,
) =>
  teams(async all => {
    const { account, id, commit, apply } = all;
    for (const name of MACHINES) await account.enrol(name);
    for (const { id: policy } of (await account.call('GET', '/api/policies')) as JsonObject[])
      await account.call('DELETE', `/api/policies/${policy}`);
    const want = (text: string) =>
      commit({ 'net/meshform.yaml': `account: ${id}\n${project}`, 'net/a.yaml': text });
    await want(FILES);
    expectCode(await apply('net'), 0);
    await tell({ ...all, want });
  });

describe.concurrent('a renamed machine whose former name may belong to another machine', () => {
  test.each(
    someOf(
      [
        ['by the base', ['--base', 'auto']],
        ['by the audit log', []],
      ],
      1,
    ),
  )('is guarded under its new name, %s', (_, base) =>
    story(`guarded: [peer/db1:tcp/22, ${WAY}]\n`, async ({ account, want, run }) => {
      for (const name of ['db1', 'ci']) await renamed(account, name);
      await want(OPENED);
      const planned = await run(['plan', 'net', ...base]);
      expect(planned.stdout).not.toContain('none is affected');
      const prune = base.length > 0 ? 'removed' : 'unmanaged';
      const flags = ['--prune', prune, '--allow', 'DELETES_OBJECT', '--yes'];
      const applied = await run(['apply', 'net', ...base, ...flags]);
      expectCode(applied, 6);
      expect(applied.stderr).toContain('WIDENS_GUARDED_ACCESS');
      expect(applied.stderr).toContain('CUTS_GUARDED_ACCESS');
    }),
  );

  test('is guarded together with the machine that took its name', () =>
    story(`guarded: [peer/db1:tcp/22, ${WAY}]\n`, async ({ account, want, apply }) => {
      for (const name of ['db1', 'ci']) {
        await renamed(account, name);
        await account.enrol(name);
      }
      await want(OPENED);
      const applied = await apply('net');
      expectCode(applied, 6);
      expect(applied.stderr).toContain('WIDENS_GUARDED_ACCESS');
      expect(applied.stderr).toContain('CUTS_GUARDED_ACCESS');
    }));

  test('is covered by an access test', () =>
    story('', async ({ account, want, apply }) => {
      await renamed(account, 'db1');
      await account.enrol('db1');
      await want(OPENED + DENY);
      const applied = await apply('net');
      expectCode(applied, 6);
      expect(applied.stderr).toContain('1 access test failed');
    }));
});

describe.concurrent('a deleted machine whose name belongs to another machine now', () => {
  test.each(
    someOf(
      [
        ['guarded', 'guarded: [peer/db1:tcp/22]\n', '', 'PROJECT_INVALID'],
        ['tested', '', DENY, 'ACCESS_TEST_INVALID'],
      ],
      1,
    ),
  )('is not treated as %s under that name: the plan is refused', (_, project, tests, code) =>
    story(project, async ({ account, want, apply, names }) => {
      await account.call('DELETE', `/api/peers/${await idOf(account, '/api/peers', 'db1')}`);
      await account.enrol('db1');
      await want(OPENED + tests);
      const applied = await apply('net');
      expectCode(applied, 3);
      expect(applied.stderr).toContain(code);
      expect(applied.stderr).toContain('cannot be judged: it is no longer in the account');
      expect(await names('/api/policies')).toEqual(['way in']);
    }),
  );
});

test('a renamed group is guarded under its new name, also in a limited run', () =>
  story('guarded: ["group/databases:tcp/22"]\n', async ({ account, want, run }) => {
    const id = await idOf(account, '/api/groups', 'databases');
    const peers = [await idOf(account, '/api/peers', 'db1')];
    await account.call('PUT', `/api/groups/${id}`, { name: 'renamed', peers });
    await want(OPENED);
    const only = ['--base', 'auto', '--only', 'policy/devs db ssh'];
    const planned = await run(['plan', 'net', ...only]);
    expect(planned.stdout).not.toContain('none is affected');
    const applied = await run(['apply', 'net', ...only, '--yes']);
    expectCode(applied, 6);
    expect(applied.stderr).toContain('WIDENS_GUARDED_ACCESS');
    const allowing = (target: string) => ['--allow', `WIDENS_GUARDED_ACCESS=${target}`];
    const declared = allowing('group/databases:tcp/22');
    const wrong = await run(['apply', 'net', ...only, '--yes', ...allowing('group/databases')]);
    expectCode(wrong, 6);
    for (const allow of [declared, allowing(`group/id:${id}:tcp/22`)]) {
      const allowed = await run(['plan', 'net', ...only, ...allow]);
      expectCode(allowed, 0);
      expect(allowed.stderr).not.toContain('is not a guarded target');
      expect(allowed.stdout.replaceAll(/\s+/g, ' ')).toContain('allowed');
    }
    expectCode(await run(['plan', 'net', ...only, '--record-base', '--out', '.git/plan.json']), 0);
    expectCode(await run(['apply', '.git/plan.json', '--yes']), 6);
    expectCode(await run(['apply', '.git/plan.json', '--yes', ...declared]), 0);
  }));

test('a renamed machine stays protected', () =>
  story('protect: [peer/db1]\n', async ({ account, want, run }) => {
    const id = await idOf(account, '/api/peers', 'db1');
    await renamed(account, 'db1');
    await want(`${FILES}peers: [{ name: db1-new, lifecycle: { delete: true } }]\n`);
    const flags = ['--allow', 'DELETES_OBJECT', '--yes'];
    const applied = await run(['apply', 'net', '--base', 'auto', ...flags]);
    expectCode(applied, 6);
    expect(applied.stderr).toContain('PROTECTED');
    const peers = (await account.call('GET', '/api/peers')) as JsonObject[];
    expect(peers.map(one => one.id)).toContain(id);
  }));

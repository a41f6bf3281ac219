// An export into one of several folders of an account after somebody renamed what another folder declares, or enrolled its machine again.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { expectCode, type Teams, teams } from '../bases/teams.ts';
import { ByHand } from './byHand.ts';

// Whole stories, of several applies each.
vi.setConfig({ testTimeout: 60_000 });

const NET = `groups:
  - { name: own, peers: [m2] }
  - { name: shared, peers: [m2] }
`;

const APP = `groups:
  - { name: theirs }
  - { name: shared, peers: [m0, m1] }
peers:
  - { name: m0, ssh_enabled: true }
policies:
  - name: door
    rules: [{ name: a, sources: [theirs], destinations: [shared], protocol: tcp, ports: ["22"] }]
`;

interface Story extends Teams {
  readonly hand: ByHand;
  /** Exports into one of the folders, expects that its next plan is empty, and returns what was said. */
  readonly exported: (kinds: string) => Promise<string>;
  readonly text: (file: string) => Promise<string>;
}

/** Tells of two applied folders. */
const applied = (tell: (story: Story) => Promise<void>) =>
  teams(async story => {
    const { account, apply, commit, cwd, id, run } = story;
    for (const name of ['m0', 'm1', 'm2']) await account.enrol(name);
    await commit({
      'net/meshform.yaml': `account: ${id}\n`,
      'net/n.yaml': NET,
      'app/meshform.yaml': `account: ${id}\n`,
      'app/a.yaml': APP,
    });
    expectCode(await apply('net'), 0);
    expectCode(await apply('app', ['--first']), 0);
    const exported = async (kinds: string) => {
      const ended = await run(['export', '--out', 'net', '--kinds', kinds]);
      expectCode(ended, 0);
      const flags = ['--base', 'auto', '--prune', 'removed', '--detailed-exitcode'];
      expectCode(await run(['plan', 'net', ...flags]), 0);
      return ended.stderr;
    };
    const text = (file: string) => readFile(join(cwd, 'net', file), 'utf8');
    await tell({ ...story, hand: new ByHand(account), exported, text });
  });

test('an object that somebody renamed stays in the files of the folder that declares it', () =>
  applied(async ({ hand, exported, text }) => {
    await hand.rename('/api/groups', 'theirs', 'renamed');
    await hand.rename('/api/policies', 'door', 'gate');
    const said = await exported('groups,policies');
    expect(said).toContain('group "renamed"');
    expect(said).toContain(': `app` declares it as `theirs`');
    expect(said).toContain(': `app` declares it as `door`');
    expect(await text('n.yaml')).toBe(NET);
    expect(await text('policies.yaml')).not.toContain('name: gate');
  }));

test('a renamed machine stays a member for the folder that declares the member', () =>
  applied(async ({ hand, exported, text }) => {
    await hand.rename('/api/peers', 'm0', 'm5');
    await hand.rename('/api/peers', 'm1', 'm6');
    expect(await exported('groups,peers')).toContain(': `app` declares it as `m0`');
    expect(await text('n.yaml')).toBe(NET);
    expect(await text('peers.yaml')).not.toContain('name: m5');
  }));

test('a renamed group of both folders keeps the members of each', () =>
  applied(async ({ hand, run, text }) => {
    await hand.rename('/api/groups', 'shared', 'renamed');
    await hand.rename('/api/peers', 'm0', 'm5');
    const ended = await run(['export', '--out', 'net', '--kinds', 'groups']);
    // The new name must be written in both folders at once.
    expectCode(ended, 2);
    expect(ended.stderr).toContain('`app` declares it too');
    expect(await text('n.yaml')).toBe(NET);
  }));

test('a machine that was enrolled again, and that another folder declares, is referred to by its id', () =>
  applied(async ({ hand, exported, text }) => {
    await hand.enrolAgain('m0');
    const { id } = await hand.find('/api/peers', 'm0');
    const own = await hand.find('/api/groups', 'own');
    await hand.change('/api/groups', own, { peers: [String(id)] });
    expect(await exported('groups,peers')).toContain('peer "m0"');
    expect(await text('n.yaml')).toBe(NET.replace('own, peers: [m2]', `own, peers: [id:${id}]`));
  }));

test(
  'two machines with a name that another folder declares are not written',
  { tags: 'variation' },
  () =>
    applied(async ({ account, exported, text }) => {
      await account.enrol('m0');
      expect(await exported('groups,peers')).toContain(': `app` declares its name');
      expect(await text('n.yaml')).toBe(NET);
      expect(await text('peers.yaml')).not.toContain('name: m0');
    }),
);

// The file of a grant is removed before its end, and nobody applies that: the end that the base has counts.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { git } from '../../support/git.ts';
import { SERVERS } from '../../support/servers/servers.ts';
import { someOf } from '../../support/variations.ts';
import { type EndedFolder, namesOf } from './endedFolder.ts';
import { FILES, RECORDED, recorded } from './recordedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

async function removed({ folder }: EndedFolder) {
  await rm(join(folder, 'network', 'grants', 'g.yaml'));
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'no grant');
}

const RULES =
  'rules: [{ name: a, sources: [staff], destinations: [servers], protocol: tcp, ports: ["22"] }]';

const DRIFT = ['drift', 'network', '--base', 'auto'];

test.each(someOf(SERVERS, 2))(
  'a grant whose file was removed is overdue after its expiry, and expire removes it: $dialect, $edition',
  server =>
    recorded(async own => {
      const { run, at, account } = own;
      await removed(own);
      expect((await run(DRIFT)).code).toBe(0);
      expect((await run(['expire', 'network', '--yes'])).code).toBe(0);
      expect(await namesOf(account, 'policies')).toEqual(['grant', 'stays']);
      at('2026-12-02T00:00:00Z');
      const drifted = await run(DRIFT);
      expect([drifted.code, drifted.stdout]).toEqual([
        2,
        expect.stringContaining('policy.grant has expired, but is still in the account'),
      ]);
      const { code, stderr } = await run(['expire', 'network', '--yes', '--write']);
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('rror')]);
      expect(await namesOf(account, 'policies')).toEqual(['stays']);
      expect((await run(DRIFT)).code).toBe(0);
      const again = await run(['apply', 'network', '--yes', ...RECORDED]);
      expect([again.code, again.stderr]).toMatchObject([0, expect.anything()]);
    }, server),
);

test('a removed grant that the files now declare under another name does not expire', () =>
  recorded(async own => {
    const { run, at, account, write } = own;
    await removed(own);
    await write({
      'b.yaml':
        'policies: [{ name: for good, lifecycle: { was: grant }, rules: [{ name: a, sources: [staff], destinations: [servers], protocol: tcp, ports: ["22"] }] }]\n',
    });
    git(own.folder, 'add', '-A');
    git(own.folder, 'commit', '-qm', 'for good');
    at('2026-12-02T00:00:00Z');
    expect((await run(['expire', 'network', '--yes'])).code).toBe(0);
    expect(await namesOf(account, 'policies')).toEqual(['grant', 'stays']);
  }));

test('another policy with the name of a removed grant stays', () =>
  recorded(async own => {
    const { run, at, account } = own;
    await removed(own);
    const list = (await account.call('GET', '/api/policies')) as readonly unknown[] as {
      readonly id: string;
      readonly name: string;
      readonly rules: Record<string, readonly { readonly id: string }[]>[];
    }[];
    const grant = list.find(({ name }) => name === 'grant');
    const idsIn = (all: readonly { readonly id: string }[] = []) => all.map(({ id }) => id);
    await account.call('DELETE', `/api/policies/${grant?.id}`);
    const rules = (grant?.rules ?? []).map(one => ({
      ...one,
      sources: idsIn(one.sources),
      destinations: idsIn(one.destinations),
    }));
    await account.call('POST', '/api/policies', { name: 'grant', enabled: true, rules } as never);
    at('2026-12-02T00:00:00Z');
    expect((await run(['expire', 'network', '--yes'])).code).toBe(0);
    expect(await namesOf(account, 'policies')).toEqual(['grant', 'stays']);
  }));

test('a removed group with an expiry is removed under any name, and also if nothing else expires', () =>
  recorded(
    async own => {
      const { run, at, account } = own;
      await removed(own);
      const groups = (await account.call('GET', '/api/groups')) as readonly unknown[] as {
        readonly id: string;
        readonly name: string;
      }[];
      const temps = groups.find(({ name }) => name === 'temps');
      await account.call('PUT', `/api/groups/${temps?.id}`, { name: 'kept' });
      await own.write({ 'a.yaml': FILES });
      git(own.folder, 'commit', '-qam', 'no group');
      at('2026-12-02T00:00:00Z');
      const { code, stderr } = await run(['expire', 'network', '--yes']);
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('rror')]);
      expect(await namesOf(account, 'groups')).not.toContain('kept');
    },
    {},
    FILES.replace('groups: [', 'groups: [{ name: temps, lifecycle: { until: 2026-12-01 } }, '),
  ));

test('an expiry that is not carried out is not recorded: the base keeps its entry of the policy', () =>
  recorded(async own => {
    const { run, at, account, folder, write } = own;
    const commit = () => {
      git(folder, 'add', '-A');
      git(folder, 'commit', '-qm', 'a change');
    };
    await rm(join(folder, 'network', 'grants', 'g.yaml'));
    const lasting = `policies: [{ name: grant, description: for good, ${RULES} }]\n`;
    await write({ 'b.yaml': lasting });
    commit();
    expect((await run(['apply', 'network', '--yes', ...RECORDED])).code).toBe(0);
    await rm(join(folder, 'network', 'b.yaml'));
    await write({
      'grants/h.yaml': `policies: [{ name: grant, lifecycle: { until: 2026-12-01 }, ${RULES} }]\n`,
    });
    commit();
    at('2026-12-02T00:00:00Z');
    for (const argv of [
      ['apply', 'network', '--yes', ...RECORDED],
      ['expire', 'network', '--yes'],
      ['apply', 'network', '--yes', ...RECORDED],
    ]) {
      expect((await run(argv)).stderr).toContain('END_HELD');
      expect(await namesOf(account, 'policies')).toEqual(['grant', 'stays']);
    }
  }));

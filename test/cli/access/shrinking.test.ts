// A guard is a name: what a plan takes out of it, or of an access test, could be opened by the next plan.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { someOf } from '../../support/variations.ts';
import { BEFORE, DB, idOf, listOf, meshformOf, refused, started, testsOf } from './gatedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

let account: TestAccount;
beforeEach(async () => {
  account = await startAccount();
});
afterEach(() => account.close());

const guarded = (...entries: unknown[]) => ({
  'meshform.yaml': `guarded: ${JSON.stringify(entries)}\n`,
});
const DELETE = ['--allow', 'DELETES_OBJECT', '--allow', `NARROWS_GUARDED_ACCESS=${DB}`] as const;

/** Every machine of `group`, and these. */
const members = (text: string, group: string, ...peers: string[]) =>
  text.replace(
    `- name: ${group}\n`,
    `- { name: ${group}, peers: [${peers}], lifecycle: { exact: [peers] } }\n`,
  );

/** tom is no engineer any more. */
const MOVED = members(members(BEFORE, 'engineers', 'mia'), 'contractors', 'tom');

test.each<[string, string, string, string, ...string[]]>(
  someOf(
    [
      [
        'a group gets another name',
        'group/bastions',
        BEFORE.replaceAll('bastions', 'jumps').replace(
          '- name: jumps',
          '- { name: jumps, lifecycle: { was: bastions } }',
        ),
        'group/jumps (future members), peer/jump',
      ],
      [
        'and a new group gets its name',
        'group/bastions',
        BEFORE.replaceAll('bastions', 'jumps').replace(
          '- name: jumps',
          '- { name: jumps, lifecycle: { id: BASTIONS } }\n  - name: bastions',
        ),
        'group/jumps (future members), peer/jump',
      ],
      ['a machine leaves the group', 'group/engineers', MOVED, 'peer/tom'],
      [
        'a network resource gets another address',
        DB,
        BEFORE.replace('10.20.0.5', '10.20.0.6'),
        '10.20.0.5/32',
      ],
      [
        'a network resource leaves the group',
        'group/databases',
        BEFORE.replace('groups: [databases] }', 'groups: [contractors] }'),
        '10.20.0.5/32',
      ],
      [
        'a network resource is deleted',
        DB,
        BEFORE.replace(
          'groups: [databases] }',
          'groups: [databases], lifecycle: { delete: true } }',
        ),
        '10.20.0.5/32',
        ...DELETE,
      ],
      [
        'a user no longer enrols into the group',
        'group/contractors',
        BEFORE,
        'user/mia@example.com (future members)',
      ],
    ],
    3,
  ),
)(
  '%s: the plan is refused without a flag that names the guarded target',
  (name, target, wanted, left, ...more) =>
    started(account, async folder => {
      const { want, run } = folder;
      const user = (groups: string) =>
        `users: [{ email: mia@example.com, name: Mia, role: user, auto_groups: [${groups}] }]\n`;
      const isOfUser = name.startsWith('a user');
      if (isOfUser) {
        await want(BEFORE + user('contractors'));
        const { code, stderr } = await run('apply', '--yes', '--secrets-to', 'file:secrets.json');
        expect(code, stderr).toBe(0);
      }
      const renamed = wanted.replace('BASTIONS', await idOf(account, 'groups', 'bastions'));
      await want(isOfUser ? wanted + user('') : renamed, guarded(target));
      const { stderr } = await refused(account, folder, ...more);
      expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
        `SHRINKS_GUARDED_TARGET the plan takes ${left} out of ${target}, which is guarded: a later plan could then open access to what the guard no longer covers`,
      );
      const flags = [...more, '--allow', `SHRINKS_GUARDED_TARGET=${target}`];
      const { code, stderr: said } = await run('apply', '--yes', ...flags);
      expect(code, said).toBe(0);
    }),
);

test('the message says, without a base, that a plan may be undoing a manual change', () =>
  started(account, async folder => {
    await folder.want(BEFORE, guarded(DB));
    const network = await idOf(account, 'networks', 'production');
    const [resource] = await listOf(account, `networks/${network}/resources`);
    await account.call('PUT', `/api/networks/${network}/resources/${String(resource?.id)}`, {
      name: 'orders-db',
      address: '10.20.0.9',
      enabled: true,
      groups: [await idOf(account, 'groups', 'databases')],
    });
    const { stderr } = await refused(account, folder);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
      `SHRINKS_GUARDED_TARGET the plan takes 10.20.0.9/32 out of ${DB}, which is guarded: a later plan could then open access to what the guard no longer covers; without a base, meshform does not know whether somebody added it by hand`,
    );
  }));

test.each<[string, string, readonly unknown[]]>([
  ['it stays guarded by another entry', MOVED, ['group/engineers', 'group/contractors']],
  [
    'it is guarded by the range of its address',
    BEFORE.replace('10.20.0.5', '10.20.0.6'),
    [DB, '10.20.0.0/24'],
  ],
  [
    'the guard follows the new name',
    BEFORE.replaceAll('bastions', 'jumps').replace(
      '- name: jumps',
      '- { name: jumps, lifecycle: { was: bastions } }',
    ),
    ['group/jumps'],
  ],
])('no object loses its guard, and the plan passes: %s', (_, wanted, entries) =>
  started(account, async ({ want, run }) => {
    await want(wanted, guarded(...entries));
    const { code, stderr } = await run('apply', '--yes');
    expect(code, stderr).toBe(0);
  }),
);

test('a machine that moves to a guarded target with other ports still shrinks the former target', () =>
  started(account, async folder => {
    const moved = members(members(BEFORE, 'bastions'), 'contractors', 'jump');
    await folder.want(moved, guarded('group/bastions:tcp/22', 'group/contractors:tcp/443'));
    const { stderr } = await refused(account, folder);
    expect(stderr).toContain('SHRINKS_GUARDED_TARGET=group/bastions:tcp/22');
  }));

test('removing sources of guarded access from their group is refused', () =>
  started(account, async folder => {
    await folder.want(MOVED, guarded({ from: 'group/engineers', to: 'group/bastions:tcp/22' }));
    const { stderr } = await refused(
      account,
      folder,
      '--allow',
      'CUTS_GUARDED_ACCESS=group/bastions:tcp/22',
    );
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
      'the plan takes peer/tom out of group/bastions',
    );
  }));

test('a saved plan that was allowed is applied', () =>
  started(account, async folder => {
    const { want, run } = folder;
    await want(MOVED, guarded('group/engineers'));
    const flag = ['--allow', 'SHRINKS_GUARDED_TARGET=group/engineers'];
    expect((await run('plan', '--out', 'plan.json', ...flag)).code).toBe(0);
    const { access_findings: found } = meshformOf(await run('plan', '--format', 'json', ...flag));
    expect(found).toMatchObject([
      { gate: 'guarded', what: 'left', who: 'peer/tom', allowed_by: 'flag' },
    ]);
    expect((await run('apply', 'plan.json', '--yes')).code).toBe(0);
  }));

describe('an access test', () => {
  const deny = testsOf({ name: 'no way in', from: 'group/contractors', deny: ['group/bastions'] });

  test('an access test that no longer covers any machine it covered before is a hazard', () =>
    started(account, async folder => {
      const { want, run } = folder;
      const moved = members(members(BEFORE, 'bastions'), 'databases', 'jump');
      await want(moved, { 'tests.yaml': deny });
      const { stderr } = await refused(account, folder);
      expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
        'EMPTIES_ACCESS_TEST the plan takes peer/jump out of group/bastions, so that the access test `no way in` no longer covers anything that it covered',
      );
      const unknown = await run('plan', '--allow', 'EMPTIES_ACCESS_TEST=no way');
      expect(unknown.stderr).toContain('is not an access test');
      expect((await run('apply', '--yes', '--allow', 'EMPTIES_ACCESS_TEST=no way in')).code).toBe(
        0,
      );
    }));

  test('an access test whose group name now belongs to a new group is a hazard too', () =>
    started(account, async folder => {
      const id = await idOf(account, 'groups', 'contractors');
      const renamed = BEFORE.replaceAll('contractors', 'vendors').replace(
        '- name: vendors',
        `- { name: vendors, lifecycle: { id: ${id} } }\n  - name: contractors`,
      );
      await folder.want(renamed, { 'tests.yaml': deny });
      const { stderr } = await refused(account, folder);
      expect(stderr).toContain("--allow 'EMPTIES_ACCESS_TEST=no way in'");
    }));

  test('an access test that no longer covers some of its machines is a warning', () =>
    started(account, async ({ want, run }) => {
      await want(MOVED, {
        'tests.yaml': testsOf({ name: 'no db', from: 'group/engineers', deny: [DB] }),
      });
      const { code, stderr } = await run('apply', '--yes');
      expect(code, stderr).toBe(0);
      expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
        'warning ACCESS_TEST_SHRINKS access test `no db` no longer covers peer/tom: `group/engineers` covers less than before',
      );
    }));

  test('an access test whose machine moves to a group with an equal test is neither a hazard nor a warning', () =>
    started(account, async ({ want, run }) => {
      await want(MOVED, {
        'tests.yaml': testsOf(
          { name: 'no db', from: 'group/engineers', deny: [DB] },
          { name: 'nor these', from: 'group/contractors', deny: [DB] },
        ),
      });
      const { code, stderr } = await run('apply', '--yes');
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('ACCESS_TEST_SHRINKS')]);
    }));
});

test('a guard that matches nothing is a warning if the plan has no changes', () =>
  started(account, async ({ want, run }) => {
    await want(BEFORE, { 'meshform.yaml': 'guarded:\n  - group/bastoins\n  - 192.0.2.0/24\n' });
    const { code, stderr } = await run('plan');
    expect([code, stderr.replaceAll(/\s+/g, ' ')]).toEqual([
      0,
      expect.stringMatching(
        /meshform.yaml:2:5 warning PROJECT_INVALID `group\/bastoins` under `guarded` matches nothing in the account/,
      ),
    ]);
    expect(stderr).not.toContain('192.0.2.0');
    await account.call('POST', '/api/groups', { name: 'bastoins' });
    expect((await run('plan')).stderr).toBe('');
    expect(await idOf(account, 'groups', 'bastoins')).not.toBe('undefined');
  }));

// Settings that were removed from the files: nobody can delete them, so a run only stops managing them.
import { expect, test } from 'vitest';
import { expectCode, groupsIn, PRUNE, teams } from './teams.ts';

const SETTINGS = `account_settings: { routing_peer_dns_resolution_enabled: true }
dns: { settings: { disabled_management_groups: [n] } }
`;

test.each([
  ['none', []],
  ['removed', PRUNE],
] as const)(
  'account settings that the files remove are no longer managed, and keep their values: --prune %s',
  (_, prune) =>
    teams(async ({ id, account, base, commit, head, run }) => {
      const flags = ['--base', 'auto', '--record-base', ...prune];
      await commit({ ...groupsIn('net', id, ['n']), 'net/settings.yaml': SETTINGS });
      expectCode(await run(['apply', 'net', ...flags, '--yes']), 0);
      const before = await account.call('GET', '/api/accounts');
      await commit({ 'net/settings.yaml': null });
      for (const argv of [
        ['plan', 'net', ...flags],
        ['apply', 'net', ...flags, '--yes'],
      ]) {
        const ended = await run(argv);
        expectCode(ended, 0);
        expect(ended.stdout).toContain('No changes.');
        expect(ended.stderr).toContain(
          'note SETTINGS_UNMANAGED no longer managed, and left as they are in the account: account_settings.account, dns_settings',
        );
      }
      expect(await account.call('GET', '/api/accounts')).toEqual(before);
      expect(base('net')).toBe(head());
      expect((await run(['base', 'show', 'net'])).stdout).not.toContain('settings');
      const again = await run(['plan', 'net', ...flags]);
      expectCode(again, 0);
      expect(again.stderr).not.toContain('SETTINGS_UNMANAGED');
    }, 'netbird'),
);

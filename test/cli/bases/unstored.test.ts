// A declared setting that the server accepts and does not store is an error of one apply, and no drift afterwards.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { someOf } from '../../support/variations.ts';
import { adminOf, expectCode, type Teams, teams } from './teams.ts';

const onSelfHosted = (story: (all: Teams) => Promise<void>) =>
  teams(story, 'netbird', 'self-hosted');

const NOTE = 'VALUE_UNSTORED';

/** The change of the settings that a plan has; undefined if it has none. */
async function fieldsOf({ run }: Teams): Promise<unknown> {
  const { stdout } = await run(['plan', 'net', '--base', 'auto', '--format', 'json']);
  const { resource_changes: changes } = JSON.parse(stdout);
  const [found] = changes.filter((one: { type: string }) => one.type === 'account_settings');
  return found?.change.after;
}

describe.concurrent('a declared setting that the server does not store', () => {
  test('is an error once, and no drift until the declared or live value changes', () =>
    onSelfHosted(async all => {
      const { id, run, apply, commit, base, head, account } = all;
      const settings = (text: string) =>
        commit({
          'net/meshform.yaml': `account: ${id}\n`,
          'net/settings.yaml': `account_settings: { ${text} }\n`,
        });
      await settings('network_traffic_logs_enabled: true, lazy_connection_enabled: false');
      const first = await apply('net');
      expectCode(first, 4);
      expect(first.stdout).toContain('later runs list');
      expect(first.stderr).not.toContain('Journal:');
      expect(base('net')).toBe(head());

      const drift = await run(['drift', 'net']);
      expectCode(drift, 0);
      expect(drift.stderr).toContain(NOTE);
      expect(drift.stderr).toContain(
        '`network_traffic_logs_enabled` of account_settings.account is declared',
      );
      expectCode(await run(['plan', 'net', '--base', 'auto', '--detailed-exitcode']), 0);

      // Neither an apply of the same files nor one of something else forgets it, or sends it again.
      expectCode(await apply('net'), 0);
      await settings('network_traffic_logs_enabled: true, lazy_connection_enabled: true');
      expectCode(await apply('net'), 0);
      expectCode(await run(['drift', 'net']), 0);

      // What somebody has changed in the account is stored there.
      const [{ id: accountId, settings: now }] = (await account.call(
        'GET',
        '/api/accounts',
      )) as unknown as [{ id: string; settings: { extra: object } }];
      const changed = { ...now, lazy_connection_enabled: false };
      await account.call('PUT', `/api/accounts/${accountId}`, { settings: changed } as never);
      expectCode(await run(['drift', 'net']), 2);
      expectCode(await apply('net'), 0);

      await settings('network_traffic_packet_counter_enabled: true');
      expect(await fieldsOf(all)).toEqual({ network_traffic_packet_counter_enabled: true });
      expectCode(await apply('net'), 4);
      await settings('lazy_connection_enabled: true');
      expectCode(await apply('net'), 0);
      const without = await run(['drift', 'net']);
      expectCode(without, 0);
      expect(without.stderr).not.toContain(NOTE);
    }));

  test.each(someOf(['the same person', 'another person'], 1))(
    'is not reported if %s changes it back during the apply: the next apply sends it again',
    who =>
      onSelfHosted(async all => {
        const { id, run, apply, commit, account } = all;
        const settings = (text: string) =>
          commit({
            'net/meshform.yaml': `account: ${id}\n`,
            'net/settings.yaml': `account_settings: { ${text} }\n`,
          });
        await settings('lazy_connection_enabled: true');
        expectCode(await apply('net'), 0);
        await settings('lazy_connection_enabled: true, local_mfa_enabled: true');
        const read = async () =>
          ((await account.call('GET', '/api/accounts')) as unknown as readonly JsonObject[])[0] ??
          {};
        const before = await read();
        const other = who === 'the same person' ? undefined : await adminOf(all);
        const pending: Promise<unknown>[] = [];
        account.onAnswer(({ method, path }) => {
          if (pending.length > 0 || method !== 'PUT' || !path.startsWith('/api/accounts/')) return;
          const body = { ...before, settings: { ...(before.settings as JsonObject) } };
          pending.push(other ? other.write('PUT', path, body) : account.call('PUT', path, body));
        });
        const raced = await apply('net', ['--allow', 'LOCKS_OUT']);
        await Promise.all(pending);
        expectCode(raced, 4);
        expect(raced.stdout.replaceAll(/\s+/g, ' ')).toContain(
          who === 'the same person'
            ? 'according to the audit log, somebody changed `local_mfa_enabled` after it was stored'
            : 'ada changed it during the run, according to the audit log',
        );
        const drift = await run(['drift', 'net', '--base', 'auto']);
        expect(drift.stderr).not.toContain(NOTE);
        const planned = await run(['plan', 'net', '--base', 'auto']);
        expect(planned.stdout, planned.stderr).toContain('local_mfa_enabled = false -> true');
        expectCode(await apply('net', ['--allow', 'LOCKS_OUT']), 0);
        expect((await read()).settings).toMatchObject({ local_mfa_enabled: true });
      }),
  );

  test('is an error in each apply that records no base', () =>
    onSelfHosted(async ({ id, run, commit }) => {
      await commit({
        'net/meshform.yaml': `account: ${id}\n`,
        'net/settings.yaml': 'account_settings: { network_traffic_logs_enabled: true }\n',
      });
      const first = await run(['apply', 'net', '--yes']);
      expectCode(first, 4);
      expect(first.stdout).toContain('--record-base');
      expectCode(await run(['apply', 'net', '--yes']), 4);
    }));
});

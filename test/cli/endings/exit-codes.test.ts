// The exit code of `expire` if one end is refused, another one is held, and a third one fails.
import { expect, test, vi } from 'vitest';
import type { TestAccount } from '../../support/account.ts';
import { type EndedFolder, namesOf, withEndedFolder } from './endedFolder.ts';
import { GRANT, HIDING, led, rule } from './hidingRecord.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

const AFTER = '2026-12-02T00:00:00Z';
const EXPIRE = ['expire', 'network', '--yes'];

/** Somebody creates a policy by hand; resolves to its id. */
async function byHand({ account }: EndedFolder, name: string, group: string, port: string) {
  const groups = (await account.call('GET', '/api/groups')) as readonly {
    readonly id: string;
    readonly name: string;
  }[];
  const id = (of: string) => groups.find(one => one.name === of)?.id ?? '';
  const of = { enabled: true, action: 'accept', bidirectional: false, protocol: 'tcp' };
  const sides = { sources: [id(group)], destinations: [id('servers')] };
  const rules = [{ ...of, ...sides, name: 'a', ports: [port] }];
  const made = await account.call('POST', '/api/policies', { name, enabled: true, rules });
  return (made as { readonly id: string }).id;
}

/** The path of the only record in the account. */
async function recordPath(account: TestAccount): Promise<string> {
  const [zone] = (await account.call('GET', '/api/dns/zones')) as readonly { id: string }[];
  const records = `/api/dns/zones/${zone?.id}/records`;
  const [record] = (await account.call('GET', records)) as readonly { id: string }[];
  return `${records}/${record?.id}`;
}

test('the exit code of a failed expiry takes precedence over that of a refused expiry, and both take precedence over that of an expiry that has to wait', () =>
  withEndedFolder(
    async own => {
      const { run, write, account, at } = own;
      await account.enrol('ada');
      await account.enrol('db');
      const temps = 'groups: [{ name: temps, lifecycle: { until: 2026-12-01 } }]\n';
      await write({ 'a.yaml': led(HIDING), 'b.yaml': GRANT, 'c.yaml': temps });
      const first = await run(['apply', 'network', '--yes']);
      expect(first.code, first.stdout + first.stderr).toBe(0);
      const policy = await byHand(own, 'by hand', 'temps', '80');
      at(AFTER);

      const fault = { method: 'DELETE', effect: 'status', status: 400, times: 1 };
      const policies = (await account.call('GET', '/api/policies')) as readonly {
        readonly id: string;
        readonly name: string;
      }[];
      const granted = policies.find(({ name }) => name.startsWith('other'));
      await account.fault({ ...fault, path: `/api/policies/${granted?.id}` });
      const failed = await run(EXPIRE);
      expect(failed.code, failed.stdout + failed.stderr).toBe(4);
      expect(failed.stderr).toContain('Continue with');

      for (let n = 0; n < 2; n++) {
        const refused = await run(EXPIRE);
        expect(refused.code, refused.stdout + refused.stderr).toBe(6);
        expect(refused.stderr).toContain('warning END_GIVES_ACCESS');
        expect(refused.stderr).toContain('warning END_HELD');
        expect(refused.stderr).toContain('Still in the account: dns_record');
        expect(refused.stderr).toContain('Still in the account: group');
      }
      expect(await namesOf(account, 'policies')).toEqual(['app', 'by hand']);

      // The journal has the end of the record, also after its file has it no more.
      await write({ 'a.yaml': led('') });
      expect((await run(EXPIRE)).code).toBe(6);
      await account.call('DELETE', await recordPath(account));
      const held = await run(EXPIRE);
      expect(held.code, held.stdout + held.stderr).toBe(4);
      expect(held.stderr).not.toContain('END_GIVES_ACCESS');

      await account.call('DELETE', `/api/policies/${policy}`);
      expect((await run(EXPIRE)).code).toBe(0);
      expect(await run(EXPIRE)).toMatchObject({ code: 0, stderr: '' });
    },
    { dialect: 'netbird' },
  ));

test('an expire after a complete one does nothing, even if the account has a policy with the same rules', () =>
  withEndedFolder(async own => {
    const { run, write, account, at } = own;
    await write({
      'a.yaml': 'groups: [{ name: staff }, { name: servers }]\n',
      'grants/g.yaml': `policies: [{ name: g, lifecycle: { until: 2026-12-01 }, rules: [${rule('[staff]')}] }]\n`,
    });
    expect((await run(['apply', 'network', '--yes'])).code).toBe(0);
    await byHand(own, 'copy', 'staff', '22');
    at(AFTER);
    for (const said of ['[1/1] deleted policy.g\n', '', '']) {
      const { code, stderr } = await run(EXPIRE);
      expect([code, stderr]).toEqual([0, said]);
      expect(await namesOf(account, 'policies')).toEqual(['copy']);
    }
  }));

// Webhooks in a base: their addresses are secret, so that a base has the host and a keyed digest.
import { describe, expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { expectCode, teams } from './teams.ts';

const channels = (...urls: readonly string[]) =>
  `notification_channels:\n${urls
    .map(url => `  - { type: webhook, target: { url: '${url}' }, event_types: [user.join] }\n`)
    .join('')}`;

const [ONE, TWO, THREE] = ['one', 'two', 'three'].map(
  name => `https://hooks.example.com/services/${name}-is-a-credential`,
) as [string, string, string];

const urlsIn = async (call: (method: 'GET', path: string) => Promise<unknown>) =>
  ((await call('GET', '/api/integrations/notifications/channels')) as { target: { url: string } }[])
    .map(({ target }) => target.url)
    .sort();

describe.concurrent('the webhooks in a base', () => {
  test('are recognised by their digests, and pruned when they are removed', () =>
    teams(async ({ id, cwd, account, apply, commit }) => {
      await commit({
        'net/meshform.yaml': `account: ${id}\n`,
        'net/c.yaml': channels(ONE, TWO, '${env:HOOK}'),
      });
      const env = { HOOK: THREE };
      expectCode(await apply('net', [], env), 0);
      const text = git(cwd, 'show', `refs/meshform-base/${id}/net:base.json`);
      expect(text).not.toContain('credential');
      expect(text).toContain('hooks.example.com');
      expect(text).toContain('hmac-sha256:');
      expect(text).toContain('${env:HOOK}');
      await commit({ 'net/c.yaml': channels(TWO) });
      expectCode(await apply('net', [], env), 0);
      expect(await urlsIn(account.call)).toEqual([TWO]);
    }));

  test('webhooks that cannot be recognised are listed, and not forgotten', () =>
    teams(async ({ id, account, run, apply, commit }) => {
      const keys = 'an old signing key,a new signing key'.replaceAll(' ', '-');
      const old = {
        MESHFORM_SIGNING_KEY: keys,
        MESHFORM_FINGERPRINT_KEY: 'the old key of fingerprints',
      };
      const now = { ...old, MESHFORM_FINGERPRINT_KEY: 'the new key of fingerprints' };
      await commit({
        'net/meshform.yaml': `account: ${id}\n`,
        'net/c.yaml': channels(ONE, TWO),
      });
      expectCode(await apply('net', [], old), 0);
      await commit({ 'net/c.yaml': channels(TWO) });
      const other = await apply('net', [], now);
      expectCode(other, 0);
      expect(other.stderr).toContain('BASE_UNRECOGNISED');
      expect(other.stderr).toContain('hooks.example.com');
      expect(other.stderr).not.toContain('credential');
      expect(await urlsIn(account.call)).toEqual([ONE, TWO].sort());
      const listed = await run(['plan', 'net', '--base', 'auto'], now);
      expect(listed.stderr).toContain('BASE_UNRECOGNISED');
      expectCode(await apply('net', [], old), 0);
      expect(await urlsIn(account.call)).toEqual([TWO]);
    }));
});

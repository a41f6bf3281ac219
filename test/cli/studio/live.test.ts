// With --live, the account stands beside the files: read when somebody asks, never written.
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ACCOUNT_EVERY } from '../../../src/cli/studio/followedAccount.ts';
import { environmentOf, meshform } from '../../support/cli.ts';
import { applied, FILES, type Scene } from '../drift/appliedFolder.ts';
import { answerTo, type RunningStudio, shownIn, updatesOf, withStudio } from './studioRun.ts';

const post = (studio: RunningStudio, path: string, body = '') =>
  answerTo(studio, {
    method: 'POST',
    path,
    headers: { authorization: `Bearer ${studio.token}` },
    body,
  });

/** A studio beside the account of a scene, and its clock. */
async function live(
  { account, cwd }: Pick<Scene, 'account' | 'cwd'>,
  use: (studio: RunningStudio, pass: (seconds: number) => void) => Promise<void>,
): Promise<void> {
  let now = Date.parse('2026-06-15T10:00Z');
  const clock = { now: () => now, sleep: () => setImmediate() };
  const options = { cwd, env: environmentOf(account), clock };
  await withStudio(['.', '--live'], options, studio =>
    use(studio, seconds => {
      now += seconds * 1000;
    }),
  );
}

const isRead = (text: string): boolean => text.includes('read at');

test('the studio shows drift with who and when, and writes nothing', async () => {
  await applied(async scene => {
    await scene.byHand('/api/policies', 'engineers reach databases', { description: 'theirs' });
    const before = scene.account.requests.length;
    await live(scene, async studio => {
      const shown = await shownIn(updatesOf(studio), 'account', isRead);
      expect(shown).toContain('Drift: 1 changed, 0 missing, 0 not removed.');
      expect(shown).toContain('has changed in the account');
      expect(shown.replaceAll('<wbr>', '')).toMatch(
        /exact, owner@\S+ at 2026-01-02T03:04:05\S* \(policy\.update\)/,
      );
    });
    const made = scene.account.requests.slice(before);
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map(({ method }) => method))).toEqual(new Set(['GET']));
  });
});

test('the studio reads the account again on request, but only some time after the last read', async () => {
  await applied(async scene => {
    await live(scene, async (studio, pass) => {
      const updates = updatesOf(studio);
      expect(await shownIn(updates, 'account', isRead)).toContain('No drift.');
      await scene.delete('/api/policies', 'engineers reach databases');
      expect(await post(studio, '/refresh')).toMatchObject({ status: 200 });
      pass(ACCOUNT_EVERY);
      expect(await post(studio, '/refresh')).toMatchObject({ status: 202 });
      expect(await shownIn(updates, 'account', text => text.includes('1 missing'))).toContain(
        'is missing',
      );
    });
  });
});

test('the studio says after an edit that its comparison is older', async () => {
  await applied(async scene => {
    await live(scene, async studio => {
      const updates = updatesOf(studio);
      await shownIn(updates, 'account', isRead);
      await scene.write('network.yaml', `${FILES}# edited\n`);
      const shown = await shownIn(updates, 'account', text => text.includes('have changed since'));
      expect(shown).toContain('No drift.');
    });
  });
});

test('the studio answers questions for the account too', async () => {
  await applied(async scene => {
    for (const policy of ['engineers reach databases', 'Default'])
      await scene.delete('/api/policies', policy);
    await live(scene, async studio => {
      await shownIn(updatesOf(studio), 'account', isRead);
      const ask = (state: string) =>
        post(
          studio,
          '/ask',
          JSON.stringify({ from: 'engineers', to: 'databases', port: '5432', in: state }),
        );
      expect((await ask('files')).text).toContain('✓ Reached');
      const answer = await ask('account');
      expect(answer.text).toContain('✕ Not reached');
      expect(answer.text).toContain('Evaluated: the live account.');
    });
  });
});

test('the studio reads no secret of the files for the account, and does not show its token', async () => {
  const secret = 'hunter2-is-my-password';
  const sso = `identity_providers:
  - { name: sso, type: oidc, issuer: "https://sso.example.com", client_id: x, client_secret: "\${env:SSO}" }
`;
  await applied(async ({ account, cwd, write }) => {
    await write('sso.yaml', sso);
    const options = { cwd, env: { ...environmentOf(account), SSO: secret } };
    await withStudio(['.', '--live'], options, async studio => {
      const shown = await shownIn(updatesOf(studio), 'account', isRead);
      expect(shown.replaceAll('<wbr>', '')).toContain('identity_provider.sso');
      const { value } = await updatesOf(studio).next();
      for (const hidden of [secret, account.token])
        expect(JSON.stringify(value)).not.toContain(hidden);
    });
  });
});

test.each([
  ['a wrong token', { MESHFORM_TOKEN: 'wrong' }, '401'],
  ['no network', { MESHFORM_URL: 'http://127.0.0.1:1' }, 'connection refused'],
])('the studio reports %s, and shows the files', async (_, env, why) => {
  await applied(async ({ account, cwd }) => {
    const options = { cwd, env: { ...environmentOf(account), ...env } };
    await withStudio(['.', '--live'], options, async studio => {
      const updates = updatesOf(studio);
      expect(await shownIn(updates, 'status', () => true)).toContain('Valid');
      const again = updatesOf(studio);
      const shown = await shownIn(again, 'account', text => text.includes('cannot be read'));
      expect(shown).toContain(why);
      expect(shown).not.toContain(account.token);
    });
  });
});

test('the studio does not start without a token', async () => {
  await applied(async ({ cwd, account }) => {
    const env = { MESHFORM_URL: account.url };
    expect(await meshform(['studio', '.', '--live'], { cwd, env })).toMatchObject({ code: 64 });
  });
});

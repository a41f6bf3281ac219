// Channels of the account while a declared address, secret as a whole, is unknown in the run: any of them may be at that address,
// so that no output has the host of one.
import { expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { expectCode, type Teams, teams } from '../bases/teams.ts';

const HOST = 'private.example';
const OWN = `https://Hooks.${HOST}.net:8443/services/T333/Bccc-own`;
const WRITTEN = 'https://hooks.example.com/services/T111/Baaa-one';

const channels = (...urls: readonly string[]) =>
  `notification_channels:\n${urls
    .map(url => `  - { type: webhook, target: { url: '${url}' }, event_types: [user.join] }\n`)
    .join('')}`;

const live = ({ account }: Teams, url: string) =>
  account.call('POST', '/api/integrations/notifications/channels', {
    type: 'webhook',
    target: { url },
    event_types: ['user.join'],
    enabled: true,
  });

const FORMATS = ['text', 'json', 'markdown', 'comment'];

/** Expects that no output of these commands has the host, and returns what they print as text. */
async function expectNoHost({ run }: Teams, argv: readonly string[], env = {}): Promise<string> {
  const texts: string[] = [];
  for (const format of argv.includes('report') ? ['text', 'json'] : FORMATS) {
    const { stdout, stderr, code } = await run([...argv, '--format', format], env);
    expect([0, 2], `${argv.join(' ')}: ${stderr}`).toContain(code);
    const text = stdout + stderr;
    expect(text.toLowerCase()).not.toContain(HOST);
    expect(text).not.toContain('8443');
    texts.push(text);
  }
  return texts[0] ?? '';
}

test('a secret host is not shown if the base takes it from a variable that is not set', () =>
  teams(async given => {
    const { id, commit } = given;
    await commit({
      'net/meshform.yaml': `account: ${id}\n`,
      'net/c.yaml': channels('${env:HOOK}'),
    });
    await live(given, OWN);
    await live(given, WRITTEN);
    await commit({ 'net/c.yaml': channels(WRITTEN) });
    const against = ['--base', 'HEAD~1'];
    const text = await expectNoHost(given, ['plan', 'net', ...against]);
    expect(text).toContain('HEAD~1:c.yaml:2:5 note HOST_NOT_SHOWN');
    await expectNoHost(given, ['plan', 'net', ...against, '--prune', 'unmanaged']);
    await expectNoHost(given, ['plan', 'net', ...against, '--adopt', 'report']);
    await expectNoHost(given, ['drift', 'net', ...against]);
  }));

test('a secret host is not shown if the recorded base is marked with another key', () =>
  teams(async given => {
    const { id, commit, apply } = given;
    const old = {
      MESHFORM_SIGNING_KEY: 'a-key-of-signatures-that-is-long',
      MESHFORM_FINGERPRINT_KEY: 'the old key of fingerprints',
      HOOK: OWN,
    };
    await commit({
      'net/meshform.yaml': `account: ${id}\n`,
      'net/c.yaml': channels('${env:HOOK}', WRITTEN),
    });
    expectCode(await apply('net', [], old), 0);
    await commit({ 'net/c.yaml': channels(WRITTEN) });
    const now = { ...old, HOOK: '', MESHFORM_FINGERPRINT_KEY: 'the new key of fingerprints' };
    await expectNoHost(given, ['plan', 'net', '--base', 'auto'], now);
    await expectNoHost(given, ['plan', 'net', '--base', 'auto', '--prune', 'unmanaged'], now);
  }));

test('a secret host of another folder is not shown, by its files or by its base', () =>
  teams(async given => {
    const { id, cwd, commit, apply } = given;
    await commit({
      'net/meshform.yaml': `account: ${id}\n`,
      'net/c.yaml': channels(WRITTEN),
      'other/meshform.yaml': `account: ${id}\n`,
      'other/c.yaml': channels('${env:HOOK}'),
    });
    await live(given, OWN);
    await live(given, WRITTEN);
    const prune = ['plan', 'net', '--prune', 'unmanaged'];
    await expectNoHost(given, ['plan', 'net']);
    await expectNoHost(given, prune);
    await expectNoHost(given, ['drift', 'net']);
    expectCode(await apply('other', ['--first'], { HOOK: OWN }), 0);
    expect(
      git(cwd, 'show', `refs/meshform-base/${id}/other:base.json`).toLowerCase(),
    ).not.toContain(HOST);
    await commit({ 'other/c.yaml': channels(WRITTEN.replace('one', 'two')) });
    await expectNoHost(given, ['plan', 'net', '--first', '--base', 'auto']);
    await expectNoHost(given, prune);
    await commit({ 'other/c.yaml': null, 'other/meshform.yaml': null });
    await expectNoHost(given, prune);
  }));

test('a secret host is not shown by an undo or an export', () =>
  teams(async given => {
    const { id, cwd, account, run, commit } = given;
    const env = { MESHFORM_JOURNALS: `${cwd}/.git/journals` };
    await commit({
      'net/meshform.yaml': `account: ${id}\n`,
      'net/c.yaml': channels('${env:HOOK}'),
    });
    expectCode(await run(['apply', 'net', '--yes'], { ...env, HOOK: OWN }), 0);
    await account.call('POST', '/api/groups', { name: 'another' });
    const checked = await run(['export', '--check', 'net', '--format', 'json'], env);
    expect((checked.stdout + checked.stderr).toLowerCase()).not.toContain(HOST);
    const undone = await run(['apply', 'net', '--undo', '--yes', '--allow', 'DELETES_OBJECT'], env);
    expectCode(undone, 0);
    expect((undone.stdout + undone.stderr).toLowerCase()).not.toContain(HOST);
    const { stdout, stderr } = await run(['apply', 'net', '--undo', '--yes'], env);
    expect((stdout + stderr).toLowerCase()).not.toContain(HOST);
  }));

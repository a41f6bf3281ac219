// A link that a commit has put where a command writes does not lead the output out of the checkout.
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { git } from '../../support/git.ts';
import { someOf } from '../../support/variations.ts';

const FILES = `setup_keys: [{ name: ci, type: reusable, expires_in: 86400 }]
identity_providers:
  - { type: oidc, name: staff, issuer: https://id.example.com, client_id: x, client_secret: '\${env:CLIENT}' }
`;
const ENV = { MESHFORM_FINGERPRINT_KEY: 'a-long-key-of-fingerprints', CLIENT: 'a-client-secret' };

/** Commands that write to a place. */
const COMMANDS: readonly (readonly [string, (place: string) => readonly string[]])[] = [
  ['a plan', place => ['plan', 'net', '--out', place, '--force']],
  ['a page', place => ['plan', 'net', '--html', place, '--force']],
  ['a drawing', place => ['graph', 'net', '--out', place, '--force']],
  ['an export', place => ['export', '--out', place, '--force']],
  ['metrics', place => ['drift', 'net', '--metrics', place]],
  ['fingerprints', place => ['apply', 'net', '--yes', '--fingerprints', place, ...KEPT]],
  ['secrets', place => ['apply', 'net', '--yes', '--secrets-to', `file:${place}`]],
];
const KEPT = ['--secrets-to', 'file:kept.jsonl'];
/** For a folder that git knows nothing of, which keeps no secrets in files. */
const PASSED_ON = ['--secrets-to', 'exec:true'];

const written = (command: readonly string[]) =>
  inFolder(async folder => {
    const account = await startAccount();
    onTestFinished(() => account.close());
    const cwd = join(folder, 'checkout');
    for (const name of ['checkout/net', 'checkout/inside', 'home'])
      await mkdir(join(folder, name), { recursive: true });
    git(cwd, 'init', '--quiet');
    await writeFile(join(cwd, 'net/a.yaml'), FILES);
    await writeFile(join(folder, 'home/there.yaml'), '');
    await symlink('../home/there.yaml', join(cwd, 'link.yaml'));
    await symlink('../home', join(cwd, 'out'));
    await symlink('inside', join(cwd, 'in'));
    const ended = await meshform(command, { cwd, env: { ...environmentOf(account), ...ENV } });
    return {
      ...ended,
      outside: await readdir(join(folder, 'home')),
      text: await readFile(join(folder, 'home/there.yaml'), 'utf8'),
      inside: await readdir(join(cwd, 'inside')),
    };
  });

test.each(someOf(COMMANDS, 2))(
  'a link out of the checkout is not followed by %s',
  async (_, commandFor) => {
    for (const place of [
      'link.yaml',
      'out/new.yaml',
      'out/new/new.yaml',
      './net/../out/new.yaml',
    ]) {
      const { code, stderr, outside, text } = await written(commandFor(place));
      expect([outside, text], `${place}\n${stderr}`).toEqual([['there.yaml'], '']);
      expect([3, 64]).toContain(code);
      // Secrets go through no link at all.
      expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(/leads out of the checkout|it is a link /);
    }
    const { inside } = await written(commandFor('in/new.yaml'));
    expect(inside).toContain('new.yaml');
  },
);

test('the refusal of a link out of the checkout says to name its target instead', async () => {
  const { stderr } = await written(['plan', 'net', '--out', 'out/new.json']);
  expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(
    /a commit could have put such a link there: if you mean `\S+\/home\/new\.json`, name it directly/,
  );
});

test('an export into a folder that is a link out of the checkout is refused', async () => {
  const { code, stderr, outside } = await written(['export', '--out', 'out', '--force']);
  expect([code, outside], stderr).toEqual([64, ['there.yaml']]);
  expect(stderr).toContain('leads out of the checkout');
});

// No commit can hold what is in a `.git` folder: refs, hooks and settings.
describe('a link into `.git` is not followed by an output', () => {
  const inCheckout = async (
    command: readonly string[],
    links: Readonly<Record<string, string>>,
    env: Readonly<Record<string, string>> = {},
  ) =>
    inFolder(async cwd => {
      const account = await startAccount();
      onTestFinished(() => account.close());
      for (const name of ['net', '.git/refs/heads', '.git/hooks'])
        await mkdir(join(cwd, name), { recursive: true });
      await writeFile(join(cwd, 'net/a.yaml'), FILES);
      await writeFile(join(cwd, '.git/config'), '');
      for (const [link, target] of Object.entries(links)) await symlink(target, join(cwd, link));
      const options = { cwd, env: { ...environmentOf(account), ...ENV, ...env } };
      const ended = await meshform(command, options);
      const entries = (await readdir(join(cwd, '.git'), { recursive: true })).sort();
      return { ...ended, entries, config: await readFile(join(cwd, '.git/config'), 'utf8') };
    });
  const UNTOUCHED = { entries: ['config', 'hooks', 'refs', 'refs/heads'], config: '' };

  test.each(COMMANDS)('%s', async (_, commandFor) => {
    for (const place of ['out/new.yaml', 'link.yaml', 'git/hooks/new.yaml']) {
      const links = { out: '.git/refs/heads', 'link.yaml': '.git/config', git: '.git' };
      const ended = await inCheckout(commandFor(place), links);
      expect(ended, `${place}\n${ended.stderr}`).toMatchObject(UNTOUCHED);
      expect([3, 64]).toContain(ended.code);
    }
  });

  test.each<[string, readonly string[], Readonly<Record<string, string>>]>([
    ['a folder of an export', ['export', '--out', 'out', '--force'], { out: '.git/hooks' }],
    [
      'a file of an export',
      ['export', '--out', 'net', '--force'],
      { 'net/b.yaml': '../.git/config' },
    ],
    [
      'the schema of an export',
      ['export', '--out', 'net', '--force'],
      { 'net/.meshform': '../.git/hooks' },
    ],
    ['the schema for editors', ['init', '--update', 'net'], { 'net/.meshform': '../.git/hooks' }],
    ['a new folder', ['init', 'new'], { new: '.git/hooks' }],
    ['plans of a fleet', ['fleet', 'plan', '--out', 'out'], { out: '.git/hooks' }],
    ['a store', ['observe', '--store', 'out'], { out: '.git/hooks' }],
    [
      'a journal',
      ['apply', 'net', '--yes', ...PASSED_ON, '--journal', 'out/j.jsonl'],
      { out: '.git/hooks' },
    ],
  ])('%s', async (_, command, links) => {
    const ended = await inCheckout(command, links);
    expect(ended, ended.stderr).toMatchObject(UNTOUCHED);
    expect(ended.code).not.toBe(0);
  });

  test('a link in place of the folder of journals is not followed', async () => {
    const env = { MESHFORM_JOURNALS: 'out' };
    const argv = ['apply', 'net', '--yes', ...PASSED_ON];
    const ended = await inCheckout(argv, { out: '.git/hooks' }, env);
    expect(ended, ended.stderr).toMatchObject(UNTOUCHED);
  });

  test('a path in `.git` that the user names directly is accepted', async () => {
    const ended = await inCheckout(['plan', 'net', '--out', '.git/plan.json'], {});
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.entries).toContain('plan.json');
  });
});

// A link that a commit has put where a command writes does not lead the output out of the checkout.
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

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

const written = (command: readonly string[]) =>
  inFolder(async folder => {
    const account = await startAccount();
    onTestFinished(() => account.close());
    const cwd = join(folder, 'checkout');
    for (const name of ['checkout/net', 'checkout/.git', 'checkout/inside', 'home'])
      await mkdir(join(folder, name), { recursive: true });
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

test.each(COMMANDS)('%s', async (_, commandFor) => {
  for (const place of ['link.yaml', 'out/new.yaml', 'out/new/new.yaml', './net/../out/new.yaml']) {
    const { code, stderr, outside, text } = await written(commandFor(place));
    expect([outside, text], `${place}\n${stderr}`).toEqual([['there.yaml'], '']);
    expect([3, 64]).toContain(code);
    // Secrets go through no link at all.
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(/leads out of the checkout|it is a link /);
  }
  const { inside } = await written(commandFor('in/new.yaml'));
  expect(inside).toContain('new.yaml');
});

test('a folder of an export', async () => {
  const { code, stderr, outside } = await written(['export', '--out', 'out', '--force']);
  expect([code, outside], stderr).toEqual([64, ['there.yaml']]);
  expect(stderr).toContain('leads out of the checkout');
});

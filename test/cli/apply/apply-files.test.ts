// `apply` writes its journal, fingerprints and secrets, and replaces no file of another kind.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { chmod, lstat, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { environmentOf } from '../../support/cli.ts';
import { LAUNCHER } from '../../support/program/program.ts';
import { device, mayMakeDevices, pipe } from '../../support/specialFiles.ts';
import { onGround } from '../process/outputFolder.ts';

describe('apply with', () => {
  const KEY = 'setup_keys:\n  - { name: kiosk, type: one-off, expires_in: 86400 }\n';

  test.each([
    ['--journal', 'the file exists, and meshform never overwrites a journal'],
    ['--fingerprints', 'it is not a file of fingerprints'],
    ['--secrets-to', 'it has lines that meshform did not write'],
  ])('%s replaces no file of another kind', (flag, why) =>
    onGround(async ({ run, at, account }) => {
      await writeFile(at('net/network.yaml'), KEY);
      const file = flag === '--secrets-to' ? 'file:net/network.yaml' : 'net/network.yaml';
      const argv = ['apply', 'net', '--yes', '--allow', 'REVEALS_SECRET', flag, file];
      const { code, stderr } = await run(...argv);
      expect([64, 3]).toContain(code);
      expect(stderr.replaceAll(/\s+/g, ' ')).toContain(why);
      expect(await readFile(at('net/network.yaml'), 'utf8')).toBe(KEY);
      expect(account.requests.every(({ method }) => method === 'GET')).toBe(true);
    }),
  );

  test.skipIf(!mayMakeDevices).each(['--journal', '--fingerprints', '--secrets-to'])(
    '%s never replaces a device, nor changes its permissions',
    flag =>
      onGround(async ({ run, at }) => {
        await writeFile(at('net/network.yaml'), KEY);
        device(at('full'));
        const { mode } = await stat(at('full'));
        const place = flag === '--secrets-to' ? 'file:full' : 'full';
        await run('apply', 'net', '--yes', '--allow', 'REVEALS_SECRET', flag, place);
        expect((await stat(at('full'))).mode).toBe(mode);
      }),
  );

  test('--secrets-to writes everything to a pipe', () =>
    onGround(async ({ cwd, at, account }) => {
      const second = KEY.split('\n')[1]?.replace('kiosk', 'lobby');
      await writeFile(at('net/network.yaml'), `${KEY}${second}\n`);
      pipe(at('pipe'));
      // What others could read gets no secrets.
      await chmod(at('pipe'), 0o600);
      const received = text(createReadStream(at('pipe')));
      const argv = [LAUNCHER, 'apply', 'net', '--yes', '--secrets-to', 'file:pipe'];
      const env = { ...process.env, ...environmentOf(account) };
      const child = spawn(process.execPath, argv, { cwd, env, stdio: 'ignore' });
      const [[code], secrets] = await Promise.all([once(child, 'exit'), received]);
      expect([code, secrets.match(/"field":"key"/g)]).toEqual([
        0,
        expect.objectContaining({ length: 2 }),
      ]);
    }));

  test('--fingerprints through a link leaves the link', () =>
    onGround(async ({ run, at }) => {
      await mkdir(at('kept'));
      await writeFile(at('kept/prints.json'), '');
      await symlink('kept/prints.json', at('prints.json'));
      expect((await run('apply', 'net', '--yes', '--fingerprints', 'prints.json')).code).toBe(0);
      expect((await lstat(at('prints.json'))).isSymbolicLink()).toBe(true);
    }));
});

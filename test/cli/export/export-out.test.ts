// `export --out` replaces only files of desired state, and writes through links, pipes and devices.
import { createReadStream } from 'node:fs';
import { chmod, lstat, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { device, mayMakeDevices, pipe } from '../../support/specialFiles.ts';
import { onGround } from '../process/outputFolder.ts';

describe('export --out', () => {
  test('writes one document to a pipe', () =>
    onGround(async ({ run, at }) => {
      await run('apply', 'net', '--yes');
      pipe(at('pipe'));
      const received = text(createReadStream(at('pipe')));
      expect((await run('export', '--out', 'pipe', '--kinds', 'groups')).code).toBe(0);
      expect(await received).toContain('- name: engineers');
      expect((await run('export', '--out', '/dev/stdout')).stdout).toContain('- name: engineers');
    }));

  test.skipIf(!mayMakeDevices)('never replaces a device', () =>
    onGround(async ({ run, at }) => {
      device(at('full'));
      const ended = await run('export', '--out', 'full');
      expect([ended.code, ended.stderr]).toEqual([
        1,
        expect.stringContaining('no space is left on the device'),
      ]);
      expect((await stat(at('full'))).isCharacterDevice()).toBe(true);
    }),
  );

  test('does not replace a file of another kind without --force', () =>
    onGround(async ({ run, at }) => {
      await run('apply', 'net', '--yes');
      await writeFile(at('notes.txt'), 'notes\n');
      const refused = await run('export', '--out', 'notes.txt');
      expect([refused.code, refused.stderr]).toEqual([64, expect.stringContaining('--force')]);
      expect(await readFile(at('notes.txt'), 'utf8')).toBe('notes\n');
      expect((await run('export', '--out', 'notes.txt', '--force')).code).toBe(0);
      expect(await readFile(at('notes.txt'), 'utf8')).toContain('- name: engineers');
    }));

  test('does not replace faulty files without --force', () =>
    onGround(async ({ run, at }) => {
      await writeFile(at('bad.yaml'), 'version: 3\n');
      expect((await run('export', '--out', 'bad.yaml')).code).toBe(3);
      expect(await readFile(at('bad.yaml'), 'utf8')).toBe('version: 3\n');
      expect((await run('export', '--out', 'bad.yaml', '--force')).code).toBe(0);
      expect((await run('validate', 'bad.yaml')).code).toBe(0);
    }));

  test('does not treat a file that the project excludes as missing', () =>
    onGround(async ({ run, at }) => {
      await run('apply', 'net', '--yes');
      await writeFile(at('net/meshform.yaml'), 'exclude: [policies.yaml]\n');
      await writeFile(at('net/policies.yaml'), 'mine: true\n');
      const refused = await run('export', '--out', 'net');
      expect([refused.code, refused.stderr]).toEqual([
        64,
        expect.stringContaining('policies.yaml'),
      ]);
      expect(await readFile(at('net/policies.yaml'), 'utf8')).toBe('mine: true\n');
    }));

  test('edits the target of a link, and keeps its permissions', () =>
    onGround(async ({ run, at, account }) => {
      await mkdir(at('net/..data'));
      await writeFile(
        at('net/..data/more.yaml'),
        'networks:\n  - { name: n, description: as declared }\n',
      );
      await chmod(at('net/..data/more.yaml'), 0o640);
      await symlink('..data/more.yaml', at('net/more.yaml'));
      await run('apply', 'net', '--yes');
      const [network] = (await account.call('GET', '/api/networks')) as { id: string }[];
      const changed = { name: 'n', description: 'changed' };
      await account.call('PUT', `/api/networks/${network?.id}`, changed);
      expect((await run('export', '--out', 'net')).code).toBe(0);
      expect((await lstat(at('net/more.yaml'))).isSymbolicLink()).toBe(true);
      expect(await readFile(at('net/..data/more.yaml'), 'utf8')).toContain('description: changed');
      expect((await stat(at('net/..data/more.yaml'))).mode & 0o777).toBe(0o640);
    }));
});

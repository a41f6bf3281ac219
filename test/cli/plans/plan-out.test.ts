// `plan --out` replaces only plans, and writes through links, pipes and devices.
import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { lstat, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { environmentOf } from '../../support/cli.ts';
import { LAUNCHER } from '../../support/program/program.ts';
import { device, mayMakeDevices, pipe } from '../../support/specialFiles.ts';
import { GROUP, onGround } from '../process/outputFolder.ts';

const planned = (content: string) => expect(JSON.parse(content)).toHaveProperty('meshform.actions');

describe('plan --out', () => {
  test('replaces a plan, and an empty file', () =>
    onGround(async ({ run, at, cwd }) => {
      await writeFile(at('plan.json'), '');
      for (let i = 0; i < 2; i++) {
        expect((await run('plan', 'net', '--out', 'plan.json')).code).toBe(0);
        planned(await readFile(at('plan.json'), 'utf8'));
      }
      expect((await readdir(cwd)).sort()).toEqual(['net', 'plan.json']);
    }));

  test.each([
    ['desired state', 'net/network.yaml', GROUP],
    ['a string', 'notes.txt', 'notes\n'],
    ['JSON of another kind', 'package.json', '{"format_version": "1.0"}'],
    ['half a plan', 'half.json', '{"format_version": "1.0", "meshform": {'],
  ])('does not replace %s without --force', (_, name, content) =>
    onGround(async ({ run, at, account }) => {
      await writeFile(at(name), content);
      const refused = await run('plan', 'net', '--out', name);
      expect(refused.code).toBe(64);
      expect(refused.stderr).toContain(`\`${name}\` exists and is not a plan`);
      expect(refused.stderr).toContain('--force');
      expect(await readFile(at(name), 'utf8')).toBe(content);
      expect(account.requests).toEqual([]);
      await writeFile(at('net/network.yaml'), GROUP);
      expect((await run('plan', 'net', '--out', name, '--force')).code).toBe(0);
      planned(await readFile(at(name), 'utf8'));
    }),
  );

  test('writes through a link, under the same rule, and keeps the link', () =>
    onGround(async ({ run, at }) => {
      await writeFile(at('other.txt'), 'something else');
      await symlink('other.txt', at('link'));
      expect((await run('plan', 'net', '--out', 'link')).code).toBe(64);
      expect(await readFile(at('other.txt'), 'utf8')).toBe('something else');
      expect((await run('plan', 'net', '--out', 'link', '--force')).code).toBe(0);
      expect((await run('plan', 'net', '--out', 'link')).code).toBe(0);
      planned(await readFile(at('other.txt'), 'utf8'));
      expect((await lstat(at('link'))).isSymbolicLink()).toBe(true);
    }));

  test.each([
    ['a folder', 'net', 'it is a folder'],
    ['a link to nothing', 'dangling', 'it is a broken link'],
    ['a link to itself', 'loop', 'its links form a loop'],
    ['in a folder that is not there', 'nowhere/plan.json', 'the folder `nowhere` does not exist'],
    [
      'a file as if it were a folder',
      'net/network.yaml/plan',
      'a part of its path is not a folder',
    ],
  ])('cannot write to %s, even with --force', (_, name, why) =>
    onGround(async ({ run, at }) => {
      await symlink('nowhere.json', at('dangling'));
      await symlink('loop', at('loop'));
      for (const force of [[], ['--force']]) {
        const { code, stderr } = await run('plan', 'net', '--out', name, ...force);
        expect([code, stderr]).toEqual([64, expect.stringContaining(`as \`${name}\`: ${why}`)]);
      }
    }),
  );

  test('can write to a pipe', () =>
    onGround(async ({ run, at }) => {
      pipe(at('pipe'));
      const received = text(createReadStream(at('pipe')));
      expect((await run('plan', 'net', '--out', 'pipe')).code).toBe(0);
      planned(await received);
      expect((await stat(at('pipe'))).isFIFO()).toBe(true);
    }));

  test.skipIf(!mayMakeDevices).each([[[]], [['--force']]])('never replaces a device: %j', force =>
    onGround(async ({ run, at, cwd }) => {
      device(at('full'));
      await symlink('full', at('link'));
      for (const name of ['full', 'link']) {
        const ended = await run('plan', 'net', '--out', name, ...force);
        expect(ended.code).toBe(1);
        expect(ended.stderr).toContain(`as \`${name}\`: no space is left on the device`);
      }
      expect((await stat(at('full'))).isCharacterDevice()).toBe(true);
      expect((await readdir(cwd)).sort()).toEqual(['full', 'link', 'net']);
    }),
  );

  test.each(['/dev/stdout', '/dev/fd/1', '/proc/self/fd/1'])('writes to stdout for %s', place =>
    onGround(async ({ run }) => {
      const { stdout } = await run('plan', 'net', '--out', place, '--format', 'json');
      const [first = ''] = stdout.split('\n}\n');
      planned(`${first}}`);
    }),
  );

  test('appends the plan to a descriptor that the shell opened', () =>
    onGround(async ({ cwd, at, account }) => {
      const plan = `${process.execPath} ${LAUNCHER} plan net --out`;
      const script = `${plan} /dev/fd/7 7>>kept.txt; ${plan} >(cat > piped.txt)`;
      await writeFile(at('kept.txt'), 'before\n');
      const env = { ...process.env, ...environmentOf(account) };
      const child = spawn('bash', ['-c', script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
      await Promise.all([text(child.stdout), text(child.stderr)]);
      const kept = await readFile(at('kept.txt'), 'utf8');
      expect(kept).toMatch(/^before\n/);
      planned(kept.replace('before\n', ''));
      planned(await readFile(at('piped.txt'), 'utf8'));
    }));
});

test.each([
  ['plan', ['plan', 'net', '--force']],
  ['export', ['export', '--force']],
])('--force of %s is refused without --out', (_, argv) =>
  onGround(async ({ run }) => {
    const { code, stderr } = await run(...argv);
    expect([code, stderr]).toEqual([64, expect.stringContaining('--force')]);
  }),
);

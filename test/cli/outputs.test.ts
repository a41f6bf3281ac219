// What a command writes takes the place of files of its own kind, goes through pipes and devices, and replaces nothing else.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startAccount, type TestAccount } from '../support/account.ts';
import { environmentOf, inFolder, meshform } from '../support/cli.ts';
import { device, mayMakeDevices, pipe } from '../support/special.ts';

let account: TestAccount;
beforeEach(async () => {
  account = await startAccount();
  onTestFinished(() => account.close());
});

const LAUNCHER = fileURLToPath(new URL('../../bin/meshform.js', import.meta.url));
const GROUP = 'groups:\n  - name: engineers\n';

interface Ground {
  readonly cwd: string;
  readonly at: (name: string) => string;
  readonly run: (...argv: string[]) => ReturnType<typeof meshform>;
}

/** A folder with desired state in `net/` and a new account. */
const onGround = (use: (ground: Ground) => Promise<void>): Promise<void> =>
  inFolder(async cwd => {
    await mkdir(join(cwd, 'net'));
    await writeFile(join(cwd, 'net/network.yaml'), GROUP);
    const key = { MESHFORM_FINGERPRINT_KEY: 'a key of enough length' };
    const env = { ...environmentOf(account), ...key };
    const at = (name: string) => join(cwd, name);
    await use({ cwd, at, run: (...argv) => meshform(argv, { cwd, env }) });
  });

const planned = (content: string) => expect(JSON.parse(content)).toHaveProperty('meshform.actions');

describe('plan --out', () => {
  test('takes the place of a plan, and of a file without text', () =>
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
  ])('does not take the place of %s without --force', (_, name, content) =>
    onGround(async ({ run, at }) => {
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

  test('writes through a link, under the same rule, and leaves the link', () =>
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
    ['a link to itself', 'loop', 'its links form a cycle'],
    ['a folder that is not there', 'nowhere/plan.json', 'it does not exist'],
    [
      'a file as if it were a folder',
      'net/network.yaml/plan',
      'a part of its path is not a folder',
    ],
  ])('cannot be %s, forced or not', (_, name, why) =>
    onGround(async ({ run, at }) => {
      await symlink('nowhere.json', at('dangling'));
      await symlink('loop', at('loop'));
      for (const force of [[], ['--force']]) {
        const { code, stderr } = await run('plan', 'net', '--out', name, ...force);
        expect([code, stderr]).toEqual([64, expect.stringContaining(`as \`${name}\`: ${why}`)]);
      }
    }),
  );

  test('goes through a pipe', () =>
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

  test.each(['/dev/stdout', '/dev/fd/1', '/proc/self/fd/1'])('%s is stdout', place =>
    onGround(async ({ run }) => {
      const { stdout } = await run('plan', 'net', '--out', place, '--format', 'json');
      const [first = ''] = stdout.split('\n}\n');
      planned(`${first}}`);
    }),
  );

  test('a descriptor that the shell opened gets the plan behind what it has', () =>
    onGround(async ({ cwd, at }) => {
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
])('--force of %s says nothing without --out', (_, argv) =>
  onGround(async ({ run }) => {
    const { code, stderr } = await run(...argv);
    expect([code, stderr]).toEqual([64, expect.stringContaining('--force')]);
  }),
);

describe('export --out', () => {
  test('goes through a pipe as one document', () =>
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

  test('does not take the place of a file of another kind without --force', () =>
    onGround(async ({ run, at }) => {
      await run('apply', 'net', '--yes');
      await writeFile(at('notes.txt'), 'notes\n');
      const refused = await run('export', '--out', 'notes.txt');
      expect([refused.code, refused.stderr]).toEqual([64, expect.stringContaining('--force')]);
      expect(await readFile(at('notes.txt'), 'utf8')).toBe('notes\n');
      expect((await run('export', '--out', 'notes.txt', '--force')).code).toBe(0);
      expect(await readFile(at('notes.txt'), 'utf8')).toContain('- name: engineers');
    }));

  test('keeps files with a fault in them, unless it is forced', () =>
    onGround(async ({ run, at }) => {
      await writeFile(at('bad.yaml'), 'version: 3\n');
      expect((await run('export', '--out', 'bad.yaml')).code).toBe(3);
      expect(await readFile(at('bad.yaml'), 'utf8')).toBe('version: 3\n');
      expect((await run('export', '--out', 'bad.yaml', '--force')).code).toBe(0);
      expect((await run('validate', 'bad.yaml')).code).toBe(0);
    }));

  test('does not take a file that the project excludes for one that is not there', () =>
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

  test('edits what a link leads to, and leaves who may read it', () =>
    onGround(async ({ run, at }) => {
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

describe('apply', () => {
  const KEY = 'setup_keys:\n  - { name: kiosk, type: one-off, expires_in: 86400 }\n';

  test.each([
    ['--journal', 'the file exists, and meshform never overwrites a journal'],
    ['--fingerprints', 'it is not a file of fingerprints'],
    ['--secrets-to', 'it has other content'],
  ])('%s replaces no file of another kind', (flag, why) =>
    onGround(async ({ run, at }) => {
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
    '%s never replaces a device, nor changes who may use it',
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

  test('--secrets-to goes through a pipe, all of it', () =>
    onGround(async ({ cwd, at }) => {
      const second = KEY.split('\n')[1]?.replace('kiosk', 'lobby');
      await writeFile(at('net/network.yaml'), `${KEY}${second}\n`);
      pipe(at('pipe'));
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

describe('a disk that is full', () => {
  /** Runs a command that may write files of one kilobyte and no more. */
  async function cramped(cwd: string, ...argv: string[]) {
    const script = 'trap "" XFSZ; ulimit -f 1; exec "$0" "$@"';
    const args = ['-c', script, process.execPath, LAUNCHER, ...argv];
    const env = { ...process.env, ...environmentOf(account) };
    const child = spawn('bash', args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
    const [[code], stderr] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
    return { code, stderr };
  }

  const LARGE = `groups:\n${Array.from({ length: 200 }, (_, i) => `  - name: group-${i}\n`).join('')}`;
  const full = {
    code: 1,
    stderr: expect.stringMatching(/^Error: .*the file would be too large\n/m),
  };

  test('leaves the plan that was there', () =>
    onGround(async ({ run, at, cwd }) => {
      await run('plan', 'net', '--out', 'plan.json');
      const before = await readFile(at('plan.json'), 'utf8');
      await writeFile(at('net/network.yaml'), LARGE);
      expect(await cramped(cwd, 'plan', 'net', '--out', 'plan.json')).toEqual(full);
      expect(await readFile(at('plan.json'), 'utf8')).toBe(before);
      expect((await readdir(cwd)).sort()).toEqual(['net', 'plan.json']);
    }));

  test('leaves the files that an export would have changed', () =>
    onGround(async ({ run, at, cwd }) => {
      await writeFile(at('net/network.yaml'), LARGE);
      await run('apply', 'net', '--yes');
      await writeFile(at('net/network.yaml'), GROUP);
      expect(await cramped(cwd, 'export', '--out', 'net')).toEqual(full);
      expect(await readFile(at('net/network.yaml'), 'utf8')).toBe(GROUP);
      expect(await readdir(at('net'))).toEqual(['network.yaml']);
    }));

  test('leaves nothing of a first desired state', () =>
    onGround(async ({ cwd, at }) => {
      expect(await cramped(cwd, 'init', 'new/here')).toMatchObject({ code: 1 });
      await expect(stat(at('new'))).rejects.toMatchObject({ code: 'ENOENT' });
    }));
});

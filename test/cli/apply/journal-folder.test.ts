// Journals and locks are where no checkout can bring any.
import { mkdir, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { journalsFor } from '../../../src/apply/journal/journalFolder.ts';
import { stateFolder } from '../../../src/apply/journal/stateFolder.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { onlyFolderIn } from '../../support/journals.ts';

const APPLY = ['apply', 'network', '--yes'];

let account: TestAccount;

beforeEach(async () => {
  account = await startAccount();
  onTestFinished(() => account.close());
});

interface Place {
  /** The checkout, in which commands run. */
  readonly checkout: string;
  /** A folder beside the checkout. */
  readonly outside: string;
  readonly run: (
    argv: readonly string[],
    env?: Readonly<Record<string, string>>,
  ) => ReturnType<typeof meshform>;
}

const inCheckout = (use: (place: Place) => Promise<void>) =>
  inFolder(async folder => {
    const checkout = join(folder, 'checkout');
    const outside = join(folder, 'outside');
    await mkdir(join(checkout, '.git'), { recursive: true });
    await mkdir(join(checkout, 'network'));
    await mkdir(outside);
    await writeFile(join(checkout, 'network/a.yaml'), 'groups: [{ name: devs }, { name: ops }]\n');
    const state = { XDG_STATE_HOME: join(folder, 'state'), MESHFORM_JOURNALS: '' };
    await use({
      checkout,
      outside,
      run: (argv, env = {}) =>
        meshform(argv, { cwd: checkout, env: { ...environmentOf(account), ...state, ...env } }),
    });
  });

const writes = (): number => account.requests.filter(({ method }) => method !== 'GET').length;

describe('journals', () => {
  test('are in the user’s state folder by default, which only that user can read', () =>
    inCheckout(async ({ checkout, run }) => {
      expect(await run(APPLY)).toMatchObject({ code: 0 });
      expect((await readdir(checkout)).sort()).toEqual(['.git', 'network']);
      expect(await readdir(join(checkout, 'network'))).toEqual(['a.yaml']);
      const root = join(checkout, '../state/meshform/journals');
      const names = await readdir(onlyFolderIn(root));
      expect(names.sort()).toEqual(['.gitignore', '1970-01-01T00-00-00.000Z.jsonl']);
      for (const folder of [root, onlyFolderIn(root)])
        expect((await stat(folder)).mode & 0o077).toBe(0);
    }));

  test('journals in a checkout are ignored by default, like locks', () =>
    inCheckout(async ({ checkout, run }) => {
      expect(await run(APPLY)).toMatchObject({ code: 0 });
      const own = onlyFolderIn(join(checkout, '../state/meshform/journals'));
      const brought = join(checkout, 'network/.meshform/journal');
      await mkdir(brought, { recursive: true });
      for (const name of await readdir(own))
        await writeFile(join(brought, name), await readFile(join(own, name)));
      await rm(own, { recursive: true });
      const ended = await run([...APPLY, '--resume']);
      expect(ended, ended.stderr).toMatchObject({ code: 64 });
      expect(ended.stderr).toContain('there is no journal of an apply of `network`');
    }));

  test.each([
    ['linux', { HOME: '/home/ada' }, '/home/ada/.local/state/meshform'],
    ['linux', { HOME: '/home/ada', XDG_STATE_HOME: '/var/s' }, '/var/s/meshform'],
    ['linux', { HOME: '/home/ada', XDG_STATE_HOME: 'here' }, '/home/ada/.local/state/meshform'],
    ['darwin', { HOME: '/Users/ada' }, '/Users/ada/Library/Application Support/meshform'],
    ['win32', { USERPROFILE: '/u/ada' }, '/u/ada/AppData/Local/meshform'],
    ['win32', { LOCALAPPDATA: '/u/ada/local' }, '/u/ada/local/meshform'],
  ] as const)(
    'are in the usual folder of the operating system: %s with %j',
    (system, env, folder) => {
      expect(stateFolder(env, system)).toBe(folder);
    },
  );

  test('cannot be written without a writable folder: exit 69 names the folder', () =>
    inCheckout(async ({ checkout, run }) => {
      const state = join(checkout, 'network/a.yaml');
      const ended = await run(APPLY, { XDG_STATE_HOME: state });
      expect(ended, ended.stderr).toMatchObject({ code: 69 });
      expect(ended.stderr).toContain(`journals cannot be written to \`${state}/meshform/journals/`);
      expect(ended.stderr).toContain('set MESHFORM_JOURNALS');
      expect(writes()).toBe(0);
    }));
});

test('folders of the same name, and folders of one repository, have separate journals', () =>
  inCheckout(async ({ checkout, outside, run }) => {
    const journals = { MESHFORM_JOURNALS: join(outside, 'journals') };
    await mkdir(join(checkout, 'other/network'), { recursive: true });
    await writeFile(join(checkout, 'other/network/a.yaml'), 'groups: [{ name: qa }]\n');
    expect(await run(APPLY, journals)).toMatchObject({ code: 0 });
    expect(await run(['apply', 'other/network', '--yes'], journals)).toMatchObject({ code: 0 });
    const names = await readdir(journals.MESHFORM_JOURNALS);
    expect(names).toHaveLength(2);
    for (const name of names) expect(name).toMatch(/^network-[0-9a-f]{8}$/);
  }));

test('each --resume takes the journal of its server if two servers share one folder', () =>
  inCheckout(async ({ run }) => {
    const other = await startAccount();
    onTestFinished(() => other.close());
    const fault = { method: 'POST', path: '/api/groups', effect: 'status', status: 500, times: 9 };
    await account.fault(fault);
    expect(await run(APPLY)).toMatchObject({ code: 4 });
    await account.control('DELETE', '/emulator/faults');
    const there = { ...environmentOf(other) };
    expect(await run(APPLY, there)).toMatchObject({ code: 0 });
    const again = await run([...APPLY, '--resume'], there);
    expect(again.stderr).toContain('nothing to resume');
    const resumed = await run([...APPLY, '--resume']);
    expect(resumed, resumed.stderr).toMatchObject({ code: 0 });
    expect(resumed.stdout).toContain('2 added');
  }));

describe('a MESHFORM_JOURNALS folder in the checkout', () => {
  const inside = { MESHFORM_JOURNALS: 'journals' };

  test('is used, and ignored by git', () =>
    inCheckout(async ({ checkout, run }) => {
      expect(await run(APPLY, inside)).toMatchObject({ code: 0 });
      const own = onlyFolderIn(join(checkout, 'journals'));
      expect(await readFile(join(own, '.gitignore'), 'utf8')).toBe('*\n');
    }));

  test.each([
    ['itself', (root: string) => root],
    ['the folder of the files in it', (_: string, own: string) => own],
  ])('is not followed as a link out of the checkout: %s', (_, linked) =>
    inCheckout(async ({ checkout, outside, run }) => {
      const host = { cwd: checkout, env: {}, journals: 'journals' };
      const link = linked(join(checkout, 'journals'), await journalsFor('network', host));
      await mkdir(dirname(link), { recursive: true });
      await symlink(outside, link);
      const ended = await run(APPLY, inside);
      expect(ended, ended.stderr).toMatchObject({ code: 69 });
      expect(ended.stderr).toContain('is a link that the checkout may have brought');
      expect(ended.stderr).toContain('set MESHFORM_JOURNALS to a folder that can be written');
      expect(await readdir(outside)).toEqual([]);
      expect(writes()).toBe(0);
    }),
  );

  test('may be a link to a folder outside if the user chose the folder', () =>
    inCheckout(async ({ checkout, outside, run }) => {
      await symlink(outside, join(checkout, '../linked'));
      const journals = join(checkout, '../linked');
      expect(await run(APPLY, { MESHFORM_JOURNALS: journals })).toMatchObject({ code: 0 });
      expect(await readdir(outside)).toHaveLength(1);
    }));

  test.each(['a dangling link', 'a link to a file', 'a folder', 'an owner for ever'])(
    'a folder with %s in place of the lock does not hang the run, and nothing is followed',
    what =>
      inCheckout(async ({ checkout, outside, run }) => {
        expect(await run(APPLY, inside)).toMatchObject({ code: 0 });
        const own = onlyFolderIn(join(checkout, 'journals'));
        const lock = join(own, await lockName());
        const target = join(outside, 'file');
        if (what === 'a link to a file') await writeFile(target, 'mine\n');
        const owner = { id: 'x', pid: 1, host: 'elsewhere', since: 0, until: 9e15 };
        if (what === 'a folder') await mkdir(lock);
        else if (what === 'an owner for ever') await writeFile(lock, JSON.stringify(owner));
        else await symlink(target, lock);
        await writeFile(join(checkout, 'network/a.yaml'), 'groups: [{ name: qa }]\n');
        const before = writes();
        const ended = await run(APPLY, inside);
        if (what === 'an owner for ever') {
          expect(ended, ended.stderr).toMatchObject({ code: 0 });
          return;
        }
        expect(ended, ended.stderr).toMatchObject({ code: 64 });
        expect(ended.stderr).toContain(
          `cannot be taken: it is a ${what === 'a folder' ? 'folder' : 'link'}`,
        );
        expect(writes()).toBe(before);
        expect(await readdir(outside)).toEqual(what === 'a link to a file' ? ['file'] : []);
      }),
  );

  async function lockName(): Promise<string> {
    const { createHash } = await import('node:crypto');
    return `${createHash('sha256').update(account.url).digest('hex').slice(0, 12)}.lock`;
  }
});

test('an unreadable journal does not stop an apply', () =>
  inCheckout(async ({ checkout, run }) => {
    expect(await run(APPLY)).toMatchObject({ code: 0 });
    const own = onlyFolderIn(join(checkout, '../state/meshform/journals'));
    const journals = (await readdir(own)).filter(name => name.endsWith('.jsonl'));
    const last = join(own, journals[0] ?? '');
    await rm(last);
    // Longer than any text can be, and without a block on the disk.
    await truncate(await created(last), 2 ** 30);
    await writeFile(join(checkout, 'network/a.yaml'), 'groups: [{ name: qa }]\n');
    const ended = await run(APPLY);
    expect(ended, ended.stderr).toMatchObject({ code: 0 });
    const resumed = await run([...APPLY, '--resume', last]);
    expect(resumed, resumed.stderr).toMatchObject({ code: 3, stdout: '' });
    expect(resumed.stderr).toContain('cannot be read');
  }));

async function created(path: string): Promise<string> {
  await writeFile(path, '');
  return path;
}

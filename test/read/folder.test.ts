// Which files of a folder are desired state, in which order, and what is said where there are none.
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readFolder } from '../../src/read/files/folder.ts';
import { findAllUpwards, folderOf } from '../../src/read/files/projectFilesAbove.ts';
import { inFolder } from '../support/cli.ts';

/** Writes files by their paths into a folder. */
async function write(
  folder: string,
  files: Readonly<Record<string, string | Buffer>>,
): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

const prefixed = (folder: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));

const read = (folder: string, path = '.', exclude: readonly string[] = []) =>
  readFolder(
    join(folder, path),
    { projectFile: 'meshform.yaml', exclude },
    file => relative(folder, file) || '.',
  );

async function namesIn(
  files: Readonly<Record<string, string>>,
  exclude: readonly string[] = [],
): Promise<string[]> {
  return inFolder(async folder => {
    await write(folder, files);
    return (await read(folder, '.', exclude)).files.map(({ file }) => file);
  });
}

describe('a file named', () => {
  test.each(['a.ymal', 'a.yam', 'a.ymll', 'a.YAML', 'a.Yml', 'a.aml', 'deep/a.yalm'])(
    '%s is an error, and is not ignored',
    async name => {
      await inFolder(async folder => {
        await write(folder, { 'b.yaml': '', [name]: '' });
        const { files, diagnostics } = await read(folder);
        expect(files).toHaveLength(1);
        expect(diagnostics).toMatchObject([{ code: 'SOURCE_MISNAMED', severity: 'error' }]);
      });
    },
  );

  test.each([
    'a.toml',
    'a.xml',
    'a.json',
    'a.md',
    'a.yaml.bak',
    'a.html',
    'a.ml',
    '.a.ymal',
    'yaml',
  ])('%s is ignored, because it is a different kind of file', async name => {
    await inFolder(async folder => {
      await write(folder, { 'b.yaml': '', [name]: '' });
      expect((await read(folder)).diagnostics).toEqual([]);
    });
  });

  test('a.ymal is ignored if the project excludes it', async () => {
    await inFolder(async folder => {
      await write(folder, { 'b.yaml': '', 'a.ymal': '', 'meshform.yaml': '' });
      expect((await read(folder, '.', ['a.ymal'])).diagnostics).toEqual([]);
    });
  });
});

describe('a folder', () => {
  test('is read in the order of its paths', async () => {
    const files = { 'b.yaml': '', 'a/z.yml': '', 'a.yaml': '', 'a/b/c.yaml': '' };
    expect(await namesIn(files)).toEqual(['a.yaml', 'a/b/c.yaml', 'a/z.yml', 'b.yaml']);
  });

  test('is read with its texts unchanged', async () => {
    const text = '\uFEFFgroups: []\r\n# Malmö\n';
    await inFolder(async folder => {
      await write(folder, { 'a.yaml': text });
      expect((await read(folder)).files).toEqual([{ file: 'a.yaml', inside: 'a.yaml', text }]);
    });
  });

  test('skips names with a leading dot, project files, and files that are not YAML', async () => {
    const files = {
      'a.yaml': '',
      '.hidden.yaml': '',
      '.git/config.yaml': '',
      'x/.cache/b.yaml': '',
      'meshform.yaml': '',
      'x/meshform.yaml': '',
      'notes.md': '',
      'values.json': '',
      'a.yaml.orig': '',
      yaml: '',
    };
    expect(await namesIn(files)).toEqual(['a.yaml']);
  });

  test.each([
    ['a file', ['charts/a.yaml'], ['b.yaml', 'charts/deep/c.yaml']],
    ['a folder', ['charts'], ['b.yaml']],
    ['a folder with a slash', ['./charts/'], ['b.yaml']],
    ['a pattern', ['charts/**'], ['b.yaml']],
    ['a pattern for one level', ['charts/*.yaml'], ['b.yaml', 'charts/deep/c.yaml']],
    ['a pattern for any level', ['**/c.yaml'], ['b.yaml', 'charts/a.yaml']],
    ['nothing that is there', ['chart', 'b'], ['b.yaml', 'charts/a.yaml', 'charts/deep/c.yaml']],
  ])('skips excluded files: %s', async (_, exclude, left) => {
    expect(
      await namesIn({ 'b.yaml': '', 'charts/a.yaml': '', 'charts/deep/c.yaml': '' }, exclude),
    ).toEqual(left);
  });

  test('matches exclude patterns relative to the project file', async () => {
    await inFolder(async folder => {
      const files = {
        'a.yaml': '',
        'charts/b.yaml': '',
        'net/charts/c.yaml': '',
        'net/.d/e.yaml': '',
      };
      await write(folder, { 'meshform.yaml': '', ...prefixed('config/.live', files) });
      const exclude = ['config/.live/net/charts', 'charts'];
      const { files: found } = await read(folder, 'config/.live/net', exclude);
      expect(found).toEqual([]);
      const { files: all } = await read(folder, 'config/.live', exclude);
      expect(all.map(({ file }) => file)).toEqual([
        'config/.live/a.yaml',
        'config/.live/charts/b.yaml',
      ]);
    });
  });
});

test('a single file is read under any name', async () => {
  await inFolder(async folder => {
    await write(folder, { 'desired.txt': 'groups: []', 'other.yaml': '' });
    expect(await read(folder, 'desired.txt')).toEqual({
      files: [{ file: 'desired.txt', inside: 'desired.txt', text: 'groups: []' }],
      diagnostics: [],
    });
  });
});

describe('a fault is reported', () => {
  test('an empty folder is reported as a fault', async () => {
    await inFolder(async folder => {
      await write(folder, { 'README.md': '' });
      const { files, diagnostics } = await read(folder);
      expect(files).toEqual([]);
      expect(diagnostics).toMatchObject([
        { code: 'SOURCE_EMPTY', severity: 'error', message: expect.stringContaining('`.`') },
      ]);
    });
  });

  test('a missing folder is reported as a fault', async () => {
    await inFolder(async folder => {
      const { files, diagnostics } = await read(folder, 'lost');
      expect(files).toEqual([]);
      expect(diagnostics).toMatchObject([
        { code: 'SOURCE_UNREADABLE', message: '`lost` cannot be read: it does not exist' },
      ]);
    });
  });

  test('each unreadable file is reported as a fault, while the others are read', async () => {
    await inFolder(async folder => {
      await write(folder, { 'a.yaml': 'a', 'latin.yaml': Buffer.from('Malm\xf6', 'latin1') });
      await symlink('nowhere', join(folder, 'dangling.yaml'));
      await symlink('loop.yaml', join(folder, 'loop.yaml'));
      const { files, diagnostics } = await read(folder);
      expect(files.map(({ file }) => file)).toEqual(['a.yaml']);
      expect(diagnostics.map(({ message }) => message)).toEqual([
        '`dangling.yaml` cannot be read: it does not exist',
        '`latin.yaml` cannot be read: it is not UTF-8 text',
        '`loop.yaml` cannot be read: its links form a loop',
      ]);
    });
  });

  // An administrator may read everything.
  test.skipIf(process.getuid?.() === 0)(
    'a file without read permission is reported as a fault',
    async () => {
      await inFolder(async folder => {
        await write(folder, { 'a.yaml': 'a' });
        await chmod(join(folder, 'a.yaml'), 0);
        expect((await read(folder)).diagnostics).toMatchObject([
          { message: '`a.yaml` cannot be read: permission denied' },
        ]);
      });
    },
  );
});

describe('the project file', () => {
  const find = (folder: string, path: string) =>
    findAllUpwards(join(folder, path), 'meshform.yaml')[0];

  test('is the nearest file above the folder', async () => {
    await inFolder(async folder => {
      await write(folder, {
        '.git/HEAD': '',
        'meshform.yaml': 'top',
        'a/meshform.yaml': 'near',
        'a/b/c.yaml': '',
        'd/e.yaml': '',
      });
      expect(find(folder, 'a/b')?.text).toBe('near');
      expect(find(folder, 'a/b/c.yaml')?.text).toBe('near');
      expect(find(folder, 'd')?.text).toBe('top');
      expect(find(folder, '.')?.file).toBe(join(folder, 'meshform.yaml'));
    });
  });

  test('is not searched above the repository', async () => {
    await inFolder(async folder => {
      await write(folder, {
        'meshform.yaml': 'above',
        'repository/.git/HEAD': '',
        'repository/net/a.yaml': '',
      });
      expect(find(folder, 'repository/net')).toBeUndefined();
    });
  });

  test('is not a folder named `meshform.yaml`', async () => {
    await inFolder(async folder => {
      await write(folder, { '.git/HEAD': '', 'meshform.yaml/a.txt': '' });
      expect(find(folder, '.')).toBeUndefined();
    });
  });

  test('is looked up from the folder of a file', async () => {
    await inFolder(async folder => {
      await write(folder, { 'a.yaml': '' });
      expect(folderOf(join(folder, 'a.yaml'))).toBe(folder);
      expect(folderOf(folder)).toBe(folder);
      expect(folderOf(join(folder, 'lost'))).toBe(join(folder, 'lost'));
    });
  });
});

test('a project file in a subfolder is an error, because its account and its guards would be ignored', () =>
  inFolder(async folder => {
    await write(folder, {
      'a.yaml': '',
      'meshform.yaml': '',
      'prod/meshform.yaml': '',
      'prod/b.yaml': '',
    });
    const { diagnostics } = await read(folder);
    expect(diagnostics).toMatchObject([{ code: 'PROJECT_INVALID', severity: 'error' }]);
    expect(diagnostics[0]?.message).toContain('`prod/meshform.yaml`');
    expect((await read(folder, '.', ['prod'])).diagnostics).toEqual([]);
    expect((await read(folder, 'prod')).diagnostics).toEqual([]);
  }));

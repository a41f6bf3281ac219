// Links and folders on the way to a path to write. Those of the user and of root are followed; links of a neighbour only where the
// neighbour could as well have put the target in their place, and folders of a neighbour only where nobody else could have put them.
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { misleadingWay } from '../../src/read/files/misleading.ts';
import { inFolder } from '../support/cli.ts';
import { give, giveLink, mayGiveAway } from '../support/neighbour.ts';

interface Made {
  readonly theirs: string;
  readonly mine: string;
}

const judged = (make: (folders: Made) => string) =>
  inFolder(async folder => {
    const folders = { theirs: join(folder, 'theirs'), mine: join(folder, 'mine') };
    mkdirSync(join(folders.theirs, 'build'), { recursive: true });
    mkdirSync(join(folders.mine, 'build'), { recursive: true });
    const path = make(folders);
    give(folders.theirs);
    return misleadingWay(path);
  });

const link = (target: string, path: string) => {
  symlinkSync(target, path);
  giveLink(path);
};

describe.runIf(mayGiveAway)('a link of another user', () => {
  test.each<[string, (folders: Made) => string]>([
    [
      'in their folder that leads to what they cannot write',
      ({ theirs, mine }) => {
        link(mine, join(theirs, 'out'));
        return join(theirs, 'out/build/new');
      },
    ],
    [
      'at the path itself',
      ({ theirs, mine }) => {
        writeFileSync(join(mine, 'file'), '');
        link(join(mine, 'file'), join(theirs, 'file'));
        return join(theirs, 'file');
      },
    ],
    [
      'behind a link of the user',
      ({ theirs, mine }) => {
        link(theirs, join(mine, 'theirs'));
        symlinkSync(join(mine, 'theirs'), join(mine, 'own'));
        return join(mine, 'own/new');
      },
    ],
    [
      'that leads nowhere yet',
      ({ theirs }) => {
        link('none', join(theirs, 'out'));
        return join(theirs, 'out/new');
      },
    ],
  ])('is refused %s', async (_, make) => {
    expect(await judged(make)).toMatchObject({ isForeign: true });
  });

  test.each<[string, (folders: Made) => string]>([
    [
      'to what is theirs too',
      ({ theirs }) => {
        give(join(theirs, 'build'));
        link('build', join(theirs, 'out'));
        return join(theirs, 'out/new');
      },
    ],
    [
      'to what another user made in their folder',
      ({ theirs }) => {
        link('build', join(theirs, 'out'));
        return join(theirs, 'out/new');
      },
    ],
  ])('is followed if it is in their folder and leads %s', async (_, make) => {
    expect(await judged(make)).toBeNull();
  });
});

describe.runIf(mayGiveAway)('a folder of another user', () => {
  // The modes of the folder above.
  const ofMode = (mode: number, end: string) =>
    inFolder(async folder => {
      mkdirSync(join(folder, 'theirs/sub'), { recursive: true });
      give(join(folder, 'theirs'), join(folder, 'theirs/sub'));
      chmodSync(folder, mode);
      return misleadingWay(join(folder, end));
    });

  test.each([
    [0o1777, 'theirs/new.json'],
    [0o1777, 'theirs/sub/new.json'],
    [0o777, 'theirs'],
    [0o775, 'theirs/new/new.json'],
  ])('is refused if others can write to the folder above (mode %o): %s', async (mode, end) => {
    const expected = process.getgid?.() === 0 && mode === 0o775 ? null : { isForeign: true };
    expect(await ofMode(mode, end)).toEqual(expected && expect.objectContaining(expected));
  });

  test.each([
    [0o755, 'theirs/new.json'],
    [0o755, 'theirs/sub/new.json'],
    [0o700, 'theirs'],
  ])('is accepted if nobody else can (mode %o): %s', async (mode, end) => {
    expect(await ofMode(mode, end)).toBeNull();
  });
});

// Who else can write to a folder that has to be the user's own, and what the message advises.
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { ForeignFolder, refuseForeign } from '../../src/read/files/ownFolder.ts';
import { inFolder } from '../support/cli.ts';
import { mayGiveAway } from '../support/neighbour.ts';

const USER = 1_000_650_000;

/** The error for a folder of this owner, group and mode, for a user with these numbers. */
const refused = (
  { uid, gid, mode }: { readonly uid: number; readonly gid: number; readonly mode: number },
  user: { readonly id: number; readonly group: number },
) =>
  inFolder(async folder => {
    const home = join(folder, 'home');
    mkdirSync(home);
    chownSync(home, uid, gid);
    chmodSync(home, mode);
    vi.spyOn(process, 'geteuid').mockReturnValue(user.id);
    vi.spyOn(process, 'getegid').mockReturnValue(user.group);
    try {
      refuseForeign({ path: join(home, 'state'), root: home, isChosen: false });
      return null;
    } catch (error) {
      if (!(error instanceof ForeignFolder)) throw error;
      return { said: error.message.replace(home, 'HOME'), advised: error.writable !== undefined };
    } finally {
      vi.restoreAllMocks();
    }
  });

describe.runIf(mayGiveAway)('a home folder that others can write to is refused', () => {
  const inGroup0 = { id: USER, group: 0 };

  test.each([
    ['of root, whose group 0 every container has', { uid: 0, gid: 0, mode: 0o775 }],
    ['of the user, for the same group', { uid: USER, gid: 0, mode: 0o775 }],
  ])('%s: no chmod is advised, because it would break other containers', async (_, home) => {
    expect(await refused(home, inGroup0)).toEqual({
      said: 'everybody in the group 0 can write to `HOME`',
      advised: false,
    });
  });

  test('a folder of root that everybody can write to is refused without advice of chmod, because the user cannot change it', async () => {
    expect(await refused({ uid: 0, gid: 5, mode: 0o777 }, inGroup0)).toEqual({
      said: 'others can write to `HOME`',
      advised: false,
    });
  });

  test.each([
    ['everybody', 0o777],
    ['another group', 0o775],
  ])(
    'a folder of the user, writable for %s, is refused with the advice of a chmod',
    async (_, mode) => {
      expect(await refused({ uid: USER, gid: 5, mode }, inGroup0)).toEqual({
        said: 'others can write to `HOME`',
        advised: true,
      });
    },
  );

  test('a folder is accepted if only the private group of the user can write to it', async () => {
    const own = { id: USER, group: USER };
    expect(await refused({ uid: USER, gid: USER, mode: 0o775 }, own)).toBeNull();
  });
});

// Journals, noted bases, locks and objects of git are only where nobody else can put any.
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
} from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { journalsFor } from '../../../src/apply/journal/journalFolder.ts';
import { separateObjects } from '../../../src/read/remote/objectFolder.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { git } from '../../support/git.ts';
import { mayGiveAway, NEIGHBOUR } from '../../support/neighbour.ts';

let account: TestAccount;

beforeEach(async () => {
  account = await startAccount();
  onTestFinished(() => account.close());
});

interface Place {
  /** The folder for everything, which only this user can read. */
  readonly folder: string;
  readonly checkout: string;
  readonly run: (
    argv: readonly string[],
    env?: Readonly<Record<string, string>>,
  ) => ReturnType<typeof meshform>;
}

const inCheckout = (use: (place: Place) => Promise<void>) =>
  inFolder(async folder => {
    const checkout = join(folder, 'checkout');
    await mkdir(join(checkout, 'network'), { recursive: true });
    await writeFile(join(checkout, 'network/a.yaml'), 'groups: [{ name: devs }]\n');
    const state = { HOME: join(folder, 'home'), XDG_STATE_HOME: '', MESHFORM_JOURNALS: '' };
    await use({
      folder,
      checkout,
      run: (argv, env = {}) =>
        meshform(argv, { cwd: checkout, env: { ...environmentOf(account), ...state, ...env } }),
    });
  });

const writes = (): number => account.requests.filter(({ method }) => method !== 'GET').length;

const made = (path: string, mode = 0o755): string => {
  mkdirSync(path, { recursive: true });
  chmodSync(path, mode);
  return path;
};

const madeBySomebody = (path: string, mode?: number): string => {
  chownSync(made(path, mode), NEIGHBOUR, NEIGHBOUR);
  return path;
};

const linkOfSomebody = (to: string, path: string): void => {
  mkdirSync(join(path, '..'), { recursive: true });
  symlinkSync(to, path);
  lchownSync(path, NEIGHBOUR, NEIGHBOUR);
};

/** A folder that is not used: what prepares it, and what the message says of which folder. */
type Foreign = readonly [
  what: string,
  prepare: (place: Place) => Readonly<Record<string, string>>,
  at: string,
  why: string,
];

const WRITABLE: readonly Foreign[] = [
  [
    'a state folder that others can write to',
    ({ folder }) => {
      made(join(folder, 'home/.local/state/meshform'), 0o777);
      return {};
    },
    'home/.local/state/meshform',
    'others can write to',
  ],
  [
    'journals that others can write to, with the sticky bit',
    ({ folder }) => {
      made(join(folder, 'home/.local/state/meshform/journals'), 0o1777);
      return {};
    },
    'home/.local/state/meshform/journals',
    'others can write to',
  ],
  [
    'a state folder that others can replace',
    ({ folder }) => {
      made(join(folder, 'home/.local/state/meshform'), 0o700);
      made(join(folder, 'home/.local'), 0o777);
      return {};
    },
    'home/.local',
    'others can write to',
  ],
  [
    'a chosen folder that others can write to',
    ({ folder }) => ({ MESHFORM_JOURNALS: made(join(folder, 'chosen'), 0o777) }),
    'chosen',
    'others can write to',
  ],
];

const OWNED: readonly Foreign[] = [
  [
    'a home that is the folder for temporary files, where a neighbour was first',
    ({ folder }) => {
      const home = made(join(folder, 'tmp'), 0o1777);
      madeBySomebody(join(home, '.local'));
      return { HOME: home };
    },
    'tmp/.local',
    'belongs to another user',
  ],
  [
    'a shared state folder, where a neighbour was first',
    ({ folder }) => {
      const shared = made(join(folder, 'shared'), 0o1777);
      madeBySomebody(join(shared, 'meshform'));
      return { XDG_STATE_HOME: shared };
    },
    'shared/meshform',
    'belongs to another user',
  ],
  [
    'a link of a neighbour to a folder of this user',
    ({ folder }) => {
      const shared = made(join(folder, 'shared'), 0o1777);
      linkOfSomebody(made(join(folder, 'private'), 0o700), join(shared, 'meshform'));
      return { XDG_STATE_HOME: shared };
    },
    'shared/meshform',
    'is a link of another user',
  ],
  [
    'a link through a folder of a neighbour',
    ({ folder }) => {
      const between = madeBySomebody(join(folder, 'between'));
      symlinkSync(made(join(folder, 'private'), 0o700), join(between, 'onward'));
      symlinkSync(join(between, 'onward'), join(made(join(folder, 'own'), 0o700), 'meshform'));
      return { XDG_STATE_HOME: join(folder, 'own') };
    },
    'between',
    'belongs to another user',
  ],
  [
    'a folder whose group can write to it',
    ({ folder }) => {
      const state = made(join(folder, 'home/.local/state/meshform'), 0o770);
      chownSync(state, 0, NEIGHBOUR);
      return {};
    },
    'home/.local/state/meshform',
    'others can write to',
  ],
  [
    'a chosen folder of a neighbour',
    ({ folder }) => ({ MESHFORM_JOURNALS: madeBySomebody(join(folder, 'chosen')) }),
    'chosen',
    'belongs to another user',
  ],
  [
    'a chosen folder behind a link of a neighbour',
    ({ folder }) => {
      linkOfSomebody(made(join(folder, 'private'), 0o700), join(folder, 'shared/chosen'));
      return { MESHFORM_JOURNALS: join(folder, 'shared/chosen') };
    },
    'shared/chosen',
    'is a link of another user',
  ],
  [
    'the folder of an account of a fleet, where a neighbour was first',
    ({ folder }) => {
      const state = join(folder, 'home/.local/state');
      madeBySomebody(join(state, 'meshform/journals/fleet'));
      chownSync(join(state, 'meshform'), 0, 0);
      return { MESHFORM_JOURNALS: join(state, 'meshform/journals/fleet/one') };
    },
    'home/.local/state/meshform/journals/fleet',
    'belongs to another user',
  ],
];

const FOREIGN = mayGiveAway ? [...WRITABLE, ...OWNED] : WRITABLE;

test.each(FOREIGN)(
  'an apply refuses a journal folder that somebody else can write to, exit 69: %s',
  (_, prepare, at, why) =>
    inCheckout(async place => {
      const env = prepare(place);
      const ended = await place.run(['apply', 'network', '--yes'], env);
      expect(ended, ended.stderr).toMatchObject({ code: 69 });
      const folder = join(place.folder, at);
      const text = ended.stderr.replaceAll(/\s+/g, ' ');
      expect(text).toContain(
        why === 'others can write to' ? `${why} \`${folder}\`` : `\`${folder}\` ${why}`,
      );
      expect(text).toContain('set MESHFORM_JOURNALS to a folder of your own');
      if (why === 'others can write to') expect(text).toContain('chmod go-w');
      expect(writes()).toBe(0);
    }),
);

test.each([
  ['plan', ['plan', 'network']],
  ['drift', ['drift', 'network']],
  ['apply --resume', ['apply', 'network', '--resume', '--yes']],
  ['apply --undo', ['apply', 'network', '--undo', '--yes']],
])('%s refuses a journal folder that others can write to: exit 69', (_, argv) =>
  inCheckout(async ({ checkout, run }) => {
    const host = { cwd: checkout, env: {}, journals: 'journals' };
    made(await journalsFor('network', host), 0o777);
    const ended = await run(argv, { MESHFORM_JOURNALS: 'journals' });
    expect(ended, ended.stderr).toMatchObject({ code: 69 });
    expect(ended.stderr).toContain('others can write to');
  }),
);

test('a plan needs no journal folder: a missing folder may have a parent that others can write to', () =>
  inCheckout(async ({ folder, run }) => {
    made(join(folder, 'home'), 0o777);
    expect(await run(['plan', 'network'])).toMatchObject({ code: 0 });
  }));

describe('an apply accepts as journal folder', () => {
  const used = async ({ run }: Place, env: Readonly<Record<string, string>>) => {
    const ended = await run(['apply', 'network', '--yes'], env);
    expect(ended, ended.stderr).toMatchObject({ code: 0 });
    expect(ended.stderr).not.toContain('MESHFORM_JOURNALS');
  };

  test('a folder of this user below a shared folder with the sticky bit', () =>
    inCheckout(async place => {
      await used(place, { HOME: made(join(place.folder, 'tmp'), 0o1777) });
      expect(existsSync(join(place.folder, 'tmp/.local/state/meshform/journals'))).toBe(true);
    }));

  test('a folder behind a symbolic link that this user created', () =>
    inCheckout(async place => {
      const own = made(join(place.folder, 'own'), 0o700);
      symlinkSync(made(join(place.folder, 'disk'), 0o700), join(own, 'meshform'));
      await used(place, { XDG_STATE_HOME: own });
      expect(readdirSync(join(place.folder, 'disk'))).toEqual(['journals']);
    }));

  test('a chosen folder in a checkout that everybody can write to, as a GitLab runner creates it', () =>
    inCheckout(async place => {
      made(place.checkout, 0o777);
      await used(place, {
        MESHFORM_JOURNALS: join(made(join(place.checkout, 'meshform-1'), 0o777), 'journals'),
      });
    }));

  test.runIf(mayGiveAway)('a chosen folder in a checkout of another user, as in a container', () =>
    inCheckout(async place => {
      madeBySomebody(place.checkout);
      await used(place, { MESHFORM_JOURNALS: 'journals' });
    }),
  );

  test.runIf(mayGiveAway)('a folder that only the user’s own group can write to', () =>
    inCheckout(async place => {
      made(join(place.folder, 'home/.local/state/meshform'), 0o775);
      await used(place, {});
    }),
  );
});

test.each([
  ['of others', 0o777, false],
  ['of this user', 0o700, true],
])('git objects are kept in a state folder %s (mode %s): %s', (_, mode, isKept) =>
  inFolder(async folder => {
    const clone = made(join(folder, 'clone'));
    git(clone, 'init', '--quiet');
    const state = made(join(folder, 'state'), mode);
    const host = { env: { PATH: process.env.PATH ?? '' } };
    const objects = await separateObjects({ folder: clone, host }, { state, now: 0 });
    onTestFinished(() => objects.close());
    expect(objects.place.objects?.path.startsWith(state)).toBe(isKept);
    expect(readdirSync(state)).toEqual(isKept ? ['git'] : []);
  }),
);

// `--secrets-to`: what the server shows once goes where the user says, or nothing is made at all.
import { closeSync, constants, openSync, statSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isObject, type Json } from '../../../src/model/value.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { type Ended, environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { git } from '../../support/git.ts';
import { give, mayGiveAway } from '../../support/neighbour.ts';
import { pipe } from '../../support/specialFiles.ts';
import { someOf } from '../../support/variations.ts';

const KEYS = `
setup_keys:
  - { name: ci runners, type: reusable, expires_in: 86400 }
  - { name: kiosk, type: one-off, expires_in: 86400 }
`;

interface Setting {
  readonly account: TestAccount;
  readonly folder: string;
  readonly run: (argv: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Ended>;
  /** The requests so far that wrote something. */
  readonly writes: () => string[];
}

/** A folder with these files in `network/` and a new account. */
async function inSetting(files: string, use: (setting: Setting) => Promise<void>): Promise<void> {
  const account = await startAccount();
  onTestFinished(() => account.close());
  await inFolder(async folder => {
    await mkdir(join(folder, 'network'));
    await writeFile(join(folder, 'network', 'network.yaml'), files);
    await use({
      account,
      folder,
      run: (argv, env = {}) =>
        meshform(argv, { cwd: folder, env: { PATH: PATH, ...environmentOf(account), ...env } }),
      writes: () =>
        account.requests.flatMap(({ method, path }) =>
          method === 'GET' ? [] : [`${method} ${path}`],
        ),
    });
  });
}

const PATH = '/usr/local/bin:/usr/bin:/bin';
const APPLY = ['apply', 'network', '--yes'];

const linesOf = async (file: string): Promise<Json[]> =>
  (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Json);

/** What the account shows of its keys: their first characters. */
async function shownKeys({ account }: Setting): Promise<Map<string, string>> {
  const keys = await account.call('GET', '/api/setup-keys');
  const list = Array.isArray(keys) ? keys.filter(isObject) : [];
  return new Map(list.map(({ name, key }) => [String(name), String(key).replace(/\*+$/, '')]));
}

describe('a plan that creates a secret', () => {
  test('is refused without --secrets-to, before anything is written', () =>
    inSetting(KEYS, async ({ run, writes }) => {
      const ended = await run(APPLY);
      expect(ended).toMatchObject({ code: 6 });
      expect(ended.stderr).toContain('REVEALS_SECRET');
      expect(ended.stderr).toContain('add --secrets-to file:PATH');
      expect(ended.stdout).toContain('An apply needs: --secrets-to file:PATH');
      expect(writes()).toEqual([]);
    }));

  test('may be saved without --secrets-to, which is then given to the apply', () =>
    inSetting(KEYS, async ({ run, writes, folder }) => {
      expect(await run(['plan', 'network', '--out', 'plan.json'])).toMatchObject({ code: 0 });
      expect(await run(['apply', 'plan.json', '--yes'])).toMatchObject({ code: 6 });
      expect(writes()).toEqual([]);
      const applied = await run(['apply', 'plan.json', '--yes', '--secrets-to', 'file:kept.jsonl']);
      expect(applied).toMatchObject({ code: 0 });
      expect(await linesOf(join(folder, 'kept.jsonl'))).toHaveLength(2);
    }));

  test('is applied if a flag accepts the loss of the secret', () =>
    inSetting(KEYS, async ({ run }) => {
      const ended = await run([...APPLY, '--allow', 'REVEALS_SECRET']);
      expect(ended).toMatchObject({ code: 0 });
      expect(ended.stdout).toContain('its `key` was shown only once and is lost, as allowed');
    }));
});

test('a secret file is not created if no secret is expected', () =>
  inSetting('groups: [{ name: engineers }]', async ({ run, folder }) => {
    expect(await run([...APPLY, '--secrets-to', 'file:kept.jsonl'])).toMatchObject({ code: 0 });
    await expect(stat(join(folder, 'kept.jsonl'))).rejects.toMatchObject({ code: 'ENOENT' });
  }));

test.each([
  ['a place that is none', ['--secrets-to', 'vault:x'], 'file:PATH'],
  ['a place without an end', ['--secrets-to', 'file:'], 'file:PATH'],
  [
    'two places',
    ['--secrets-to', 'file:a', '--secrets-to', 'file:b'],
    'Only one destination is possible',
  ],
])('%s is a wrong command line', (_, flags, said) =>
  inSetting(KEYS, async ({ run }) => {
    const ended = await run([...APPLY, ...flags]);
    expect(ended).toMatchObject({ code: 64 });
    expect(ended.stderr).toContain(said);
  }),
);

describe('file:PATH', () => {
  test('gets one line per secret, readable only by its owner', () =>
    inSetting(KEYS, async setting => {
      const file = join(setting.folder, 'kept.jsonl');
      await writeFile(file, '{"before":true}\n');
      await chmod(file, 0o600);
      expect(await setting.run([...APPLY, '--secrets-to', 'file:kept.jsonl'])).toMatchObject({
        code: 0,
      });
      const [before, ...lines] = await linesOf(file);
      expect(before).toEqual({ before: true });
      const shown = await shownKeys(setting);
      expect(lines.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))).toEqual([
        {
          address: 'setup_key.kiosk',
          field: 'key',
          value: expect.stringMatching(`^${shown.get('kiosk')}[\\w-]{8,}$`),
        },
        {
          address: 'setup_key["ci runners"]',
          field: 'key',
          value: expect.stringMatching(`^${shown.get('ci runners')}[\\w-]{8,}$`),
        },
      ]);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    }));

  test.each([
    ['a folder that is not there', 'not/there.jsonl', async () => {}],
    ['a folder', 'network', async () => {}],
    ['a link', 'link.jsonl', (folder: string) => symlink('/dev/null', join(folder, 'link.jsonl'))],
  ])('cannot be %s, which is refused before anything is written', (_, path, prepare) =>
    inSetting(KEYS, async ({ run, writes, folder }) => {
      await prepare(folder);
      const ended = await run([...APPLY, '--secrets-to', `file:${path}`]);
      expect(ended).toMatchObject({ code: 64 });
      expect(ended.stderr).toContain(`secrets cannot be stored: \`${path}\` cannot be written`);
      expect(writes()).toEqual([]);
    }),
  );
});

const OPENED: readonly (readonly [string, number, (folder: string) => string])[] = [
  ['a file', 0o644, folder => join(folder, 'theirs')],
  ['a file that a group may write', 0o620, folder => join(folder, 'theirs')],
  ['a pipe', 0o644, pipeOf],
  ['a pipe of a group', 0o640, pipeOf],
  ['an open file', 0o604, folder => `/dev/fd/${descriptorOf(join(folder, 'theirs'))}`],
  ['an open pipe', 0o644, folder => `/dev/fd/${descriptorOf(pipeOf(folder))}`],
];

/** Makes a pipe that somebody reads from. */
function pipeOf(folder: string): string {
  const place = join(folder, 'theirs');
  pipe(place);
  descriptorOf(place);
  return place;
}

/** A descriptor of the file at a path. */
function descriptorOf(path: string): number {
  const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(descriptor));
  return descriptor;
}

test.each(
  OPENED.flatMap(([what, mode, place]) =>
    ['file', 'gitlab'].map(kind => [kind, what, mode, place] as const),
  ),
)('%s: %s that others can open gets no secret', (kind, _, mode, place) =>
  inSetting(KEYS, async ({ run, writes, folder }) => {
    const path = place(folder);
    const file = join(folder, 'theirs');
    if (path === file && !statSync(file, { throwIfNoEntry: false })) await writeFile(file, '');
    await chmod(file, mode);
    const ended = await run([...APPLY, '--secrets-to', `${kind}:${path}`]);
    const said = ended.stderr.replaceAll(/\s+/g, ' ');
    expect(said).toContain(
      `\`${path}\` cannot be written: others can open it (mode 0${mode.toString(8)})`,
    );
    expect(said).toContain('hint: remove it; or run `chmod 600 ');
    expect(ended.code).toBe(64);
    expect(writes()).toEqual([]);
    expect((await stat(file)).mode & 0o777).toBe(mode);
    if (statSync(file).isFile()) expect(await readFile(file, 'utf8')).toBe('');
  }),
);

test('a new secret file is private to its owner, with any umask', () =>
  inSetting(KEYS, async ({ run, folder }) => {
    expect(await run([...APPLY, '--secrets-to', 'file:kept.jsonl'])).toMatchObject({ code: 0 });
    expect((await stat(join(folder, 'kept.jsonl'))).mode & 0o777).toBe(0o600);
    const again = ['--rotate', 'setup_key/kiosk', '--allow', 'REPLACES_OBJECT'];
    const to = ['--secrets-to', 'file:kept.jsonl'];
    expect(await run([...APPLY, ...again, ...to])).toMatchObject({ code: 0 });
    expect(await linesOf(join(folder, 'kept.jsonl'))).toHaveLength(3);
  }));

describe('a secret file that is distributed with the desired state', () => {
  const HINT = 'name a file that git does not track, outside the folder of the files';

  test.each(
    someOf(
      [
        ['in the folder of the files', 'network', 'network/keys.jsonl'],
        ['below it', 'network', 'network/more/keys.jsonl'],
        ['below it through a link', 'network', 'link/keys.jsonl'],
        [
          'with a name of desired state in the working folder, if the files are there',
          '.',
          'keys.yaml',
        ],
      ].flatMap(([what = '', ...given]) =>
        ['file', 'gitlab'].map(kind => [what, kind, ...given] as const),
      ),
      3,
    ),
  )('gets no secret %s: %s', (_, kind, state = '', path = '') =>
    inSetting(KEYS, async ({ run, writes, folder }) => {
      await mkdir(join(folder, 'network/more'));
      if (path.startsWith('link')) await symlink('network', join(folder, 'link'));
      const to = ['--secrets-to', `${kind}:${path}`];
      expect(await run(['apply', state, '--yes', ...to])).toMatchObject({ code: 64 });
      await run(['plan', state, '--out', 'plan.json']);
      for (const what of [state, 'plan.json']) {
        const ended = await run(['apply', what, '--yes', ...to]);
        const said = ended.stderr.replaceAll(/\s+/g, ' ');
        expect(said).toContain(`\`${path}\` cannot be written: it is part of the desired state in`);
        expect(said).toContain(HINT);
      }
      expect(writes()).toEqual([]);
    }),
  );

  test.each([
    ['file', 'keys.jsonl'],
    ['gitlab', 'keys.env'],
  ])('gets no secret if git tracks it: %s', (place, file) =>
    inSetting(KEYS, async ({ run, writes, folder }) => {
      git(folder, 'init', '--quiet');
      await writeFile(join(folder, file), '', { mode: 0o600 });
      git(folder, 'add', file);
      const to = ['--secrets-to', `${place}:${file}`];
      const ended = await run([...APPLY, ...to]);
      expect(ended).toMatchObject({ code: 64 });
      const said = ended.stderr.replaceAll(/\s+/g, ' ');
      expect(said).toContain(`\`${file}\` cannot be written: git tracks it`);
      expect(said).toContain(HINT);
      expect(writes()).toEqual([]);
      git(folder, 'rm', '--quiet', '--cached', file);
      expect(await run([...APPLY, ...to])).toMatchObject({ code: 0 });
    }),
  );

  test('gets no secret through a descriptor of a file that git tracks', () =>
    inSetting(KEYS, async ({ run, writes, folder }) => {
      git(folder, 'init', '--quiet');
      const file = join(folder, 'keys.jsonl');
      await writeFile(file, '', { mode: 0o600 });
      git(folder, 'add', 'keys.jsonl');
      const to = ['--secrets-to', `file:/dev/fd/${descriptorOf(file)}`];
      const ended = await run([...APPLY, ...to]);
      expect(ended).toMatchObject({ code: 64 });
      expect(ended.stderr).toContain('cannot be written: git tracks it');
      expect(writes()).toEqual([]);
      git(folder, 'rm', '--quiet', '--cached', 'keys.jsonl');
      expect(await run([...APPLY, ...to])).toMatchObject({ code: 0 });
      expect(await linesOf(file)).toHaveLength(2);
    }));

  test.each([
    [
      'git is not there',
      { PATH: '/nonexistent' },
      async () => {},
      'git is not installed, or not on the PATH',
      'install git, or name a file outside the repository',
    ],
    [
      'the repository is broken',
      {},
      (folder: string) => rm(join(folder, '.git/HEAD')),
      'not a git repository',
      'hint: name a file outside the repository',
    ],
    ...(mayGiveAway
      ? [
          [
            'the repository is of another user',
            {},
            async (folder: string) => give(join(folder, '.git'), folder),
            'dubious ownership',
            'safe.directory',
          ] as const,
        ]
      : []),
  ] as const)('gets no secret where %s', (_, env, prepare, why, hint) =>
    inSetting(KEYS, async ({ run, writes, folder }) => {
      git(folder, 'init', '--quiet');
      await prepare(folder);
      const ended = await run([...APPLY, '--secrets-to', 'file:keys.jsonl'], env);
      const said = ended.stderr.replaceAll(/\s+/g, ' ');
      expect(said).toContain('cannot be written: git cannot say whether it tracks it: ');
      expect(said).toContain(why);
      expect(said).toContain(hint);
      expect(ended.code).toBe(64);
      expect(writes()).toEqual([]);
      await rm(join(folder, '.git'), { recursive: true });
      const again = await run([...APPLY, '--secrets-to', 'file:keys.jsonl'], env);
      expect(again.code, again.stderr).toBe(0);
    }),
  );

  test.each(['--fingerprints', '--journal', '--resume', '--undo'])(
    'gets no secret if %s names it too',
    flag =>
      inSetting(KEYS, async ({ run, writes }) => {
        const env = { MESHFORM_FINGERPRINT_KEY: 'a long key of fingerprints' };
        const to = ['--secrets-to', 'file:./network/../one', flag, 'one'];
        const ended = await run([...APPLY, ...to], env);
        expect(ended).toMatchObject({ code: 64 });
        expect(ended.stderr).toContain(`--secrets-to and ${flag} name the same file`);
        expect(writes()).toEqual([]);
      }),
  );

  test('does not include a file in `.git`, which gets the secrets', () =>
    inSetting(KEYS, async ({ run, folder }) => {
      git(folder, 'init', '--quiet');
      const to = ['--secrets-to', 'file:.git/keys.jsonl'];
      expect(await run(['apply', '.', '--yes', ...to])).toMatchObject({ code: 0 });
      expect(await linesOf(join(folder, '.git/keys.jsonl'))).toHaveLength(2);
    }));
});

describe('exec:COMMAND', () => {
  test('gets each secret on its standard input, and no credential of ours', () =>
    inSetting(KEYS, async ({ run, folder }) => {
      const command = 'cat >> kept.jsonl; echo "[$MESHFORM_TOKEN]" >> env.txt';
      expect(await run([...APPLY, '--secrets-to', `exec:${command}`])).toMatchObject({ code: 0 });
      expect(await linesOf(join(folder, 'kept.jsonl'))).toMatchObject([
        { field: 'key', value: expect.any(String) },
        { field: 'key', value: expect.any(String) },
      ]);
      expect(await readFile(join(folder, 'env.txt'), 'utf8')).toBe('[]\n[]\n');
    }));

  test('a command that fails loses the secret: the outcome says so, and how to create a new one', () =>
    inSetting(KEYS, async ({ run, folder }) => {
      const ended = await run([...APPLY, '--secrets-to', 'exec:cat; cat >&2; exit 3']);
      expect(ended).toMatchObject({ code: 4 });
      const said = ended.stdout.replaceAll(/\s+/g, ' ');
      expect(said).toContain('but its `key` is LOST: the command exited with code 3');
      expect(said).toContain("--rotate 'setup_key/ci runners'");
      expect(said).not.toContain('"value"');

      const rotate = ['--rotate', 'setup_key/ci runners', '--rotate', 'setup_key/kiosk'];
      const plan = await run(['plan', 'network', ...rotate]);
      expect(plan.stdout).toContain('a new `key` was requested');
      const again = await run([
        ...APPLY,
        ...rotate,
        '--allow',
        'REPLACES_OBJECT',
        '--secrets-to',
        'file:kept.jsonl',
      ]);
      expect(again).toMatchObject({ code: 0 });
      expect(await linesOf(join(folder, 'kept.jsonl'))).toHaveLength(2);
      expect(await run(['plan', 'network', '--detailed-exitcode'])).toMatchObject({ code: 0 });
    }));

  test('a command that does not exist loses the secret too', () =>
    inSetting(KEYS, async ({ run }) => {
      const ended = await run([...APPLY, '--secrets-to', 'exec:no-such-command-anywhere']);
      expect(ended).toMatchObject({ code: 4 });
      expect(ended.stdout).toContain('LOST: the command exited with code 127');
    }));
});

describe('github', () => {
  const inJob = (folder: string) => ({
    GITHUB_ACTIONS: 'true',
    GITHUB_OUTPUT: join(folder, 'output'),
    GITHUB_ENV: join(folder, 'env'),
  });

  test.each([
    ['github', 'output', ['setup_key_ci_runners_key', 'setup_key_kiosk_key']],
    ['github:env', 'env', ['SETUP_KEY_CI_RUNNERS_KEY', 'SETUP_KEY_KIOSK_KEY']],
  ])('%s masks each secret and adds it to the job’s %s', (place, file, names) =>
    inSetting(KEYS, async ({ run, folder }) => {
      await writeFile(join(folder, file), '');
      const ended = await run([...APPLY, '--secrets-to', place], inJob(folder));
      expect(ended).toMatchObject({ code: 0 });
      const text = await readFile(join(folder, file), 'utf8');
      const found = [...text.matchAll(/^(\w+)<<(.*)\n(.*)\n\2\n/gm)];
      expect(found.map(([, name]) => name).sort()).toEqual(names);
      for (const [, , , value] of found) {
        expect(ended.stderr).toContain(`::add-mask::${value}\n`);
        expect(ended.stdout).not.toContain(value);
      }
    }),
  );

  test('is refused outside a job, before anything is written', () =>
    inSetting(KEYS, async ({ run, folder, writes }) => {
      const places = [{}, { ...inJob(folder), GITHUB_ACTIONS: '' }, inJob(join(folder, 'not'))];
      for (const env of places)
        expect(await run([...APPLY, '--secrets-to', 'github'], env)).toMatchObject({ code: 64 });
      expect(writes()).toEqual([]);
    }));

  test('adds nothing to a pipe, and follows no link', () =>
    inSetting(KEYS, async ({ run, folder, writes }) => {
      pipeOf(folder);
      await symlink('theirs', join(folder, 'link'));
      for (const name of ['theirs', 'link']) {
        const env = { ...inJob(folder), GITHUB_OUTPUT: join(folder, name) };
        const ended = await run([...APPLY, '--secrets-to', 'github'], env);
        expect(ended.stderr).toContain('the file of GITHUB_OUTPUT cannot be written');
        expect(ended.code).toBe(64);
      }
      expect(writes()).toEqual([]);
    }));

  test.runIf(mayGiveAway)('adds nothing to a file of another user, except of the runner', () =>
    inSetting(KEYS, async ({ run, folder, writes }) => {
      const temporary = join(folder, 'temporary');
      await mkdir(temporary);
      await writeFile(join(folder, 'output'), '');
      give(temporary, join(folder, 'output'));
      const ended = await run([...APPLY, '--secrets-to', 'github'], inJob(folder));
      expect(ended.stderr).toContain('it belongs to another user (uid 65534)');
      expect(ended.code).toBe(69);
      expect(writes()).toEqual([]);
      // As in the container of a job.
      const env = { ...inJob(folder), RUNNER_TEMP: temporary };
      expect(await run([...APPLY, '--secrets-to', 'github'], env)).toMatchObject({ code: 0 });
    }),
  );

  test('two secrets of one name are refused before anything is written', () =>
    inSetting(KEYS.replace('kiosk', 'ci-runners'), async ({ run, folder, writes }) => {
      await writeFile(join(folder, 'output'), '');
      const ended = await run([...APPLY, '--secrets-to', 'github'], inJob(folder));
      expect(ended).toMatchObject({ code: 6 });
      expect(ended.stderr).toContain('would all have the name `setup_key_ci_runners_key`');
      expect(writes()).toEqual([]);
    }));
});

test.each([
  ['gitlab', 'meshform.env'],
  ['gitlab:deploy.env', 'deploy.env'],
])('%s adds variables to a file for `artifacts: reports: dotenv`', (place, file) =>
  inSetting(KEYS, async ({ run, folder }) => {
    expect(await run([...APPLY, '--secrets-to', place])).toMatchObject({ code: 0 });
    const lines = (await readFile(join(folder, file), 'utf8')).trim().split('\n').sort();
    expect(lines).toEqual([
      expect.stringMatching(/^SETUP_KEY_CI_RUNNERS_KEY=[\w-]{16,}$/),
      expect.stringMatching(/^SETUP_KEY_KIOSK_KEY=[\w-]{16,}$/),
    ]);
    expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
  }),
);

describe('the current time', () => {
  const later = Date.parse('2026-02-01T00:00:00Z');
  const KEY = 'setup_keys: [{ name: kiosk, type: one-off, expires_in: 86400 }]';

  test('shows a plan and drift that a key has expired', () =>
    inSetting(KEY, async ({ run, account, folder }) => {
      await run([...APPLY, '--allow', 'REVEALS_SECRET']);
      for (const verb of ['plan', 'drift']) {
        const options = { cwd: folder, env: environmentOf(account) };
        const before = await meshform([verb, 'network'], options);
        expect(before.stderr).not.toContain('of no use any more');
        const { stderr } = await meshform([verb, 'network'], { ...options, now: later });
        expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
          'setup_key.kiosk can no longer be used: it expired on 2026-01-03',
        );
      }
    }));
});

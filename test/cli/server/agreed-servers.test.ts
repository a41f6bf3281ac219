// An address that only a file names gets the token once the user has agreed to it, at a terminal.
import { chmod, chown, mkdir, readdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { type CliOptions, type Ended, inFolder, meshform } from '../../support/cli.ts';
import { git } from '../../support/git.ts';
import { mayGiveAway, NEIGHBOUR } from '../../support/neighbour.ts';

let account: TestAccount;

beforeEach(async () => {
  account = await startAccount();
  onTestFinished(() => account.close());
});

interface Asked extends Ended {
  readonly questions: readonly string[];
  /** How many requests the server got. */
  readonly requests: number;
}

interface Ground {
  readonly folder: string;
  /** The folder of what meshform remembers about servers. */
  readonly notes: string;
  readonly run: (argv: readonly string[], options?: CliOptions) => Promise<Asked>;
}

const PLAN = ['plan', 'network'];

/** A folder of desired state whose project file names a server, and a user at a terminal who answers `yes`. */
const ground = (use: (ground: Ground) => Promise<void>): Promise<void> =>
  inFolder(async folder => {
    await mkdir(join(folder, 'network'));
    await writeFile(join(folder, 'network/groups.yaml'), 'groups: [{ name: engineers }]\n');
    await writeFile(join(folder, 'network/meshform.yaml'), `rate: 60000\nurl: ${account.url}\n`);
    await use({
      folder,
      notes: join(folder, 'state/meshform/servers'),
      run: async (argv, options = {}) => {
        const questions: string[] = [];
        const before = account.requests.length;
        const ended = await meshform(argv, {
          cwd: folder,
          answer: 'yes',
          isTerminal: true,
          onQuestion: question => questions.push(question),
          ...options,
          env: {
            XDG_STATE_HOME: join(folder, 'state'),
            MESHFORM_JOURNALS: '',
            MESHFORM_TOKEN: account.token,
            ...options.env,
          },
        });
        return { ...ended, questions, requests: account.requests.length - before };
      },
    });
  });

const REFUSED = { code: 6, requests: 0 };

test('a user is asked once about the server in the project file, with its place in the file', () =>
  ground(async ({ run }) => {
    const first = await run(PLAN);
    expect(first.code, first.stderr).toBe(0);
    expect(first.questions).toHaveLength(1);
    expect(first.questions[0]).toContain(account.url);
    expect(first.questions[0]).toContain('network/meshform.yaml:2:6');
    expect(await run(PLAN)).toMatchObject({ code: 0, questions: [] });
    expect(await run(['drift', 'network'])).toMatchObject({ code: 2, questions: [] });
    // A person reads the output of it elsewhere.
    expect(await run(PLAN, { isTerminal: false })).toMatchObject({ code: 0, questions: [] });
  }));

test.each([['no'], [''], ['y']])(
  'the answer %j sends nothing, and the user is asked again next time',
  answer =>
    ground(async ({ run }) => {
      for (const _ of [1, 2]) {
        const ended = await run(PLAN, { answer });
        expect(ended).toMatchObject(REFUSED);
        expect(ended.questions).toHaveLength(1);
      }
    }),
);

test('`--yes` does not answer the question about the server', () =>
  ground(async ({ run }) => {
    const ended = await run(['apply', 'network', '--yes'], { answer: 'no' });
    expect(ended).toMatchObject(REFUSED);
    expect(ended.questions).toHaveLength(1);
  }));

test.each([
  [['plan', 'network']],
  [['apply', 'network', '--yes']],
  [['drift', 'network']],
  [['export', '--check', 'network']],
  [['graph', '--live']],
  [['studio', '--live', '--port', '0', 'network']],
  [['api', 'call', 'listGroups']],
  [['events', 'audit']],
])('%j asks about the server before its first request', argv =>
  ground(async ({ folder, run }) => {
    await writeFile(join(folder, 'meshform.yaml'), `url: ${account.url}\n`);
    const ended = await run(argv, { answer: 'no' });
    expect(ended, ended.stderr).toMatchObject(REFUSED);
    expect(ended.questions).toHaveLength(1);
  }),
);

describe('no question about the server is asked, and nothing is sent,', () => {
  test.each<[string, CliOptions]>([
    ['in a pipeline that has a terminal', { env: { CI: 'true' } }],
    ['if stdout is no terminal', { isTerminal: false }],
  ])('%s', (_, options) =>
    ground(async ({ run }) => {
      expect(await run(PLAN, options)).toMatchObject({ code: 64, questions: [], requests: 0 });
    }),
  );

  test('a pipeline asks nothing and sends nothing, although the user has agreed before', () =>
    ground(async ({ run }) => {
      await run(PLAN);
      const env = { CI: 'true' };
      expect(await run(PLAN, { env })).toMatchObject({ code: 64, questions: [], requests: 0 });
    }));
});

describe('the user is asked about the server again', () => {
  const askedAgain = (change: (ground: Ground) => Promise<unknown>, argv = PLAN) =>
    ground(async place => {
      await place.run(PLAN);
      expect(await readdir(place.notes)).toHaveLength(1);
      await change(place);
      const ended = await place.run(argv, { answer: 'no' });
      expect(ended, ended.stderr).toMatchObject(REFUSED);
      expect(ended.questions).toHaveLength(1);
    });

  const noteIn = async ({ notes }: Ground) => join(notes, (await readdir(notes))[0] ?? '');

  test('the user is asked again for another server', () =>
    askedAgain(({ folder }) =>
      writeFile(
        join(folder, 'network/meshform.yaml'),
        `url: ${account.url.replace('127.0.0.1', 'localhost')}\n`,
      ),
    ));

  test('the user is asked again for another folder', () =>
    askedAgain(
      ({ folder }) => rename(join(folder, 'network'), join(folder, 'other')),
      ['plan', 'other'],
    ));

  test('the user is asked again if others can write to the note of the answer', () =>
    askedAgain(async place => chmod(await noteIn(place), 0o666)));

  test('the user is asked again if others can write to the folder of notes', () =>
    askedAgain(({ notes }) => chmod(notes, 0o777)));

  test('the user is asked again if the note is a link', () =>
    askedAgain(async place => {
      const note = await noteIn(place);
      await rename(note, `${place.folder}/moved`);
      await symlink(`${place.folder}/moved`, note);
    }));

  test('the user is asked again if the note is for another server', () =>
    askedAgain(async place => writeFile(await noteIn(place), '{}\n')));

  test('the user is asked again if git tracks the note', () =>
    askedAgain(async ({ folder }) => {
      git(folder, 'init', '-q');
      git(folder, 'add', '-A');
    }));

  test.runIf(mayGiveAway)('the user is asked again if the note belongs to another user', () =>
    askedAgain(async place => chown(await noteIn(place), NEIGHBOUR, NEIGHBOUR)),
  );
});

test('an answer that cannot be noted sends nothing', () =>
  ground(async ({ folder, run }) => {
    await writeFile(join(folder, 'state'), '');
    const ended = await run(PLAN);
    expect(ended).toMatchObject({ code: 69, requests: 0 });
    expect(ended.stderr).toContain('set MESHFORM_URL, or add --url');
  }));

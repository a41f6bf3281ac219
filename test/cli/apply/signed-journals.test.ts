// A journal decides what is sent, so it is believed only if a run with the same keys wrote it.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { type CliOptions, environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { signedJournal, unsignedJournal } from '../../support/signedJournal.ts';

const FILES = 'groups: [{ name: devs }]\nnetworks: [{ name: one }, { name: two }]\n';
const KEYS = { first: 'a first key of enough length', second: 'a second key of enough length' };

let account: TestAccount;

beforeEach(async () => {
  account = await startAccount();
  onTestFinished(() => account.close());
});

interface Place {
  readonly folder: string;
  readonly run: (argv: readonly string[], options?: CliOptions) => ReturnType<typeof meshform>;
  readonly lines: () => Promise<string[]>;
  readonly write: (lines: readonly string[]) => Promise<void>;
}

/** A folder with `run.jsonl`, the journal of an apply that did not complete: the server refused a network. */
const withJournal = (use: (place: Place) => Promise<void>, env: CliOptions['env'] = {}) =>
  inFolder(async folder => {
    await writeFile(join(folder, 'network.yaml'), FILES);
    const journal = join(folder, 'run.jsonl');
    const run: Place['run'] = (argv, options = {}) =>
      meshform(argv, {
        cwd: folder,
        ...options,
        env: { ...environmentOf(account), ...env, ...options.env },
      });
    const fault = { method: 'POST', path: '/api/networks', effect: 'status', status: 500 } as const;
    await account.fault({ ...fault, times: 9 });
    const words = ['apply', '.', '--yes', '--concurrency', '1', '--journal', 'run.jsonl'];
    expect(await run(words)).toMatchObject({ code: 4 });
    await account.control('DELETE', '/emulator/faults');
    await use({
      folder,
      run,
      lines: async () => (await readFile(journal, 'utf8')).trimEnd().split('\n'),
      write: lines => writeFile(journal, `${lines.join('\n')}\n`),
    });
  });

const RESUME = ['apply', '--resume', 'run.jsonl', '--yes'];
const UNDO = ['apply', '--undo', 'run.jsonl', '--yes', '--allow', 'DELETES_OBJECT'];

/** Expects that the journal is refused at this line, before any request. */
async function expectRefused({ run }: Place, line: number): Promise<void> {
  const before = account.requests.length;
  for (const argv of [RESUME, UNDO]) {
    const ended = await run(argv, { answer: 'yes' });
    expect(ended, ended.stderr).toMatchObject({ code: 6, stdout: '' });
    expect(ended.stderr).toContain(
      `line ${line} of the journal \`run.jsonl\` has no valid signature`,
    );
  }
  expect(account.requests).toHaveLength(before);
}

test('an unchanged journal is accepted by --resume', () =>
  withJournal(async ({ run, lines }) => {
    expect(await run(RESUME)).toMatchObject({ code: 0 });
    // The lines of the second run are signed too.
    expect((await lines()).every(line => line.includes('"hmac"'))).toBe(true);
    expect(await run(RESUME)).toMatchObject({ code: 0, stdout: '' });
  }));

describe('a journal is refused, and nothing is sent', () => {
  test('a journal of somebody with a different key is refused', () =>
    withJournal(async place => {
      await place.write(signedJournal(await place.lines(), 'nbp_somebodyElse'));
      await expectRefused(place, 1);
    }));

  test.each(['1.3', '1.9'])(
    'a journal without signatures that claims format %s is refused',
    format =>
      withJournal(async place => {
        const lines = unsignedJournal(await place.lines());
        await place.write(
          lines.map(line => line.replace('"format_version":"1.2"', `"format_version":"${format}"`)),
        );
        await expectRefused(place, 1);
      }),
  );

  test('a journal with a changed, removed, moved or repeated line is refused', () =>
    withJournal(async place => {
      const lines = await place.lines();
      const [head = '', second = '', third = '', ...rest] = lines;
      const edits: [readonly string[], number][] = [
        [[head, second.replace('"at":"1970', '"at":"1971'), third, ...rest], 2],
        [[head, third, ...rest], 2],
        [[head, third, second, ...rest], 2],
        [[head, second, second, third, ...rest], 3],
        [[head, second, third.replace(/"hmac":"[0-9a-f]+"/, '"hmac":""'), ...rest], 3],
        [[head, second, third.replace(/,"hmac":"[0-9a-f]+"/, ''), ...rest], 3],
        [[head.replace(/"run":"[^"]+"/, '"run":"x"'), second, third, ...rest], 1],
        [[head.replace(/"allow":\[\]/, '"allow":["DELETES_OBJECT"]'), second, ...rest], 1],
        [
          [...lines, '{"at":"1970-01-01T00:00:00.000Z","type":"close","complete":true}'],
          lines.length + 1,
        ],
      ];
      for (const [edited, line] of edits) {
        await place.write(edited);
        await expectRefused(place, line);
      }
    }));

  test('a journal with a line of another run of the same account is refused', () =>
    withJournal(async place => {
      const lines = await place.lines();
      const second = ['apply', '.', '--yes', '--concurrency', '1', '--journal', 'other.jsonl'];
      expect(await place.run(second)).toMatchObject({ code: 0 });
      const other = await readFile(join(place.folder, 'other.jsonl'), 'utf8');
      const [, ofOther = ''] = other.split('\n');
      await place.write([lines[0] ?? '', ofOther, ...lines.slice(2)]);
      await expectRefused(place, 2);
    }));

  test('a journal that somebody added to the folder is refused, although --resume takes it as the last one', () =>
    withJournal(async ({ folder, run, lines }) => {
      const env = { MESHFORM_JOURNALS: join(folder, 'journals') };
      await writeFile(join(folder, 'network.yaml'), `${FILES}routes: []\n`);
      expect(await run(['apply', '.', '--yes'], { env })).toMatchObject({ code: 0 });
      const [own = ''] = await readdir(env.MESHFORM_JOURNALS);
      const forged = signedJournal(await lines(), 'nbp_somebodyElse');
      await writeFile(join(env.MESHFORM_JOURNALS, own, 'x.jsonl'), `${forged.join('\n')}\n`);
      const before = account.requests.length;
      const ended = await run(['apply', '.', '--resume', '--yes'], { env });
      expect(ended, ended.stderr).toMatchObject({ code: 6, stdout: '' });
      expect(ended.stderr).toContain('x.jsonl` has no valid signature');
      expect(account.requests).toHaveLength(before);
    }));
});

describe('a journal of an older version, without signatures,', () => {
  const older = (use: (place: Place) => Promise<void>) =>
    withJournal(async place => {
      await place.write(unsignedJournal(await place.lines()));
      await use(place);
    });

  test.each([
    ['without a terminal, --yes or not', undefined],
    ['at a terminal whose user does not know it', 'no'],
  ])('is refused %s', (_, answer) =>
    older(async ({ run }) => {
      const before = account.requests.length;
      for (const argv of [RESUME, UNDO]) {
        const ended = await run(argv, answer === undefined ? {} : { answer });
        expect(ended, ended.stderr).toMatchObject({ code: 6, stdout: '' });
        expect(ended.stderr).toContain('is from an older version of meshform and has no signature');
      }
      expect(account.requests).toHaveLength(before);
    }),
  );

  test('is used at a terminal after a question at each run', () =>
    older(async ({ run, lines }) => {
      const questions: string[] = [];
      const onQuestion = (question: string) => void questions.push(question);
      expect(await run(RESUME, { answer: 'yes', onQuestion })).toMatchObject({ code: 0 });
      expect(questions).toEqual([expect.stringContaining('Did your own apply write it')]);
      expect((await lines()).join()).not.toContain('hmac');
      expect(await run(RESUME, { answer: 'no' })).toMatchObject({ code: 6 });
    }));
});

describe('the key that signs journals', () => {
  const withKey = (use: (place: Place) => Promise<void>) =>
    withJournal(use, { MESHFORM_SIGNING_KEY: KEYS.first });

  test('is the key of the environment if it is set, and then the token is not a key', () =>
    withKey(async place => {
      await expectRefused({ ...place, run: without(place, { MESHFORM_SIGNING_KEY: '' }) }, 1);
      const other = { MESHFORM_SIGNING_KEY: KEYS.second };
      await expectRefused({ ...place, run: without(place, other) }, 1);
      const both = { MESHFORM_SIGNING_KEY: `${KEYS.second},${KEYS.first}` };
      expect(await place.run(RESUME, { env: both })).toMatchObject({ code: 0 });
    }));

  test('can be replaced in the middle of a run: every line is verified with every key', () =>
    withKey(async place => {
      await account.fault({
        method: 'POST',
        path: '/api/networks',
        effect: 'status',
        status: 500,
        times: 9,
      });
      const both = { MESHFORM_SIGNING_KEY: `${KEYS.second},${KEYS.first}` };
      expect(await place.run(RESUME, { env: both })).toMatchObject({ code: 4 });
      await account.control('DELETE', '/emulator/faults');
      expect(await place.run(RESUME)).toMatchObject({ code: 6 });
      expect(await place.run(RESUME, { env: both })).toMatchObject({ code: 0 });
    }));

  test('cannot be the key of fingerprints, because plan jobs have that key', () =>
    withJournal(
      place =>
        expectRefused({ ...place, run: without(place, { MESHFORM_SIGNING_KEY: KEYS.first }) }, 1),
      { MESHFORM_FINGERPRINT_KEY: KEYS.first },
    ));

  test('stops every apply if it is only commas and spaces, and is not replaced by the token', () =>
    withJournal(async ({ run }) => {
      const before = account.requests.length;
      for (const argv of [RESUME, UNDO, ['apply', '.', '--yes']]) {
        const ended = await run(argv, { env: { MESHFORM_SIGNING_KEY: ' , ' } });
        expect(ended, ended.stderr).toMatchObject({ code: 64, stdout: '' });
        expect(ended.stderr).toContain('MESHFORM_SIGNING_KEY has no key');
      }
      expect(account.requests).toHaveLength(before);
    }));

  test('stops every apply before its first request if it can be guessed, and is not printed', () =>
    withJournal(async ({ run }) => {
      const before = account.requests.length;
      const env = { MESHFORM_SIGNING_KEY: `${KEYS.first},hush-hush` };
      for (const argv of [RESUME, UNDO, ['apply', '.', '--yes']]) {
        const ended = await run(argv, { env });
        expect(ended, ended.stderr).toMatchObject({ code: 64, stdout: '' });
        expect(ended.stderr).toContain(
          'a key in MESHFORM_SIGNING_KEY has fewer than 16 characters',
        );
        expect(ended.stderr).not.toMatch(/hush-hush|a first key/);
      }
      expect(account.requests).toHaveLength(before);
    }));
});

const without =
  ({ run }: Place, env: Readonly<Record<string, string>>): Place['run'] =>
  (argv, options = {}) =>
    run(argv, { ...options, env });

test.each(['--allow', '--digest'])(
  'a resume with %s requires that its hazards are allowed again, or the digest of the approved plan',
  how =>
    withJournal(async ({ folder, run }) => {
      expect(await run(RESUME)).toMatchObject({ code: 0 });
      await writeFile(
        join(folder, 'network.yaml'),
        'groups: [{ name: devs }]\nnetworks: [{ name: one }]\n',
      );
      await account.fault({
        method: 'DELETE',
        path: '/api/networks/*',
        effect: 'status',
        status: 500,
        times: 99,
      });
      const allowed = ['--prune', 'unmanaged', '--allow', 'DELETES_OBJECT'];
      const first = await run(['apply', '.', '--yes', '--journal', '2.jsonl', ...allowed]);
      expect(first, first.stderr).toMatchObject({ code: 4 });
      await account.control('DELETE', '/emulator/faults');
      const before = account.requests.filter(({ method }) => method !== 'GET').length;
      const resume = ['apply', '--resume', '2.jsonl', '--yes'];
      const again = await run(resume);
      expect(again, again.stderr).toMatchObject({ code: 6 });
      expect(again.stderr).toContain('add --allow DELETES_OBJECT');
      expect(account.requests.filter(({ method }) => method !== 'GET')).toHaveLength(before);
      const other = [
        ...resume,
        '--digest',
        `sha256:${'0'.repeat(64)}`,
        '--allow',
        'DELETES_OBJECT',
      ];
      expect(await run(other)).toMatchObject({ code: 6 });
      const [head = '{}'] = (await readFile(join(folder, '2.jsonl'), 'utf8')).split('\n');
      const { plan_digest: digest } = JSON.parse(head);
      const words = how === '--allow' ? ['--allow', 'DELETES_OBJECT'] : ['--digest', digest];
      expect(await run([...resume, ...words])).toMatchObject({ code: 0 });
    }),
);

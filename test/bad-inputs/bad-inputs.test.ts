// Bad input of every sort ends with its exit code, with a sentence and what to do next; without a stack trace, a secret,
// a file that was not asked for, or a write to the account.
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAccount, type TestAccount } from '../support/account.ts';
import { environmentOf, inFolder, meshform } from '../support/cli.ts';
import { startBetween } from './between.ts';
import { COMMAND_LINES } from './command-lines.ts';
import { FILES } from './files.ts';
import { makeGood } from './good.ts';
import { JOURNALS } from './journals.ts';
import { PLANS } from './plans.ts';
import { PLANTED_ENV, PLANTED_FILES, secretsIn } from './planted.ts';
import { type Good, makeFiles, type Place, type Row } from './row.ts';
import { SERVERS } from './servers.ts';
import { changedPaths, contentsOf } from './traces.ts';

const SUBJECTS: Readonly<Record<string, readonly Row[]>> = {
  files: FILES,
  'command lines': COMMAND_LINES,
  plans: PLANS,
  journals: JOURNALS,
  servers: SERVERS,
};

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));

let account: TestAccount;
let good: Good;

beforeAll(async () => {
  account = await startAccount();
  good = await makeGood(account);
}, 60_000);
afterAll(() => account.close());

/** Runs a row in a folder of its own, which is `work` of a folder with secrets in it. */
async function ended(row: Row, around: string) {
  const cwd = join(around, 'work');
  await mkdir(cwd);
  for (const [path, text] of Object.entries(PLANTED_FILES)) {
    await mkdir(dirname(join(around, path)), { recursive: true });
    await writeFile(join(around, path), text);
  }
  await mkdir(join(around, 'journals'));
  await writeFile(join(around, 'journals/.gitignore'), '*\n');
  const place: Place = { cwd, account, good };
  await makeFiles(row, place);
  const between = row.server ? await startBetween(row.server, account.url) : undefined;
  const env = {
    ...environmentOf(account),
    ...PLANTED_ENV,
    MESHFORM_JOURNALS: join(around, 'journals'),
    ...(between && { MESHFORM_URL: between.url }),
    ...row.env,
  };
  const argv = typeof row.argv === 'function' ? row.argv(place) : row.argv;
  const stdin = typeof row.stdin === 'function' ? row.stdin(place) : row.stdin;
  const before = await contentsOf(around);
  const writesBefore = writesOf(account);
  try {
    const run = await meshform(argv, {
      cwd,
      env: withoutUndefined(env),
      ...(stdin !== undefined && { stdin }),
      ...(row.answer !== undefined && { answer: row.answer }),
    });
    const allowed = ['journals', ...(row.leaves ?? []).map(path => `work/${path}`)];
    const changed = changedPaths(before, await contentsOf(around), allowed);
    const writes = writesOf(account) - writesBefore;
    return { ...run, changed, writes, writesAfter: between?.writesAfter ?? [] };
  } finally {
    await between?.close();
  }
}

const writesOf = ({ requests }: TestAccount): number =>
  requests.filter(({ method }) => method !== 'GET').length;

const withoutUndefined = (env: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  ) as Record<string, string>;

/** The text of all that a command has left: what it said, and every small file that is new or could be. */
async function leftBy(row: Row, around: string): Promise<string> {
  const places = [
    join(around, 'journals'),
    ...(row.leaves ?? []).map(p => join(around, 'work', p)),
  ];
  const texts = await Promise.all(places.map(textBelow));
  return texts.join('\n');
}

async function textBelow(path: string): Promise<string> {
  const stats = await stat(path).catch(() => undefined);
  if (stats?.isFile()) return readFile(path, 'latin1');
  if (!stats?.isDirectory()) return '';
  const texts = (await readdir(path)).map(name => textBelow(join(path, name)));
  return (await Promise.all(texts)).join('\n');
}

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

/** A sentence with a fault: an error of a command, or a finding or failed action with its code. */
const SENTENCE = /^(?:Error|Unknown): \S|\berror [A-Z]+_[A-Z_]+|\b[A-Z]+_[A-Z_]+\b/m;

const TRACE = /^\s+at \S.*[:(]|node:internal|An unexpected error occurred|a bug in meshform/m;

/** What is wrong with how a row ended, in words. */
async function problems(row: Row, around: string): Promise<string[]> {
  const run = await ended(row, around);
  const { stdout, stderr } = run;
  const all = `${stdout}\n${stderr}`;
  const said = onOneLine(all);
  const help = onOneLine(helpIn(all));
  const found = secretsIn(`${all}\n${await leftBy(row, around)}`, [
    account.token,
    ...(row.secrets ?? []),
  ]);
  return [
    ...(run.code === row.code ? [] : [`exit code ${run.code}, not ${row.code}`]),
    ...(SENTENCE.test(all) ? [] : ['no sentence with a fault']),
    ...(said.includes(row.says) ? [] : [`does not say ${row.says}`]),
    ...(help === '' ? ['no help'] : []),
    ...(help.includes(row.help) ? [] : [`the help does not mention ${row.help}`]),
    ...(TRACE.test(all) || all.includes(REPOSITORY) ? ['a stack trace'] : []),
    ...found.map(secret => `the secret ${secret}`),
    ...run.changed.map(path => `changed ${path}`),
    ...(run.writes === (row.writes ?? 0) ? [] : [`${run.writes} writes`]),
    ...run.writesAfter.slice(row.repeats ?? 0).map(write => `${write} after the fault`),
    ...(stderr.length < 20_000 ? [] : [`${stderr.length} characters on stderr`]),
  ].map((problem, i) => (i === 0 ? `${problem}\n${all.slice(0, 3000)}` : problem));
}

/** The lines of help: hints, as far as they are indented. */
const helpIn = (text: string): string =>
  [...text.matchAll(/^ *hint: .*(?:\n {4,}.*)*/gm)].map(([hint]) => hint).join(' ');

for (const [subject, rows] of Object.entries(SUBJECTS))
  describe(subject, () => {
    for (const row of rows)
      test(`${row.title}`, () =>
        inFolder(async around => {
          expect((await problems(row, around)).join('\n')).toBe('');
        }));
  });

test('there are at least 250 bad inputs, all with different names', () => {
  const titles = Object.entries(SUBJECTS).flatMap(([subject, rows]) =>
    rows.map(({ title }) => `${subject}: ${title}`),
  );
  expect(new Set(titles).size).toBe(titles.length);
  expect(titles.length).toBeGreaterThanOrEqual(250);
});

// Every row of a table has a test and a place on a page. Formats and flags are walked here. The others have tests of their own: codes and
// lints `codes.test.ts` and `docs.test.ts`, kinds `kinds/` and `wire/`, operations `contract/`. BLESS=1 writes the table of formats.
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Io } from '../src/cli/io.ts';
import { buildProgram } from '../src/cli/program.ts';
import { startAccount } from './support/account.ts';
import { environmentOf, inFolder, meshform } from './support/cli.ts';
import { git } from './support/git.ts';

const program = buildProgram({ io: {} as Io, version: '', finish: () => {}, run: async () => 0 });

/** The commands that can be run, each by its words. */
const commands = (command: Command, words: readonly string[] = []): [string, Command][] => [
  ...(words.length > 0 ? [[words.join(' '), command] as [string, Command]] : []),
  ...command.commands.flatMap(inner => commands(inner, [...words, inner.name()])),
];

/** Each format of each command. */
const formats = commands(program).flatMap(([words, { options }]) =>
  (options.find(({ long }) => long === '--format')?.argChoices ?? []).map(
    format => [words, format] as const,
  ),
);

interface Form {
  /** What the page says of it. */
  readonly is: string;
  /** Whether an output has the form. */
  readonly has: (stdout: string) => boolean;
}

const isJson = (text: string): boolean => {
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
};
const areJson = (text: string): boolean =>
  text
    .split('\n')
    .filter(line => line !== '')
    .every(isJson);

/** The form of each format, by its name. */
const FORMS: Readonly<Record<string, Form>> = {
  text: { is: 'for people', has: text => text !== '' && !isJson(text) },
  json: { is: 'one JSON document', has: isJson },
  jsonl: { is: 'one JSON document on each line, as it happens', has: areJson },
  ndjson: { is: 'one JSON document on each line', has: areJson },
  markdown: { is: 'Markdown, for a file or a summary of a job', has: text => /^[#*|]/m.test(text) },
  comment: {
    is: 'Markdown that fits a comment on a pull request',
    has: text => text.startsWith('<!-- meshform') && text.length < 65_536,
  },
  junit: {
    is: 'JUnit XML, for the test report of a CI system',
    has: text => text.startsWith('<?xml') && /<testsuites?[ >]/.test(text),
  },
  sarif: {
    is: 'SARIF 2.1.0, for code scanning',
    has: text => isJson(text) && Object(JSON.parse(text)).version === '2.1.0',
  },
  yaml: {
    is: 'YAML, one file of desired state',
    has: text => !areJson(text) && Object(parse(text)).groups?.length > 0,
  },
  csv: { is: 'comma-separated values, with a header', has: text => /^\w+(,\w+)+\r?\n/.test(text) },
  graphml: {
    is: 'GraphML, for graph tools',
    has: text => /^<\?xml [^\n]*\n<graphml /.test(text) && text.endsWith('</graphml>\n'),
  },
  table: { is: 'a table for a terminal', has: text => text !== '' && !areJson(text) },
  mermaid: { is: 'a Mermaid diagram', has: text => /^(?:flowchart|graph) /m.test(text) },
  dot: { is: 'a graph for Graphviz', has: text => /^digraph /m.test(text) },
  html: { is: 'a page, one file', has: text => text.startsWith('<!doctype html>') },
  svg: { is: 'an SVG image', has: text => /^<svg /m.test(text) },
};

/** What follows the words of a command, or of a command in a format, if it needs arguments. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  access: ['to', 'group/servers'],
  'access ndjson': ['--state', 'state.json'],
  'plan check': ['plan.json'],
  show: ['plan.json'],
  apply: ['--yes', '--lock', 'file'],
  expire: ['--yes'],
  'fleet list': ['../fleet'],
  'fleet validate': ['../fleet'],
  'fleet test': ['../fleet'],
  'fleet drift': ['../fleet'],
  'fleet plan': ['../fleet'],
  'fleet status': ['../fleet'],
  'fleet compare': ['--baseline', '--fleet', '../fleet'],
  explain: ['group'],
  'api describe': ['createGroup'],
  'api call': ['listGroups'],
};

const NETWORK = `groups: [{ name: staff }, { name: servers }]
policies: [{ name: web, rules: [{ name: r, sources: [staff], destinations: [servers], protocol: tcp, ports: ["443"] }] }]
`;

const FLEET = `accounts: [{ name: one, credentials: one, layers: [one] }]
waves: [{ bake: 1h }]
`;

/** A fleet of one account with an open rollout, in a clone beside the files of the other commands. */
async function fleetBeside(folder: string, env: Readonly<Record<string, string>>): Promise<void> {
  const cwd = join(folder, 'fleet');
  const fleet = (...words: string[]) => meshform(['fleet', ...words], { cwd, env });
  await mkdir(join(cwd, 'one'), { recursive: true });
  await writeFile(join(cwd, 'fleet.yaml'), FLEET);
  await writeFile(join(cwd, 'one', 'network.yaml'), 'groups: [{ name: fleet }]\n');
  git(cwd, 'init', '--quiet', '--initial-branch=main');
  git(cwd, 'remote', 'add', 'origin', join(folder, 'remote.git'));
  git(cwd, 'add', '.');
  git(cwd, 'commit', '--quiet', '--message', 'fleet');
  await fleet('plan', '--out', 'plans');
  await fleet('apply', 'plans', '--yes');
}

describe('every format of a command', () => {
  const printed = new Map<string, string>();
  beforeAll(async () => {
    const account = await startAccount();
    await inFolder(async folder => {
      const cwd = join(folder, 'network');
      await mkdir(cwd);
      const [all] = [await account.call('GET', '/api/groups')].flat();
      await writeFile(join(cwd, 'meshform.yaml'), `account: ${Object(all).id}\n`);
      await writeFile(join(cwd, 'network.yaml'), NETWORK);
      const remote = join(folder, 'remote.git');
      git(folder, 'init', '--quiet', '--bare', remote);
      git(cwd, 'init', '--quiet', '--initial-branch=main');
      git(cwd, 'remote', 'add', 'origin', remote);
      const credentials = join(folder, 'credentials.yaml');
      await writeFile(credentials, `one: { url: "${account.url}", token: "${account.token}" }\n`);
      const env = {
        ...environmentOf(account),
        PATH: process.env.PATH ?? '',
        MESHFORM_FLEET_CREDENTIALS: credentials,
        MESHFORM_SIGNING_KEY: 'k'.repeat(32),
      };
      git(cwd, 'add', '.');
      git(cwd, 'commit', '--quiet', '--message', 'network');
      git(cwd, 'push', '--quiet', 'origin', 'main');
      await meshform(['apply', '--yes', '--record-base'], { cwd, env });
      await account.call('POST', '/api/groups', { name: 'by hand' });
      await writeFile(join(cwd, 'more.yaml'), 'groups: [{ name: guests }]\n');
      await meshform(['plan', '--out', 'plan.json'], { cwd, env });
      await meshform(['export', '--state', 'state.json'], { cwd, env });
      await fleetBeside(folder, env);
      for (const [words, format] of formats) {
        const argv = [
          ...words.split(' '),
          ...(ARGUMENTS[`${words} ${format}`] ?? ARGUMENTS[words] ?? []),
          '--format',
          format,
        ];
        const onDocument = (_: string, interrupt: (signal: 'SIGINT') => void) =>
          words === 'emulator' ? interrupt('SIGINT') : undefined;
        const { stdout, stderr } = await meshform(argv, { cwd, env, onDocument });
        printed.set(`${words} ${format}`, stdout || (stderr && `stderr: ${stderr}`));
      }
    });
    await account.close();
    // Each command in each format, which takes long beside other work.
  }, 300_000);

  test.for(formats)('%s --format %s has its form', ([words, format]) => {
    const output = printed.get(`${words} ${format}`) ?? '';
    const form = FORMS[format];
    expect(form, `FORMS has no ${format}`).toBeDefined();
    expect(form?.has(output), output).toBe(true);
  });
});

test('every format of a command is in the table of docs/commands.md', async () => {
  const page = new URL('../docs/commands.md', import.meta.url);
  const before = await readFile(page, 'utf8');
  const rows = Object.entries(FORMS).map(([format, { is }]) => {
    const own = formats.filter(([, name]) => name === format).map(([words]) => `\`${words}\``);
    return `| \`${format}\` | ${is} | ${own.join(', ')} |\n`;
  });
  const table = `| format | what it is | commands |\n|---|---|---|\n${rows.join('')}`;
  const fresh = before.replace(
    /(<!-- formats:begin -->\n)[\s\S]*?(<!-- formats:end -->)/,
    (_, begin: string, end: string) => `${begin}${table}${end}`,
  );
  if (process.env.BLESS === '1') await writeFile(page, fresh);
  else expect(before, 'npm run bless writes it').toBe(fresh);
  expect(fresh).toContain(table);
});

test('every flag of a command is given in a test', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true }).map(String);
  const texts = files
    .filter(name => name.endsWith('.test.ts') && name !== 'tables.test.ts')
    .map(name => readFileSync(join(import.meta.dirname, name), 'utf8'));
  const flags = commands(program).flatMap(([, { options }]) =>
    options.flatMap(({ long, hidden }) => (hidden || !long ? [] : [long])),
  );
  const isGiven = (flag: string) => {
    const quoted = new RegExp(`['"\` ]${flag}(?![\\w-])`);
    return texts.some(text => quoted.test(text));
  };
  expect([...new Set(flags)].filter(flag => !isGiven(flag))).toEqual([]);
});

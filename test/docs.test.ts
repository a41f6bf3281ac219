// What the documentation says is so: tables come from the code, outputs are real. BLESS=1 writes them anew.
import { execFileSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { EXIT_MEANING } from '../src/cli/exitCodes.ts';
import type { Io } from '../src/cli/io.ts';
import { buildProgram } from '../src/cli/program.ts';
import { MISS_CODES } from '../src/model/access/planAccess.ts';
import { DIAGNOSTIC_CODES, FAULT_CODES, HAZARD_CODES, LINT_CODES } from '../src/model/codes.ts';
import { GENERATED, PAGES, textOf } from './docs/blocks.ts';
import { meshform } from './support/cli.ts';
import { everyCommand, flagsOf } from './support/project/manPage.ts';
import { sources } from './support/project/sources.ts';

const fileAt = (path: string) => new URL(`../${path}`, import.meta.url);
const isBlessing = process.env.BLESS === '1';

/** Flags of git that pages name. */
const OF_GIT: ReadonlySet<string> = new Set(['--filter']);

/** Expects the part of docs/commands.md between its two marks to be `part`. */
async function expectPart(name: string, part: string): Promise<void> {
  const page = await readFile(fileAt('docs/commands.md'), 'utf8');
  const marked = new RegExp(`(<!-- ${name}:begin -->\n)[\\s\\S]*?(<!-- ${name}:end -->)`);
  const fresh = page.replace(marked, (_, begin: string, end: string) => `${begin}${part}${end}`);
  if (isBlessing) await writeFile(fileAt('docs/commands.md'), fresh);
  else expect(page, 'npm run bless writes it').toBe(fresh);
}

test('every command line on a page is valid', async () => {
  const program = buildProgram({ io: {} as Io, version: '', finish: () => {}, run: async () => 0 });
  const pages = await Promise.all(PAGES.map(page => readFile(fileAt(page), 'utf8')));
  const code = pages.flatMap(page => [
    ...[...page.matchAll(/^```(?:sh|yaml)\n(.*?)^```/gms)].map(([, block = '']) =>
      block.replaceAll(/(?<=\s)# .*$/gm, '').replaceAll(/\n\s+--/g, ' --'),
    ),
    ...[...page.matchAll(/(?<!`)`(meshform [^`\n]+)`(?!`)/g)].map(([, inline = '']) => inline),
  ]);
  const lines = code.flatMap(text => [...text.matchAll(/meshform(?:\.js)? ([a-z]+)(.*)$/gm)]);
  expect(lines.length).toBeGreaterThan(120);
  const commandsOf = (command: Command): Command[] => [
    command,
    ...command.commands.flatMap(commandsOf),
  ];
  for (const [line, name = '', rest = ''] of lines) {
    const command = program.commands.find(known => known.name() === name);
    const flags = command ? commandsOf(command).flatMap(({ options }) => options) : [];
    const written = [...rest.matchAll(/ (--[a-z-]+)/g)].map(([, flag]) => flag);
    expect(command, line).toBeDefined();
    expect(
      written.filter(flag => flag !== '--help' && !flags.some(({ long }) => long === flag)),
      line,
    ).toEqual([]);
  }
});

test('the first command of the README prints no warning about the version of Node that it replaces', () => {
  const { PATH = '' } = process.env;
  const level = execFileSync('npm', ['config', 'get', 'loglevel'], {
    cwd: fileURLToPath(fileAt('.')),
    env: { PATH },
  });
  expect(level.toString()).toBe('error\n');
});

test('examples/README.md counts the objects of the company as its files declare them', async () => {
  const page = await readFile(fileAt('examples/README.md'), 'utf8');
  const folder = fileAt('examples/company/');
  const names = (await readdir(folder, { recursive: true })).filter(name => name.endsWith('.yaml'));
  const files = names.map(name => readFile(new URL(name, folder), 'utf8'));
  const documents = (await Promise.all(files)).map(text => parse(text) as Record<string, unknown>);
  const counts = ['groups', 'networks', 'policies', 'routes'].map(key => {
    const lists = documents.flatMap(document => document[key] ?? []);
    return `${lists.length} ${key}`;
  });
  expect(page.replaceAll('\n', ' ').replaceAll(/ +/g, ' ')).toContain(counts.join(', '));
});

test('no page installs meshform from a registry by its name, which belongs to nobody there', async () => {
  const pages = await Promise.all(PAGES.map(page => readFile(fileAt(page), 'utf8')));
  const byName =
    /\bnpx (?!--no-install)(?:--\S+ )*meshform\b|\b(?:npm|pnpm|yarn) (?:i|install|add|exec|x|dlx)(?: -\S+)* meshform\b/g;
  expect(pages.flatMap(page => page.match(byName) ?? [])).toEqual([]);
});

test('the map has every room, and no other', async () => {
  const rooms = await readdir(fileAt('src'), { withFileTypes: true });
  const map = await readFile(fileAt('src/README.md'), 'utf8');
  const generated = [...map.matchAll(/^\| `([a-z]+)\/` \|/gm)].map(([, room]) => room);
  const built = rooms.filter(room => room.isDirectory()).map(({ name }) => name);
  expect(generated.sort()).toEqual(built.sort());
});

describe('pages that people write', () => {
  const written = PAGES.filter(page => page !== 'CHANGELOG.md' && !GENERATED.includes(page));
  const text = written.map(textOf).join('\n');
  const unnamed = (names: Iterable<string>) =>
    [...new Set(names)].filter(name => !new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(text));
  const program = buildProgram({ io: {} as Io, version: '', finish: () => {}, run: async () => 0 });
  const all = everyCommand(program);

  test('name every flag of a command', () => {
    const flags = all.flatMap(flagsOf).flatMap(({ long }) => long ?? []);
    expect(unnamed(flags)).toEqual([]);
  });

  test('name every environment variable that the code reads', () => {
    // The variables of `${var:NAME}` have the names that files give them.
    const named = /\bMESHFORM_(?!VAR_)[A-Z_]+/g;
    const variables = sources.flatMap(({ code }) => code.match(named) ?? []);
    expect(variables).toContain('MESHFORM_TOKEN');
    expect(unnamed(variables)).toEqual([]);
  });

  test('name no flag and no code that does not exist', () => {
    const flags = new Set(all.flatMap(({ options }) => options.map(({ long }) => long)));
    const said = [...text.matchAll(/`(--[a-z][a-z-]*)/g)].map(([, flag = '']) => flag);
    expect(said.filter(flag => !flags.has(flag) && !OF_GIT.has(flag))).toEqual([]);
    const allowed = [...text.matchAll(/--allow[ =]([A-Z][A-Z0-9_]+)/g)].map(
      ([, code = '']) => code,
    );
    expect(allowed.length).toBeGreaterThan(10);
    expect(allowed.filter(code => code !== 'CODE' && !(code in HAZARD_CODES))).toEqual([]);
  });
});

describe('docs/commands.md', () => {
  test('lists every command', async () => {
    const { commands } = buildProgram({
      io: {} as Io,
      version: '',
      finish: () => {},
      run: async () => 0,
    });
    const usage = (command: Command) =>
      `${command.name()} ${command.usage().replace('[options] ', '').replace('[options]', '')}`.trim();
    // A hidden command has no description: it is for the shells.
    const shown = commands.filter(command => command.description() !== '');
    const rows = shown.map(command => `| \`${usage(command)}\` | ${command.description()} |\n`);
    await expectPart('commands', `| command | what it does |\n|---|---|\n${rows.join('')}`);
  });

  test('lists every exit code', async () => {
    const rows = Object.entries(EXIT_MEANING).map(
      ([code, meaning]) => `| ${code} | ${meaning} |\n`,
    );
    await expectPart('exit-codes', `| code | meaning |\n|---|---|\n${rows.join('')}`);
  });
});

test('the README names the reason for every dependency', async () => {
  const page = await readFile(fileAt('README.md'), 'utf8');
  const { dependencies, devDependencies } = JSON.parse(
    await readFile(fileAt('package.json'), 'utf8'),
  );
  const types = (name: string) => name.startsWith('@types/');
  const unnamed = [...Object.keys(dependencies), ...Object.keys(devDependencies)].filter(
    name => !types(name) && !page.includes(`https://www.npmjs.com/package/${name})`),
  );
  expect(unnamed).toEqual([]);
});

test('docs/desired-state.md lists every key of the project file, and every entry of lifecycle', async () => {
  const page = await readFile(fileAt('docs/desired-state.md'), 'utf8');
  const rowsFor = async (schema: string, end: string) =>
    Object.keys(JSON.parse(await readFile(fileAt(`schemas/${schema}`), 'utf8')).properties).map(
      key => `| \`${key}${end}`,
    );
  const rows = [
    ...(await rowsFor('project.schema.json', '` |')),
    ...(await rowsFor('lifecycle.schema.json', ': ')),
  ];
  expect(rows.filter(row => !page.includes(row))).toEqual([]);
});

test('docs/access.md lists every reason for missing access', async () => {
  const page = await readFile(fileAt('docs/access.md'), 'utf8');
  for (const [code, meaning] of Object.entries(MISS_CODES))
    expect(page).toContain(`| \`${code}\` | ${meaning} |\n`);
});

test('docs/lints.md lists every lint, in the order of docs/codes.md', async () => {
  const listed = [
    ...(await readFile(fileAt('docs/lints.md'), 'utf8')).matchAll(/^\| `([A-Z_]+)` \|/gm),
  ];
  expect(listed.map(([, code]) => code)).toEqual(Object.keys(LINT_CODES));
});

test('docs/codes.md lists every code', async () => {
  const table = (codes: Readonly<Record<string, string>>) =>
    Object.entries(codes)
      .map(([code, meaning]) => `| \`${code}\` | ${meaning} |\n`)
      .join('');
  const fresh = `# Codes

Codes are never renamed. Scripts may rely on them.

## Findings

Errors stop a run before anything is written; warnings and notes do not.

| code | meaning |
|---|---|
${table(DIAGNOSTIC_CODES)}
## Lints

What \`validate --lint\` finds in valid files: warnings, or errors with \`--strict\`. [Lints](lints.md) says how to silence a lint.

| code | meaning |
|---|---|
${table(LINT_CODES)}
## Hazards

An apply refuses a plan with a hazard that nobody accepted. \`--allow CODE\` accepts it for every object, \`--allow CODE=kind/name\`
accepts it for one object, and \`allow:\` in \`meshform.yaml\` accepts it in every run.

| code | meaning |
|---|---|
${table(HAZARD_CODES)}
## Failed calls

In the report of an apply, each action that failed has one of these codes, or \`PLAN_STALE\` or \`SECRET_UNDEFINED\`.

| code | meaning |
|---|---|
${table(FAULT_CODES)}`;
  if (isBlessing) await writeFile(fileAt('docs/codes.md'), fresh);
  else
    expect(await readFile(fileAt('docs/codes.md'), 'utf8'), 'npm run bless writes it').toBe(fresh);
});

test('docs/kinds.md is the output of `explain`', async () => {
  const { stdout: fresh } = await meshform(['explain', '--all', '--format', 'markdown']);
  if (isBlessing) await writeFile(fileAt('docs/kinds.md'), fresh);
  else
    expect(await readFile(fileAt('docs/kinds.md'), 'utf8'), 'npm run bless writes it').toBe(fresh);
});

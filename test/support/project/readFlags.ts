// Which flags a command reads, as the type checker sees it: in a copy of `src` the members of the types of flags have another name,
// and each read of a flag is then an error.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importsOf, type Source, sources } from './sources.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** An interface, up to the `}` at the beginning of a line. */
const INTERFACE = /^(?:export )?interface (\w+)(?:\s+extends ([^{]+?))? \{\n[\s\S]*?^\}/gm;

/** By file, the names of the flags that it reads, of any command. */
export function flagReads(): ReadonlyMap<string, ReadonlySet<string>> {
  const folder = mkdtempSync(join(tmpdir(), 'meshform-flags-'));
  try {
    cpSync(join(ROOT, 'src'), join(folder, 'src'), { recursive: true });
    cpSync(join(ROOT, 'tsconfig.json'), join(folder, 'tsconfig.json'));
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), readFileSync(join(ROOT, 'package.json')));
    const types = flagTypes();
    for (const source of sources) {
      const renamed = withRenamedFlags(source, types);
      if (renamed !== source.text) writeFileSync(join(folder, 'src', source.path), renamed);
    }
    return readsIn(complaintsOf(folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The interfaces whose names end in `Flags` or `Flag`, and those that they extend. */
function flagTypes(): ReadonlySet<string> {
  const all = sources.flatMap(({ text }) => [...text.matchAll(INTERFACE)]);
  const bases = (name: string): string[] =>
    all
      .filter(([, own]) => own === name)
      .flatMap(([, , extended = '']) => extended.match(/[A-Z]\w+/g) ?? []);
  const found = new Set(all.flatMap(([, name = '']) => (/Flags?$/.test(name) ? [name] : [])));
  for (const name of found) for (const base of bases(name)) found.add(base);
  return found;
}

/** By name, the subcommands in a file of `cli/commands`, with the members of the types of flags that their actions take. */
export function actionFlags(file: string): ReadonlyMap<string, ReadonlySet<string>> {
  const { code = '' } = sources.find(({ path }) => path === file) ?? {};
  const [, ...commands] = code.split(/\.command\('/);
  return new Map(
    commands.map(text => {
      const [name = ''] = text.split(/'|\s/);
      const [, parameters = ''] = /\.action\(\s*async \((.*)\) =>/.exec(text) ?? [];
      return [name, new Set(membersIn(parameters))];
    }),
  );
}

/** The members that a type has itself, and those of the interfaces that it names. */
function membersIn(type: string): readonly string[] {
  const own = [...type.matchAll(/\breadonly (\w+)\??:/g)].map(([, name = '']) => name);
  const named = sources.flatMap(({ text }) =>
    [...text.matchAll(INTERFACE)].filter(([, name]) =>
      type.match(/\b[A-Z]\w+/g)?.includes(name ?? ''),
    ),
  );
  return own.concat(
    named.flatMap(([block, , bases = '']) => {
      const [, ...lines] = block.split('\n');
      const members = [...lines.join('\n').matchAll(/^ {2}readonly (\w+)\??:/gm)];
      return [...members.map(([, name = '']) => name), ...membersIn(bases)];
    }),
  );
}

function withRenamedFlags({ text, path }: Source, types: ReadonlySet<string>): string {
  const renamed = (block: string) =>
    block.replaceAll(/(?<=\breadonly )(\w+)(\??):/g, '$1__of_flags$2:');
  const isCommand = path.startsWith('cli/commands/');
  return text
    .replaceAll(INTERFACE, (block, name: string) => (types.has(name) ? renamed(block) : block))
    .replaceAll(/\.action\(.*/g, line => (isCommand ? renamed(line) : line));
}

function complaintsOf(folder: string): string {
  const checker = join(ROOT, 'node_modules/typescript/bin/tsc');
  const args = [checker, '--noEmit', '--pretty', 'false', '--noErrorTruncation', '-p', folder];
  return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 })
    .stdout;
}

/** Reads of a property that does not exist, and of one that a function requires. */
const READ =
  /^src\/(.*?\.ts)\(\d+,\d+\): error (?:TS2339|TS2551|TS2344): .*$|^src\/(.*?\.ts)\(.*(?:\n .*)*?\n +Property '(\w+)' is missing in .*$/gm;

function readsIn(complaints: string): ReadonlyMap<string, ReadonlySet<string>> {
  const reads = new Map<string, Set<string>>();
  for (const [line, reading, passing, required] of complaints.matchAll(READ)) {
    const names = required === undefined ? [...line.matchAll(/['"](\w+)['"]/g)] : [['', required]];
    const file = reading ?? passing ?? '';
    const known = reads.get(file) ?? new Set<string>();
    for (const [, name = ''] of names) known.add(name);
    reads.set(file, known);
  }
  return reads;
}

/** A file and all that it imports, directly or through others. */
export function importedBy(file: string): ReadonlySet<string> {
  const imports = new Map(sources.map(source => [source.path, importsOf(source)]));
  const all = new Set([file]);
  for (const path of all) for (const to of imports.get(path) ?? []) all.add(to);
  return all;
}

// The rooms of src: which room may import which, what pure rooms may not touch, and which names of the API no code repeats.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readKinds } from '../src/kinds/registry.ts';
import { isList, isObject, type Json } from '../src/model/value.ts';
import { againstOrder, orderIn, readmeOf, roomsWithFolders } from './support/project/roomOrder.ts';
import {
  circles,
  found,
  importsOf,
  literalsOf,
  type Source,
  sources,
} from './support/project/sources.ts';

/** By room, the rooms it may import besides itself: `src/README.md` draws it. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'shipped.ts': [],
  model: [],
  contract: ['shipped.ts'],
  kinds: ['model', 'shipped.ts'],
  source: ['model', 'kinds'],
  wire: ['model', 'kinds'],
  base: ['model', 'kinds', 'source'],
  engine: ['model', 'kinds', 'base'],
  report: ['model', 'kinds', 'layoutLibrary.ts'],
  'layoutLibrary.ts': ['shipped.ts'],
  access: ['model', 'kinds'],
  attribution: ['model', 'kinds'],
  fleet: ['model', 'kinds', 'source'],
  usage: ['model', 'kinds', 'access'],
  watch: ['model', 'kinds'],
  export: ['model', 'kinds', 'source', 'engine'],
  read: ['model', 'kinds', 'source', 'base', 'fleet', 'usage', 'shipped.ts'],
  api: ['model', 'kinds', 'wire', 'contract'],
  apply: [
    'model',
    'kinds',
    'source',
    'base',
    'wire',
    'engine',
    'access',
    'report',
    'export',
    'fleet',
    'read',
    'api',
    'pipeline',
  ],
  queue: ['model', 'fleet', 'api', 'apply'],
  emulator: ['model', 'contract'],
  pipeline: [
    'model',
    'kinds',
    'source',
    'base',
    'engine',
    'access',
    'attribution',
    'export',
    'read',
    'api',
  ],
  'index.ts': [
    'model',
    'kinds',
    'contract',
    'source',
    'wire',
    'engine',
    'access',
    'export',
    'report',
    'read',
    'api',
    'apply',
    'emulator',
    'pipeline',
  ],
  cli: [
    'model',
    'kinds',
    'contract',
    'source',
    'base',
    'engine',
    'access',
    'attribution',
    'usage',
    'watch',
    'export',
    'fleet',
    'report',
    'read',
    'api',
    'apply',
    'queue',
    'emulator',
    'pipeline',
    'shipped.ts',
  ],
};
const PURE = [
  'model',
  'contract',
  'kinds',
  'source',
  'base',
  'wire',
  'engine',
  'access',
  'attribution',
  'usage',
  'watch',
  'export',
  'fleet',
  'report',
];

describe('rooms', () => {
  test('every room is on the map', () => {
    expect(
      [...new Set(sources.map(({ room }) => room))].filter(room => !(room in MAY_IMPORT)),
    ).toEqual([]);
  });

  test('imports go only where the map allows', () => {
    const strays = sources.flatMap(source =>
      importsOf(source)
        .map(to => to.split('/')[0] ?? '')
        .filter(to => to !== source.room && !MAY_IMPORT[source.room]?.includes(to))
        .map(to => `${source.path} imports ${to}`),
    );
    expect(strays).toEqual([]);
  });

  test('the emulator imports the contract and two files of the vocabulary, so that other projects load nothing else', () => {
    const emulator = sources.filter(({ room }) => room === 'emulator').flatMap(importsOf);
    const outside = emulator.filter(to => !/^(?:emulator|contract)\//.test(to));
    expect([...new Set(outside)].sort()).toEqual(['model/errors.ts', 'model/value.ts']);
  });

  test('an apply imports one file of the pipeline, so that it does not depend on how a plan is computed', () => {
    const apply = sources.filter(({ room }) => room === 'apply').flatMap(importsOf);
    const imported = apply.filter(to => to.startsWith('pipeline/'));
    expect([...new Set(imported)]).toEqual(['pipeline/access/gatesNow.ts']);
  });

  test('the package exports the library and the emulator, each with its types', () => {
    const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
    const doors = [...manifest.matchAll(/"\.\/dist\/([\w/]+)\.(?:d\.ts|js)"/g)];
    const files = doors.map(([, path]) => `${path}.ts`);
    expect(files).toEqual(['index.ts', 'index.ts', 'emulator/index.ts', 'emulator/index.ts']);
    expect(sources.map(({ path }) => path)).toEqual(expect.arrayContaining(files));
  });

  test('no files import each other in a cycle', () => {
    expect(circles()).toEqual([]);
  });

  test('each folder of a room imports only the folders before it in the README.md of the room', () => {
    const faults = roomsWithFolders.flatMap(room => {
      const readme = readmeOf(room) ?? '';
      if (orderIn(readme).length === 0)
        return [`src/${room}/README.md has no line "In order: ..."`];
      return againstOrder(room, orderIn(readme));
    });
    expect(faults).toEqual([]);
  });

  test('the README.md of a room has at most 15 lines', () => {
    const long = Object.keys(MAY_IMPORT).filter(
      room => (readmeOf(room)?.trimEnd().split('\n').length ?? 0) > 15,
    );
    expect(long).toEqual([]);
  });

  test('every relative import names a file of the repository', () => {
    const known = new Set(sources.map(({ path }) => path));
    const lost = sources.flatMap(source =>
      importsOf(source)
        .filter(to => !known.has(to))
        .map(to => `${source.path} imports ${to}`),
    );
    expect(lost).toEqual([]);
  });
});

describe('effects', () => {
  // Who owns a file says something only beside the user of the run, whom nothing else may depend on.
  test('only the command line touches the process and the console, and one file asks for the user of the run', () => {
    const owners = 'read/files/owners.ts';
    expect(
      found(
        /\b(?:process|console)\.\w+|'node:process'/g,
        ({ room, path }) => room !== 'cli' && path !== owners,
      ),
    ).toEqual([]);
    expect(found(/\bprocess\.\w+/g, ({ path }) => path === owners)).toEqual([
      expect.stringContaining('process.geteuid'),
      expect.stringContaining('process.getegid'),
    ]);
  });

  test('only one file of the command line touches the process', () => {
    expect(
      found(/\b(?:process|console)\.\w+/g, ({ path }) => {
        return path.startsWith('cli/') && path !== 'cli/main.ts';
      }),
    ).toEqual([]);
  });

  test('pure rooms have no clock and no randomness', () => {
    const impure =
      /Date\.now|new Date\(\)|Math\.random|performance\.now|random(?:Bytes|UUID|Int)|setTimeout|setInterval/g;
    expect(found(impure, ({ room }) => PURE.includes(room))).toEqual([]);
  });

  test('one file contains the paths of shipped files, because a bundle has them at other paths', () => {
    expect(found(/import\.meta\b/g, ({ path }) => path !== 'shipped.ts')).toEqual([]);
  });

  test('pure rooms do no input or output, except reading the kinds of a given folder', () => {
    const io =
      /'(?:node:(?:fs|fs\/promises|http|https|child_process|process|dns|worker_threads)|undici)'/g;
    const readsKinds = ['kinds/registry.ts'];
    const impure = found(io, ({ room, path }) => PURE.includes(room) && !readsKinds.includes(path));
    expect(impure).toEqual([]);
  });
});

/** Schema words in which a name under `properties` is no field. */
const NO_FIELDS = ['x-kind', 'x-trait', 'examples', 'default'];

/** The names of all fields within a schema. */
function fieldNames(schema: Json | undefined): string[] {
  if (isList(schema)) return schema.flatMap(fieldNames);
  if (!isObject(schema)) return [];
  return Object.entries(schema)
    .filter(([word]) => !NO_FIELDS.includes(word))
    .flatMap(([word, value]) =>
      word === 'properties' && isObject(value)
        ? [...Object.keys(value), ...Object.values(value).flatMap(fieldNames)]
        : fieldNames(value),
    );
}

/** The field names that occur in the schema of one kind only. */
function fieldsOfOneKind(): ReadonlySet<string> {
  const byKind = [...readKinds().values()].flatMap(({ schema }) => [
    ...new Set(fieldNames(schema)),
  ]);
  const count = Map.groupBy(byKind, name => name);
  const alone = [...count].filter(([, found]) => found.length === 1).map(([name]) => name);
  return new Set(alone.filter(name => !COMMON.has(name)));
}

/** Field names that no program could do without for something else: a field has a value, and a file a path. */
const COMMON: ReadonlySet<string> = new Set(['value', 'path']);

/**
 * Ordinary words that are also the name of a field of one kind: where the code uses each, for something that is no field.
 */
const ORDINARY: Readonly<Record<string, readonly string[]>> = {
  // Flags, and values that a program of meshform's own passes around.
  state: [
    'cli/access/questionState.ts',
    'cli/commands/access.ts',
    'cli/commands/graph.ts',
    'cli/export/exportState.ts',
    'report/fleet/rolloutStatus.ts',
  ],
  url: [
    'cli/apply/savedFlags.ts',
    'cli/emulator/emulating.ts',
    'source/project/project.ts',
    'source/project/projectInputs.ts',
    'kinds/schema/shape.ts',
  ],
  version: ['export/opentofu/stateFile.ts'],
  // Elements of HTML, and words of the audit log: how kinds are found in it, and a column of its table.
  meta: [
    'kinds/values/otherSides.ts',
    'attribution/entrySubject.ts',
    'kinds/schema/kindOf.ts',
    'report/graph/markup.ts',
    'report/page/shell.ts',
    'report/text/eventTable.ts',
  ],
  header: ['report/graph/markup.ts', 'report/page/shell.ts'],
  // A word of OpenTofu's state files.
  mode: ['export/opentofu/block.ts'],
  // An operating system has this name, and a posture check a field for it.
  darwin: ['apply/journal/stateFolder.ts'],
  // A command of git.
  config: ['read/git/gitSettings.ts', 'read/git/remoteInCheckout.ts'],
  // Columns, headings and identifiers of what is printed, and fields of log rows.
  ports: ['report/access/accessCsv.ts', 'report/access/accessGraphml.ts', 'report/page/matrix.ts'],
  count: ['report/page/matrix.ts'],
  // Of a response in the contract, and of a lock.
  content: ['contract/operations.ts'],
  ttl: ['apply/lockRecord.ts'],
  rules: ['report/page/policySection.ts'],
  // A field of the traffic log.
  dns_label: ['usage/records/recordEnd.ts'],
  // The key of an entry of `for_each`.
  key: ['source/templates/eachText.ts'],
};

test('only one file contains the paths of shipped files, because the single executable has no folders', () => {
  const places = found(/import\.meta\.(?:url|dirname|filename)/g, () => true);
  expect(places.map(place => place.split(':')[0])).toEqual(['shipped.ts']);
});

test('programs are started in four places, each of which chooses their environment', () => {
  const places = found(/'node:child_process'/g, () => true).map(place => place.split(':')[0]);
  expect([...new Set(places)].sort()).toEqual([
    'apply/secrets/toCommand.ts',
    'read/programs/startHere.ts',
    'read/programs/starter.ts',
    'read/sops.ts',
  ]);
});

describe('literals', () => {
  const kinds = [...readKinds().values()].flatMap(({ name, plural }) => [name, plural]);
  const fields = fieldsOfOneKind();
  const named = new Set([...kinds, ...fields]);
  const isFree = (source: Source) => source.room !== 'emulator' && source.room !== 'access';
  const literals = sources.filter(isFree).flatMap(literalsOf);
  const said = (some: typeof literals) => some.map(({ path, text }) => `${path}: ${text}`);
  // A path, a pointer or a list of names in a single text. Words in sentences, flags and file names are no names of fields.
  const partsOf = (text: string) => (/\s|--|\.yaml$/.test(text) ? [] : text.split(/[^\w-]+/));

  test('no path of the API appears in the code', () => {
    expect(said(literals.filter(({ text }) => text.includes('/api/')))).toEqual([]);
  });

  test('no kind is named in the code', () => {
    expect(said(literals.filter(({ text }) => kinds.includes(text)))).toEqual([]);
  });

  test('no field that only one kind has is named in the code', () => {
    const stray = literals.filter(
      ({ path, text }) => fields.has(text) && !ORDINARY[text]?.includes(path),
    );
    expect(said(stray)).toEqual([]);
  });

  test('no kind and no such field is named inside a path, a pointer or a compound name', () => {
    const stray = literals.filter(
      ({ text }) =>
        !named.has(text) && partsOf(text).some(part => named.has(part) && !(part in ORDINARY)),
    );
    expect(said(stray)).toEqual([]);
  });

  // The transforms are the closed list of odd wire shapes: each is about the fields of one kind.
  test('no field that only one kind has is read by its name', () => {
    const words = [...fields].filter(name => name.includes('_'));
    const name = new RegExp(`\\b(?:${words.join('|')})\\b`, 'g');
    const isBound = (source: Source) =>
      isFree(source) && !source.path.startsWith('wire/transforms/');
    const withoutTexts = sources
      .filter(isBound)
      .flatMap(({ path, code }) =>
        [...code.replaceAll(/'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g, '').matchAll(name)].map(
          ([field]) => `${path}: ${field}`,
        ),
      );
    expect(withoutTexts).toEqual([]);
  });

  test('every exception is still needed', () => {
    const used = new Set(literals.map(({ path, text }) => `${path}: ${text}`));
    const stale = Object.entries(ORDINARY).flatMap(([word, paths]) =>
      paths.map(path => `${path}: ${word}`).filter(place => !used.has(place)),
    );
    expect(stale).toEqual([]);
    expect(Object.keys(ORDINARY).filter(word => !fields.has(word))).toEqual([]);
  });
});

// The house holds together: who may import whom, what pure rooms may not touch, how long files get, what they are called.
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readKinds } from '../src/kinds/registry.ts';

const SRC = new URL('../src/', import.meta.url);

/** By room, the rooms it may import besides itself: `src/README.md` draws it. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'shipped.ts': [],
  model: [],
  contract: ['shipped.ts'],
  kinds: ['model', 'shipped.ts'],
  source: ['model', 'kinds'],
  wire: ['model', 'kinds'],
  engine: ['model', 'kinds'],
  report: ['model', 'kinds'],
  access: ['model', 'kinds'],
  export: ['model', 'kinds', 'source', 'engine'],
  read: ['model', 'kinds', 'source'],
  api: ['model', 'kinds', 'wire', 'contract'],
  apply: [
    ...['model', 'kinds', 'source', 'wire', 'engine', 'access', 'report'],
    ...['export', 'read', 'api', 'planAccess.ts'],
  ],
  emulator: ['model', 'contract'],
  'pipeline.ts': [
    'model',
    'kinds',
    'source',
    'wire',
    'engine',
    'access',
    'export',
    'read',
    'api',
    'apply',
    'planAccess.ts',
  ],
  'planAccess.ts': ['model', 'kinds', 'engine', 'access', 'api'],
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
    'pipeline.ts',
  ],
  cli: [
    'model',
    'kinds',
    'contract',
    'source',
    'engine',
    'access',
    'export',
    'report',
    'read',
    'api',
    'apply',
    'emulator',
    'pipeline.ts',
    'planAccess.ts',
    'shipped.ts',
  ],
};
/** The stages of the engine: each imports itself and those before it. */
const STAGES = [
  ...['types', 'scope', 'pairing', 'diff', 'conflicts', 'pruning', 'renames'],
  ...['actions', 'ordering', 'checks', 'plan'],
];
const PURE = [
  'model',
  'contract',
  'kinds',
  'source',
  'wire',
  'engine',
  'access',
  'export',
  'report',
];

interface Source {
  readonly path: string;
  readonly room: string;
  readonly text: string;
  /** Without comments, so that a sentence is not taken for code. */
  readonly code: string;
}

const sources: Source[] = readdirSync(SRC, { recursive: true })
  .map(String)
  .filter(path => path.endsWith('.ts'))
  .map(path => {
    const text = readFileSync(new URL(path, SRC), 'utf8');
    const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(?<=^|\s)\/\/.*$/gm, '');
    return { path, room: path.split('/')[0] ?? '', text, code };
  });

const importsOf = ({ path, code }: Source): string[] =>
  [...code.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, to = '']) =>
    new URL(to, new URL(path, SRC)).pathname.slice(SRC.pathname.length),
  );

/** Files that import each other, directly or through others, types included. */
function circles(): string[][] {
  const imports = new Map(sources.map(source => [source.path, importsOf(source)]));
  const reachable = (from: string): ReadonlySet<string> => {
    const seen = new Set<string>();
    const open = [...(imports.get(from) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      for (const to of imports.get(next) ?? []) open.push(to);
    }
    return seen;
  };
  const all = new Map(sources.map(({ path }) => [path, reachable(path)]));
  const inCircle = [...all].filter(([path, to]) => to.has(path)).map(([path]) => path);
  const groups = Map.groupBy(inCircle, path =>
    inCircle.find(other => all.get(path)?.has(other) && all.get(other)?.has(path)),
  );
  return [...groups.values()];
}

const found = (pattern: RegExp, where: (source: Source) => boolean): string[] =>
  sources
    .filter(where)
    .flatMap(({ path, code }) =>
      [...code.matchAll(pattern)].map(match => `${path}: ${match[0].trim()}`),
    );

describe('rooms', () => {
  test('there is no room that the map does not know', () => {
    expect(
      [...new Set(sources.map(({ room }) => room))].filter(room => !(room in MAY_IMPORT)),
    ).toEqual([]);
  });

  test('imports only go where the map allows', () => {
    const strays = sources.flatMap(source =>
      importsOf(source)
        .map(to => to.split('/')[0] ?? '')
        .filter(to => to !== source.room && !MAY_IMPORT[source.room]?.includes(to))
        .map(to => `${source.path} imports ${to}`),
    );
    expect(strays).toEqual([]);
  });

  test('no files import each other in a circle', () => {
    expect(circles()).toEqual([]);
  });

  test('a stage of the engine imports only the stages before it', () => {
    const stage = (path: string) => STAGES.indexOf(path.split('/')[1] ?? '');
    const engine = sources.filter(({ room }) => room === 'engine');
    const strays = engine.flatMap(source =>
      importsOf(source)
        .filter(to => to.startsWith('engine/') && stage(to) > stage(source.path))
        .map(to => `${source.path} imports ${to}`),
    );
    expect(engine.filter(({ path }) => stage(path) < 0).map(({ path }) => path)).toEqual([]);
    expect(strays).toEqual([]);
  });

  test('every relative import names a file of the house', () => {
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
  test('only the command line touches the process and the console', () => {
    expect(found(/\b(?:process|console)\.\w+/g, ({ room }) => room !== 'cli')).toEqual([]);
  });

  test('only one file of the command line touches the process', () => {
    expect(found(/\b(?:process|console)\.\w+/g, ({ path }) => path !== 'cli/main.ts')).toEqual([]);
  });

  test('pure rooms have no clock and no dice', () => {
    const impure =
      /Date\.now|new Date\(\)|Math\.random|performance\.now|random(?:Bytes|UUID|Int)|setTimeout|setInterval/g;
    expect(found(impure, ({ room }) => PURE.includes(room))).toEqual([]);
  });

  test('pure rooms do no input or output, but for kinds that a program names a folder of', () => {
    const io =
      /'(?:node:(?:fs|fs\/promises|http|https|child_process|process|dns|worker_threads)|undici)'/g;
    const readsKinds = ['kinds/registry.ts'];
    const impure = found(io, ({ room, path }) => PURE.includes(room) && !readsKinds.includes(path));
    expect(impure).toEqual([]);
  });
});

describe('text from outside', () => {
  const isPrinted = ({ room, path }: Source) =>
    room !== 'emulator' && !path.endsWith('.generated.ts');

  test('stands in a sentence in the quotes of `quoted` alone', () => {
    const quotes = ['model/text/visible.ts', 'report/text/markdown.ts'];
    const bare = found(/\\`\$\{.*/g, source => isPrinted(source) && !quotes.includes(source.path));
    expect(bare).toEqual([]);
  });

  test('is put into a command line by `shellWord`', () => {
    expect(found(/(?:--[a-z]+ |=)'\$\{(?!shell).*/g, isPrinted)).toEqual([]);
  });

  test('reaches a stream by a renderer or by `say`, never put together there', () => {
    const loose = /\.write\(\s*`[^`]*\$\{.*/g;
    const renders = ['cli/io.ts', 'cli/run.ts', 'cli/api/apiAnswer.ts', 'cli/api/apiCall.ts'];
    expect(found(loose, ({ room, path }) => room === 'cli' && !renders.includes(path))).toEqual([]);
  });

  test('passes the guard of the streams in two places', () => {
    const places = found(/\bcontrol\(\w+, /g, ({ room }) => room === 'cli');
    expect(new Set(places.map(place => place.split(':')[0]))).toEqual(
      new Set(['cli/apply/progress.ts', 'cli/apply/applyRequest.ts']),
    );
  });

  test('is JSON by `jsonText`, `jsonLine` and `jsonString` alone where it is printed', () => {
    const own = [
      // Nothing of these is printed as it is: digests, comparisons, and what `visible` sees next.
      ...[
        'report/run/journalLines.ts',
        'report/text/table.ts',
        'cli/api/apiFailure.ts',
        'cli/api/apiExample.ts',
      ],
      ...['report/explain/explainWords.ts', 'report/explain/explainText.ts'],
    ];
    const rooms = ['cli', 'report'];
    const loose = found(
      /JSON\.stringify/g,
      ({ room, path }) => rooms.includes(room) && !own.includes(path),
    );
    expect(loose).toEqual([]);
  });
});

describe('kinds', () => {
  test('no kind is named in the code', () => {
    const names = [...readKinds().values()].flatMap(({ name, plural }) => [name, plural]);
    const literal = new RegExp(`'(?:${names.join('|')})'`, 'g');
    const isFree = ({ room, path }: Source) =>
      room !== 'emulator' && room !== 'access' && !path.endsWith('.generated.ts');
    expect(found(literal, isFree)).toEqual([]);
  });
});

describe('files', () => {
  const written = sources.filter(({ path }) => !path.endsWith('.generated.ts'));
  const length = ({ text }: Source) => text.trimEnd().split('\n').length;

  test('none is longer than 300 lines', () => {
    expect(written.filter(source => length(source) > 300).map(({ path }) => path)).toEqual([]);
  });

  test('half of them are shorter than 100 lines', () => {
    const lengths = written.map(length).sort((a, b) => a - b);
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThan(100);
  });

  test('no folder holds more than eighteen, registries of one file a thing apart', () => {
    const registries = ['cli/commands', 'emulator/resources', 'wire/transforms'];
    const folders = Map.groupBy(sources, ({ path }) => path.slice(0, path.lastIndexOf('/')));
    const crowded = [...folders]
      .filter(([folder, files]) => files.length > 18 && !registries.includes(folder))
      .map(([folder, files]) => `${folder}: ${files.length}`);
    expect(crowded).toEqual([]);
  });

  test('none is a drawer', () => {
    const drawers = [
      'util',
      'utils',
      'helper',
      'helpers',
      'common',
      'misc',
      'shared',
      'lib',
      'base',
      'manager',
      'service',
    ];
    expect(
      written
        .filter(({ path }) => path.split('/').some(part => drawers.includes(basename(part, '.ts'))))
        .map(({ path }) => path),
    ).toEqual([]);
  });

  test('each begins by saying what it is', () => {
    expect(written.filter(({ text }) => !text.startsWith('// ')).map(({ path }) => path)).toEqual(
      [],
    );
  });

  // A call has room for about a hundred thousand arguments; a list of objects may be longer.
  test('none hands the members of a list to a call as its arguments', () => {
    const spread =
      /\.(?:push|unshift|concat|fromCharCode|fromCodePoint)\(\s*\.\.\.|Math\.(?:max|min)\([^()]*\.\.\./g;
    expect(found(spread, ({ path }) => !path.endsWith('.generated.ts'))).toEqual([]);
  });

  test('none switches the type checker or the linter off', () => {
    const loose = /:\s*any\b|\bas any\b|<any>/g;
    expect(found(loose, () => true)).toEqual([]);
    const silenced = written.filter(({ text }) =>
      /@ts-(?:ignore|expect-error|nocheck)|biome-ignore/.test(text),
    );
    expect(silenced.map(({ path }) => path)).toEqual([]);
  });
});

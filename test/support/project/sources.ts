// The source files of `src`, for the tests of what they may import and say.
import { readdirSync, readFileSync } from 'node:fs';

const SRC = new URL('../../../src/', import.meta.url);

export interface Source {
  readonly path: string;
  readonly room: string;
  readonly text: string;
  /** Without comments, so that a sentence is not taken for code. */
  readonly code: string;
}

export const sources: readonly Source[] = readdirSync(SRC, { recursive: true })
  .map(String)
  .filter(path => path.endsWith('.ts'))
  .map(path => {
    const text = readFileSync(new URL(path, SRC), 'utf8');
    const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(?<=^|\s)\/\/.*$/gm, '');
    return { path, room: path.split('/')[0] ?? '', text, code };
  });

/** The files that a file imports, as paths in `src`. */
export const importsOf = ({ path, code }: Source): string[] =>
  [...code.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, to = '']) =>
    new URL(to, new URL(path, SRC)).pathname.slice(SRC.pathname.length),
  );

/** Files that import each other, directly or through others, types included. */
export function circles(): string[][] {
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

/** The places in the code that match, each with its file. */
export const found = (pattern: RegExp, where: (source: Source) => boolean): string[] =>
  sources
    .filter(where)
    .flatMap(({ path, code }) =>
      [...code.matchAll(pattern)].map(match => `${path}: ${match[0].trim()}`),
    );

/** One text of the code: a string, or a piece of a template between its values. */
export interface Literal {
  readonly path: string;
  readonly text: string;
}

/** A part of a type by its name. */
const PART_OF_TYPE = /\b(?:Pick|Omit)<[^<>]*>|\b[A-Z]\w*(?:\.[A-Z]\w*)*\['\w+'\]/g;

/** Every string and every fixed piece of a template in the code of a file, but not what it imports, nor the parts of types. */
export function literalsOf({ path, code }: Source): Literal[] {
  const own = code
    .replaceAll(/(?:from|import)\s*'[^']*'|import\(\s*'[^']*'\s*,?\s*\)/g, '')
    .replaceAll(PART_OF_TYPE, '')
    .matchAll(/'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)"|`((?:\\.|[^`\\])*)`/g);
  return [...own].flatMap(([, single, double, template = '']) =>
    [...(single === undefined ? [] : [single]), ...(double === undefined ? [] : [double])]
      .concat(template.split(/\$\{[^}]*\}/))
      .filter(text => text !== '')
      .map(text => ({ path, text })),
  );
}

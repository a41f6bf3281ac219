// The order of the folders in a room, as its `README.md` states it, and the imports that go against it.
import { existsSync, readFileSync } from 'node:fs';
import { importsOf, sources } from './sources.ts';

const SRC = new URL('../../../src/', import.meta.url);

/** The rooms that have folders, which therefore need an order. */
export const roomsWithFolders: readonly string[] = [
  ...new Set(sources.filter(({ path }) => path.split('/').length > 2).map(({ room }) => room)),
];

/** The text of a room's `README.md`; undefined if it has none. */
export function readmeOf(room: string): string | undefined {
  const file = new URL(`${room}/README.md`, SRC);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** The folders and files that a README lists after "In order:", up to an empty line. `*.ts` are the files at the top that are not listed. */
export function orderIn(readme: string): readonly string[] {
  const [, listed = ''] = /^In order: (.*?)(?:\n\n|\n?$(?![\s\S]))/ms.exec(readme) ?? [];
  return [...listed.matchAll(/`([\w-]+\/|[\w*-]+\.ts)`/g)].map(([, item = '']) => item);
}

/** What is wrong with a room against its order: unlisted files, listed items that do not exist, imports of a later item. */
export function againstOrder(room: string, order: readonly string[]): string[] {
  const files = sources.filter(source => source.room === room);
  const placeOf = (path: string): number => {
    const [first = '', ...rest] = path.slice(room.length + 1).split('/');
    const named = order.indexOf(rest.length > 0 ? `${first}/` : first);
    return named < 0 && rest.length === 0 ? order.indexOf('*.ts') : named;
  };
  const places = new Set(files.map(({ path }) => placeOf(path)));
  const unlisted = files.filter(({ path }) => placeOf(path) < 0).map(({ path }) => path);
  const absent = order.filter((_, place) => !places.has(place));
  const imports = files.flatMap(source =>
    importsOf(source)
      .filter(to => to.startsWith(`${room}/`) && placeOf(to) > placeOf(source.path))
      .map(to => `${source.path} imports ${to}`),
  );
  return [
    ...unlisted.map(path => `${path} has no place in src/${room}/README.md`),
    ...absent.map(item => `src/${room}/README.md lists ${item}, which does not exist`),
    ...imports,
  ];
}

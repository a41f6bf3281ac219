// What a fuzzer has seen: where objects are, by the template of their path, and their ids.
import type { Operation } from '../../../src/contract/index.ts';

const MOST = 60;

export interface Sightings {
  /** Remembers the objects in an answer to a request of that path. */
  see(operation: Operation, path: string, answer: unknown): void;
  /** Remembers one object. */
  note(template: string, path: string): void;
  /** Forgets what is not there any more. */
  forget(path: string): void;
  /** Paths of objects, by a template. */
  at(template: string): readonly string[];
  /** Ids of the objects of a collection; of all there are where it is not named. */
  ids(collection?: string): readonly string[];
}

export function newSightings(): Sightings {
  const paths = new Map<string, string[]>();
  const note = (template: string, path: string): void => {
    const known = paths.get(unnamed(template)) ?? [];
    paths.set(unnamed(template), known);
    if (known.includes(path)) return;
    known.push(path);
    if (known.length > MOST) known.shift();
  };
  const idOf = (path: string) => decodeURIComponent(path.split('/').at(-1) ?? '');
  return {
    note,
    see: (operation, path, answer) => {
      for (const member of Array.isArray(answer) ? answer.slice(0, MOST) : [answer]) {
        const { id } = Object(member);
        if (typeof id !== 'string' && typeof id !== 'number') continue;
        const isObject = operation.path.endsWith('}');
        const own = isObject ? path : `${path}/${encodeURIComponent(id)}`;
        note(isObject ? operation.path : `${operation.path}/{}`, own);
      }
    },
    forget: path => {
      for (const [template, known] of paths)
        paths.set(
          template,
          known.filter(one => one !== path && !one.startsWith(`${path}/`)),
        );
    },
    at: template => paths.get(unnamed(template)) ?? [],
    ids: collection =>
      collection === undefined
        ? [...paths.values()].flat().map(idOf)
        : (paths.get(`${collection}/{}`) ?? []).map(idOf),
  };
}

/** A template whatever its placeholders are called. */
function unnamed(template: string): string {
  return template.replaceAll(/\{\w*\}/g, '{}');
}

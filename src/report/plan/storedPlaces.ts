// The places of declarations, tests and findings in a plan document. No digest covers them, because they change even if
// declarations only move, and only messages depend on them.
import type { Diagnostic, Span, Use } from '../../model/diagnostic.ts';
import { isList, isObject, type Json } from '../../model/value.ts';

/** A place with only the known parts of what was read, because no digest protects places. */
export const placeOf = ({ file, line, column, use }: Span): Span => ({
  file,
  line,
  column,
  ...(use && { use: useOf(use) }),
});

const useOf = ({ places, instances, others }: Use): Use => ({
  places: places.map(({ file, line, column }) => ({ file, line, column })),
  instances,
  ...(others !== undefined && { others }),
});

/** An item that was read, with only the known parts of its place. */
export const withPlace = <T extends { readonly at?: Span }>(item: T): T =>
  item.at ? { ...item, at: placeOf(item.at) } : item;

/** A stored finding, restored. */
export const findingOf = (finding: Diagnostic): Diagnostic => withPlace(finding);

/** Stored findings, or other items of a list, without their places. */
export function withoutPlaces(items: Json): Json {
  return isList(items) ? items.map(withoutPlace) : items;
}

/** Stored tests without the places of their names, selectors and failed lines. Any other field `at` is not a place. */
export function testsWithoutPlaces(part: Json): Json {
  if (!isObject(part) || !isList(part.tests)) return part;
  return { ...part, tests: part.tests.map(testWithoutPlaces) };
}

const SELECTORS: ReadonlySet<string> = new Set(['from', 'to']);
const LISTS: ReadonlySet<string> = new Set(['allow', 'deny', 'only_from', 'except']);

const FAILURES = 'failures';

// Failed lines without the places of deciding declarations, which are in the grants of flows and in misses.
const failuresWithoutPlaces = (failures: Json): Json =>
  changedItems(withoutPlaces(failures), failure =>
    withPart(
      withPart(failure, 'flows', flows =>
        changedItems(flows, flow => withPart(flow, 'via', withoutPlaces)),
      ),
      'misses',
      withoutPlaces,
    ),
  );

const changedItems = (items: Json, change: (item: Json) => Json): Json =>
  isList(items) ? items.map(change) : items;

function withPart(item: Json, name: string, change: (part: Json) => Json): Json {
  const part = isObject(item) ? item[name] : undefined;
  return isObject(item) && part !== undefined ? { ...item, [name]: change(part) } : item;
}

function testWithoutPlaces(test: Json): Json {
  if (!isObject(test)) return test;
  const parts = Object.entries(test).flatMap(([name, part]): (readonly [string, Json])[] => {
    if (name === 'at') return [];
    if (SELECTORS.has(name)) return [[name, withoutPlace(part)]];
    if (name === FAILURES) return [[name, failuresWithoutPlaces(part)]];
    return [[name, LISTS.has(name) ? withoutPlaces(part) : part]];
  });
  return Object.fromEntries(parts);
}

function withoutPlace(item: Json): Json {
  if (!isObject(item)) return item;
  return Object.fromEntries(Object.entries(item).filter(([name]) => name !== 'at'));
}

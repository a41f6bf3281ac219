// Finds the objects of every kind in a document, and reports other values in their places.
import { type Place, type Places, placesUnder } from '../../kinds/identity/place.ts';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { KindName } from '../../model/names.ts';
import { addAll } from '../../model/text/many.ts';
import { quoted } from '../../model/text/visible.ts';
import { type Fields, isList, isObject } from '../../model/value.ts';
import { isSopsDocument } from '../values/sops.ts';
import type { Placed } from '../yaml/document.ts';
import { ACCESS_TESTS } from './accessTests.ts';
import { encrypted, notAList, notAMapping, topLevelFindings, unknownKeys } from './structure.ts';

/** An object found at the place of its kind. */
export interface Located {
  readonly kind: Kind;
  readonly placed: Placed;
  /** The fields of the object itself, without its children. */
  readonly own: Fields;
  readonly parent?: Located;
}

export interface LocatedObjects {
  /** Parents before their children. */
  readonly objects: readonly Located[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A function that finds the objects in the documents of a file, whatever else is wrong with them. */
export function locator(kinds: KindTable): (documents: readonly Placed[]) => LocatedObjects {
  const top = placesUnder(kinds);
  const known = new Map([...top, [ACCESS_TESTS, { list: true, inside: new Map() }]]);
  const places = new Map([...kinds.keys()].map(parent => [parent, placesUnder(kinds, parent)]));
  return documents => {
    // An encrypted document holds secrets, and declares nothing.
    const sealed = documents.filter(({ value }) => isSopsDocument(value));
    const readable = documents.filter(document => !sealed.includes(document));
    const diagnostics = [...encrypted(sealed, top), ...topLevelFindings(readable, known, kinds)];
    const search: Search = { places, objects: [], diagnostics };
    for (const document of readable) visitPlaces(search, top, document, undefined);
    return search;
  };
}

interface Search {
  readonly places: ReadonlyMap<KindName, Places>;
  readonly objects: Located[];
  readonly diagnostics: Diagnostic[];
}

function visitPlaces(
  search: Search,
  places: Places,
  holder: Placed,
  parent: Located | undefined,
): void {
  if (!isObject(holder.value)) return;
  for (const [key, place] of places) {
    const value = holder.value[key];
    if (value === undefined) continue;
    const at = holder.inside([key]);
    if (!place.list) visitPlace(search, place, at, parent, quoted(key));
    else if (isList(value)) {
      for (const i of value.keys())
        visitPlace(
          search,
          place,
          at.inside([String(i)]),
          parent,
          `member ${i + 1} of ${quoted(key)}`,
        );
    } else if (!at.isBroken([])) search.diagnostics.push(notAList(key, place, at));
  }
}

function visitPlace(
  search: Search,
  place: Place,
  placed: Placed,
  parent: Located | undefined,
  name: string,
): void {
  const { kind } = place;
  if (!isObject(placed.value)) {
    if (!placed.isBroken([])) search.diagnostics.push(notAMapping(name, place, placed));
  } else if (kind) {
    const places = search.places.get(kind.name) ?? new Map();
    const own = Object.entries(placed.value).filter(([key]) => !places.has(key));
    const located: Located = {
      kind,
      placed,
      own: Object.fromEntries(own),
      ...(parent && { parent }),
    };
    search.objects.push(located);
    visitPlaces(search, places, placed, located);
  } else {
    addAll(search.diagnostics, unknownKeys(place.inside, placed));
    visitPlaces(search, place.inside, placed, parent);
  }
}

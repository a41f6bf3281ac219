// Builds the frozen kind table from schemas, ordered so that referenced kinds come first.
import { InvariantError } from '../../model/errors.ts';
import type { KindName } from '../../model/names.ts';
import { addAll } from '../../model/text/longLists.ts';
import type { JsonObject } from '../../model/value.ts';
import { partsFault } from '../identity/parts.ts';
import type { Kind, KindTable } from '../kind.ts';
import { DIALECTS, IGNORES_UNKNOWN } from '../traits.ts';
import { refsOf } from '../values/refs.ts';
import { kindOf, requirementsOf } from './kindOf.ts';

/** The kind table of these schemas. Throws an `InvariantError` if two schemas contradict each other. */
export function kindTable(schemas: readonly JsonObject[]): KindTable {
  const requirements = schemas.flatMap(requirementsOf);
  const declared = schemas.map(schema => servingWhile(kindOf(schema), requirements));
  const kinds = new Map(declared.map(kind => [kind.name, kind]));
  if (kinds.size < schemas.length) throw new InvariantError('two kinds have the same name');
  for (const kind of kinds.values()) {
    const pointed = [
      ...refsOf(kind),
      ...kind.cascades.map(cascade => cascade.kind),
      ...kind.requires,
      ...(kind.parent ? [kind.parent] : []),
      ...(kind.fulfilledBy ? [kind.fulfilledBy.kind] : []),
      ...(kind.differsFrom ? [kind.differsFrom.kind] : []),
    ];
    const unknown = pointed.find(name => !kinds.has(name));
    if (unknown)
      throw new InvariantError(`kind ${kind.name} points at an unknown kind: ${unknown}`);
    if (kind.parent && kinds.get(kind.parent)?.parent)
      throw new InvariantError(
        `kind ${kind.name} is nested in a kind that is nested itself: keys have two parts`,
      );
    const fault = partsFault(kind, kinds);
    if (fault !== null) throw new InvariantError(`parts of kind ${kind.name}: ${fault}`);
  }
  return new Map(referredFirst(kinds).map(kind => [kind.name, Object.freeze(kind)]));
}

// Adds `servesWhile` to the kind, if another kind requires it under a condition.
function servingWhile(kind: Kind, requirements: ReturnType<typeof requirementsOf>): Kind {
  const said = requirements.find(one => one.kind === kind.name && one.while !== undefined);
  return said?.while === undefined ? kind : { ...kind, servesWhile: said.while };
}

/** The kinds with the paths and fields of one dialect (docs/server.md#which-servers). */
export function kindsIn(kinds: KindTable, dialect: string): KindTable {
  const known = DIALECTS.find(one => one === dialect);
  const sendsBackUnknown = known !== undefined && IGNORES_UNKNOWN[known];
  return new Map(
    [...kinds].map(([name, kind]) => {
      const path = (known && kind.pathByDialect[known]) ?? kind.path;
      const listAll = known && kind.listAllByDialect[known];
      const placed = {
        ...kind,
        path,
        sendsBackUnknown,
        ...(listAll && { childIds: listAll.childIds, listAllPath: listAll.path }),
      };
      return [name, Object.freeze(placed)];
    }),
  );
}

// Sorts each kind after the kinds to which it refers, with Kahn's algorithm over references and parents. Of several ready kinds,
// the most referenced comes first, then the order is by name. Kinds that refer to each other are sorted in the same way.
function referredFirst(kinds: ReadonlyMap<KindName, Kind>): Kind[] {
  const pointers = new Map([...kinds.values()].map(kind => [kind.name, pointedAt(kind)]));
  const popularity = (name: KindName) =>
    [...pointers.values()].filter(names => names.has(name)).length;
  const ordered: Kind[] = [];
  const waiting = [...kinds.values()].sort(
    (a, b) => popularity(b.name) - popularity(a.name) || (a.name < b.name ? -1 : 1),
  );
  while (waiting.length > 0) {
    const done = new Set(ordered.map(kind => kind.name));
    const ready = waiting.findIndex(kind => pointers.get(kind.name)?.isSubsetOf(done));
    addAll(ordered, waiting.splice(Math.max(ready, 0), 1));
  }
  return ordered;
}

function pointedAt(kind: Kind): ReadonlySet<KindName> {
  const names = new Set([
    ...refsOf(kind),
    ...(kind.parent ? [kind.parent] : []),
    ...(kind.fulfilledBy ? [kind.fulfilledBy.kind] : []),
  ]);
  names.delete(kind.name);
  return names;
}

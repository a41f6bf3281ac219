// Schemas of kinds → the frozen kind table, ordered so that what is referred to comes first.
import { InvariantError } from '../../model/errors.ts';
import { type KindName, kindName } from '../../model/names.ts';
import { addAll } from '../../model/text/many.ts';
import { isObject, type JsonObject } from '../../model/value.ts';
import { partsFault } from '../identity/parts.ts';
import type {
  AccountWideList,
  Actor,
  Cascade,
  Contention,
  CreatedEvent,
  Kind,
  KindTable,
  Lapses,
  Parts,
  ReservedRule,
  Where,
} from '../kind.ts';
import { DIALECTS, type Dialect, IGNORES_UNKNOWN, type Verb } from '../traits.ts';
import { refsOf } from '../values/refs.ts';
import { objectShape } from './shape.ts';

/** `x-kind`, as its meta-schema in `traits.ts` admits it. */
interface KindTrait {
  readonly name: string;
  readonly plural: string;
  readonly at: string;
  readonly path: string;
  readonly pathIn?: Readonly<Record<string, string>>;
  readonly accountWide?: Readonly<Partial<Record<Dialect, AccountWideList>>>;
  readonly parent?: string;
  readonly cardinality?: 'collection' | 'singleton';
  readonly where?: Where;
  readonly identity?: readonly string[];
  readonly unique?: 'account' | 'parent';
  readonly contends?: Contention;
  readonly verbs: readonly Verb[];
  readonly createdEvent?: CreatedEvent;
  readonly put?: 'whole' | 'mutable' | 'partial';
  readonly envelope?: string;
  readonly reveals?: string;
  readonly satisfiedBy?: { readonly kind: string; readonly field: string };
  readonly lapses?: Lapses;
  readonly forgotten?: boolean;
  readonly grantsAccess?: boolean;
  readonly actor?: Actor;
  readonly reread?: 'item' | 'list';
  readonly settled?: 'answer' | 'read';
  readonly moves?: Readonly<Record<Dialect, 'update' | 'replace'>>;
  readonly replace?: 'delete-first' | 'create-first' | 'refuse';
  readonly reserved?: readonly ReservedRule[];
  readonly parts?: Parts;
  readonly cascades?: readonly (string | CascadeTrait)[];
  readonly needs?: readonly string[];
  readonly servesWhile?: string;
}

type CascadeTrait = { readonly kind: string; readonly by?: string; readonly indirect?: boolean };

/** The kind table of these schemas. Throws an `InvariantError` where two of them contradict each other. */
export function kindTable(schemas: readonly JsonObject[]): KindTable {
  const kinds = new Map(schemas.map(schema => kindOf(schema)).map(kind => [kind.name, kind]));
  if (kinds.size < schemas.length) throw new InvariantError('two kinds have one name');
  for (const kind of kinds.values()) {
    const pointed = [
      ...refsOf(kind),
      ...kind.cascades.map(cascade => cascade.kind),
      ...kind.needs,
      ...(kind.parent ? [kind.parent] : []),
      ...(kind.satisfiedBy ? [kind.satisfiedBy.kind] : []),
    ];
    const unknown = pointed.find(name => !kinds.has(name));
    if (unknown)
      throw new InvariantError(`kind ${kind.name} points at an unknown kind: ${unknown}`);
    if (kind.parent && kinds.get(kind.parent)?.parent)
      throw new InvariantError(`kind ${kind.name} nests in a kind that nests: keys have two parts`);
    const fault = partsFault(kind, kinds);
    if (fault !== null) throw new InvariantError(`parts of kind ${kind.name}: ${fault}`);
  }
  return new Map(referredFirst(kinds).map(kind => [kind.name, Object.freeze(kind)]));
}

/** The same kinds with the paths and fields of one dialect (docs/server.md#which-servers). */
export function kindsIn(kinds: KindTable, dialect: string): KindTable {
  const known = DIALECTS.find(one => one === dialect);
  const echoesUnknown = known !== undefined && IGNORES_UNKNOWN[known];
  return new Map(
    [...kinds].map(([name, kind]) => {
      const path = kind.pathIn[dialect] ?? kind.path;
      const childIds = known && kind.accountWide[known]?.ids;
      const placed = { ...kind, path, echoesUnknown, ...(childIds !== undefined && { childIds }) };
      return [name, Object.freeze(placed)];
    }),
  );
}

function kindOf(schema: JsonObject): Kind {
  if (!isObject(schema['x-kind'])) throw new InvariantError('a kind schema has no x-kind');
  const trait = schema['x-kind'] as unknown as KindTrait;
  const { parent, identity = [], plural, at, path, unique, contends, moves } = trait;
  const { where, envelope, reveals, satisfiedBy, lapses, actor, createdEvent } = trait;
  return {
    name: kindName(trait.name),
    ...{ plural, at, path, identity, schema },
    pathIn: trait.pathIn ?? {},
    accountWide: trait.accountWide ?? {},
    title: String(schema.title),
    noun: String(schema.title).replace(/^\p{Lu}(?=\p{Ll})/u, first => first.toLowerCase()),
    description: String(schema.description),
    ...(parent !== undefined && { parent: kindName(parent) }),
    cardinality: trait.cardinality ?? 'collection',
    ...(where && { where }),
    put: trait.put ?? 'whole',
    echoesUnknown: false,
    ...(envelope !== undefined && { envelope }),
    ...(reveals !== undefined && { reveals }),
    ...(satisfiedBy && { satisfiedBy: { ...satisfiedBy, kind: kindName(satisfiedBy.kind) } }),
    ...(lapses && { lapses }),
    ...(createdEvent && { createdEvent }),
    forgotten: trait.forgotten === true,
    grantsAccess: trait.grantsAccess === true,
    ...(actor && { actor }),
    ...(unique && { unique }),
    ...(contends && { contends }),
    ...(moves && { moves }),
    verbs: new Set(trait.verbs),
    reread: trait.reread ?? 'item',
    settled: trait.settled ?? 'answer',
    replace: trait.replace ?? 'delete-first',
    reserved: trait.reserved ?? [],
    ...(trait.parts && { parts: trait.parts }),
    cascades: (trait.cascades ?? []).map(cascadeOf),
    needs: (trait.needs ?? []).map(kindName),
    ...(trait.servesWhile !== undefined && { servesWhile: trait.servesWhile }),
    shape: objectShape(schema, schema),
    depth: parent === undefined ? 1 : 2,
  };
}

function cascadeOf(trait: string | CascadeTrait): Cascade {
  if (typeof trait === 'string') return { kind: kindName(trait), indirect: false };
  const { kind, by, indirect = false } = trait;
  return { kind: kindName(kind), ...(by !== undefined && { by }), indirect };
}

// Kahn's order over refs and parents; of those that are ready, the one that most others point at, then by name.
// Kinds that point at each other are taken in that order too.
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
    ...(kind.satisfiedBy ? [kind.satisfiedBy.kind] : []),
  ]);
  names.delete(kind.name);
  return names;
}

// Turns live objects into the model of an export. Pure: depends on kinds, the account, and the time.
import { awaitsApproval } from '../engine/pairing/approval.ts';
import { endOf, hasExpired, startOf } from '../engine/pairing/expiry.ts';
import { namingFields } from '../kinds/identity/identity.ts';
import { providedLive } from '../kinds/identity/provided.ts';
import type { Field, Kind, KindTable } from '../kinds/kind.ts';
import type { Dialect } from '../kinds/traits.ts';
import { isEmpty } from '../kinds/values/canonical.ts';
import { refsIn } from '../kinds/values/refs.ts';
import { idInKey } from '../model/key.ts';
import type { KindName, RemoteId } from '../model/names.ts';
import type { Live } from '../model/object.ts';
import { compareTexts } from '../model/text/compareTexts.ts';
import { literally } from '../model/text/literalText.ts';
import { nameText } from '../model/text/visible.ts';
import type { Fields, Json } from '../model/value.ts';
import { withPartsJoined } from './joinParts.ts';
import { lifetime } from './lifetime.ts';
import { type Exported, type ExportModel, type LeftOut, without } from './model.ts';
import { type Title, titlesOf } from './titles.ts';
import { Variables } from './variables.ts';
import { writtenFields } from './writtenFields.ts';

/** The inputs of an export. */
export interface ExportInput {
  readonly kinds: KindTable;
  readonly objects: readonly Live[];
  /** The current time, in milliseconds: it gives the remaining lifetime of an object whose original lifetime is not known. */
  readonly now: number;
  /**
   * The dialect of the server, which decides the accepted values and how objects are kept in parts. Without it, parts are not
   * joined.
   */
  readonly dialect?: Dialect;
  /** The makers of objects that a machine may have made, by id; see `attribution/makers.ts`. */
  readonly makers?: ReadonlyMap<RemoteId, 'person' | 'machine' | 'edited' | 'unknown'>;
  /** Whether objects of unknown origin are exported, and those that a machine made and somebody edited. */
  readonly withUnknown?: boolean;
  /** Only these objects are exported, with the parents of those that nest; all of them by default. */
  readonly isExported?: (kind: KindName, id: RemoteId) => boolean;
  /** The names of variables for secrets; new ones by default. */
  readonly variables?: Variables;
}

interface Writing extends ExportInput {
  readonly titleOf: (live: Live) => Title;
  readonly variables: Variables;
  /** The existing objects, as `kind id`. */
  readonly known: ReadonlySet<string>;
}

/** The model of all `objects`, without those that cannot be declared or have expired. */
export function exportModel(input: ExportInput): ExportModel {
  const { kinds, objects, now, dialect } = input;
  const reasons = new Map<string, string>();
  for (const live of objects) {
    const because = reasonAgainst(kinds.get(live.kind), live, now) ?? ofMachine(live, input);
    if (because !== undefined) reasons.set(`${live.kind} ${live.id}`, because);
  }
  const isDead = ({ kind, id }: Live): boolean => reasons.has(`${kind} ${id}`);
  const writing: Writing = {
    ...input,
    titleOf: titlesOf(kinds, objects, isDead),
    variables: input.variables ?? new Variables(),
    known: new Set(objects.map(({ kind, id }) => `${kind} ${id}`)),
  };
  const byPosition = Map.groupBy(objects, ({ kind, parentId }) => `${kind} ${parentId ?? ''}`);
  const inside = (parent: KindName | undefined, parentId: string): Exported[] =>
    declarable(kinds, parent).flatMap(kind =>
      [...(byPosition.get(`${kind.name} ${parentId}`) ?? [])]
        .sort(byTitle(writing.titleOf))
        .map(live => ({ ...written(kind, live, writing), children: inside(kind.name, live.id) })),
    );
  const all = { objects: inside(undefined, ''), leftOut: onlyReferred(kinds, objects) };
  const whole = without(all, ({ kind, id }) => reasons.get(`${kind.name} ${id}`));
  const model = input.isExported ? limited(whole, input.isExported) : whole;
  if (dialect === undefined) return model;
  return { ...model, objects: withPartsJoined(model.objects, { kinds, live: objects, dialect }) };
}

// Objects that files can refer to but not declare are listed, because their names are needed.
function onlyReferred(kinds: KindTable, objects: readonly Live[]): LeftOut[] {
  return objects
    .filter(({ kind }) => kinds.get(kind)?.verbs.size === 0)
    .map(({ kind, id, key }): LeftOut => {
      const because = 'it appears by itself, and files only refer to it';
      return { kind, id, name: key, because };
    })
    .sort((a, b) => compareTexts(a.name, b.name));
}

// Limits the objects before parts are joined: an object that the limit leaves out must not become a part of another one.
function limited(
  { objects, leftOut }: ExportModel,
  has: (kind: KindName, id: RemoteId) => boolean,
): ExportModel {
  const keep = (object: Exported): Exported[] => {
    const children = object.children.flatMap(keep);
    const isKept = has(object.kind.name, object.id) || children.length > 0;
    return isKept ? [{ ...object, children }] : [];
  };
  return {
    objects: objects.flatMap(keep),
    leftOut: leftOut.filter(({ kind, id }) => has(kind, id)),
  };
}

/** The kinds that files declare inside `parent`, or at the top level. */
function declarable(kinds: KindTable, parent: KindName | undefined): readonly Kind[] {
  return [...kinds.values()].filter(kind => kind.parent === parent && kind.verbs.size > 0);
}

// Why a live object is not declared. An expired object is not, because the next apply would create a valid one.
function reasonAgainst(kind: Kind | undefined, live: Live, now: number): string | undefined {
  if (kind && providedLive(kind, live) !== undefined) return undefined;
  if (live.reserved !== undefined) return live.reserved;
  return kind && hasExpired(kind, live, now)
    ? 'it has expired or is used up, and declaring it would create a new one'
    : undefined;
}

// Why an object that a machine created is not declared: such an object is temporary, and is deleted with its machine.
function ofMachine({ id }: Live, { makers, withUnknown }: ExportInput): string | undefined {
  const maker = makers?.get(id);
  if (maker === 'machine') return 'a machine created it temporarily';
  if (maker === undefined || maker === 'person' || withUnknown) return undefined;
  if (maker === 'edited')
    return 'a machine created it temporarily, and a user or token edited it; `--with-unknown-services` exports it';
  return 'the audit log does not show whether a machine created it temporarily; `--with-unknown-services` exports it';
}

function byTitle(titleOf: (live: Live) => Title): (a: Live, b: Live) => number {
  return (a, b) => compareTexts(titleOf(a).name, titleOf(b).name) || compareTexts(a.id, b.id);
}

function written(kind: Kind, live: Live, writing: Writing): Omit<Exported, 'children'> {
  const { kinds, titleOf, variables } = writing;
  const title = titleOf(live);
  const by = providedLive(kind, live)?.declaredBy;
  if (by !== undefined)
    return { kind, id: live.id, ...title, fields: onlyNamed(kind, live, by), notes: [] };
  const notes: string[] = [];
  const fields = writtenFields(kind, live, {
    secret: path => variables.reference(kind, { id: live.id, name: title.name }, path),
    depthOf: name => kinds.get(name)?.depth ?? 1,
    lost: field => lostValue(kind, field, live, writing, notes),
  });
  const isAwaiting = awaitsApproval(kind, live);
  const declared = isAwaiting ? withoutBlock(kind, fields) : fields;
  return {
    kind,
    id: live.id,
    ...title,
    fields: title.isBound ? withoutEmptyName(kind, declared) : declared,
    notes: [...notes, ...(isAwaiting ? [AWAITS] : []), ...strays(kind, live, writing)],
  };
}

// The declaration of an object that another system creates: its name, and a field that names the system.
function onlyNamed(
  kind: Kind,
  { fields }: Live,
  { field, value }: { readonly field: string; readonly value: string },
): Fields {
  const naming = namingFields(kind);
  const named = Object.entries(fields).filter(([name]) => naming.includes(name));
  const written = named.map(([name, text]) => [
    name,
    typeof text === 'string' ? literally(text) : text,
  ]);
  return { ...Object.fromEntries(written), [field]: value };
}

const AWAITS = 'awaits approval';

// A user who awaits approval is declared without the block, because the block ends with the approval.
function withoutBlock({ principal }: Kind, fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== principal?.blocked));
}

// An object that is bound by id keeps its name; an empty name cannot be written.
function withoutEmptyName(kind: Kind, fields: Fields): Fields {
  const naming = namingFields(kind);
  const written = Object.entries(fields).filter(
    ([name, value]) => !(naming.includes(name) && isEmpty(value)),
  );
  return Object.fromEntries(written);
}

// The value for a lifetime that the server does not return: computed from its start and expiry, or else the remaining time.
function lostValue(
  kind: Kind,
  field: Field,
  live: Live,
  writing: Pick<ExportInput, 'now' | 'dialect'>,
  notes: string[],
): Json | undefined {
  if (!kind.expiry || field.shape.type !== 'scalar' || field.shape.json !== 'integer')
    return undefined;
  const times = { since: startOf(kind, live), end: endOf(kind, live) };
  const { seconds, note } = lifetime(field, times, writing);
  if (note !== undefined) notes.push(note);
  return seconds;
}

// References to objects that the account does not show.
function strays(kind: Kind, { fields }: Live, { kinds, known }: Writing): string[] {
  const ids = refsIn(kind.shape, fields).flatMap(({ kind: pointed, key }) => {
    const id = idInKey(key);
    if (id === null || known.has(`${pointed} ${id}`)) return [];
    return [`the account lists no ${kinds.get(pointed)?.noun ?? pointed} ${nameText(id)}`];
  });
  return [...new Set(ids)].sort();
}

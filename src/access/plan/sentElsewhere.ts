// Declared secrets that a plan sends to another address or machine than before. The kind declares
// which neighbouring fields of a secret contain its destination. For new objects and new sources of
// secrets, see `sharedSources.ts`.
import type { Field, Kind, KindTable, Shape } from '../../kinds/kind.ts';
import { keyedPath, valueAt } from '../../kinds/values/items.ts';
import { pathText } from '../../kinds/values/pathText.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import { shapeAt } from '../../kinds/values/shapeAt.ts';
import type { RightEntry } from '../../model/access/planAccess.ts';
import type { FieldChange, ShownChange } from '../../model/change.ts';
import type { Plan } from '../../model/plan.ts';
import { isHosted } from '../../model/secrets/hostedSecret.ts';
import { isSecret, secretsIn } from '../../model/secrets/secret.ts';
import { REFERENCE } from '../../model/text/literalText.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { type Fields, isList, isObject, type Json, type Path } from '../../model/value.ts';

/** A secret in an object, and the fields that contain its destination. Paths contain the keys of list items. */
export interface Sent {
  readonly path: Path;
  readonly to: readonly Path[];
  /** The field that contains the secret. */
  readonly field: Field;
  /** Whether files contain the value in clear text. */
  readonly isPlain: boolean;
  /** Whether the server shows the value. */
  readonly isShown: boolean;
}

/**
 * The rights that a plan gives to the owners of addresses and machines to which it newly sends
 * secrets of objects.
 */
export function sentElsewhere(
  kinds: KindTable,
  { changes, actions }: Pick<Plan, 'changes' | 'actions'>,
): readonly RightEntry[] {
  const written = new Map(
    actions.flatMap(one => (one.verb === 'delete' ? [] : [[one.address, one.fields] as const])),
  );
  return changes.flatMap(change => {
    const fields = written.get(change.address);
    const kind = kinds.get(change.kind);
    if (fields === undefined || kind === undefined) return [];
    if (change.before === undefined) return [];
    return sentIn(kind, fields).flatMap((sent): RightEntry[] => {
      const place = otherPlace(kind, change, sent);
      if (place === undefined) return [];
      const message = `${quoted(pathText(kind.shape, sent.path))} is sent to ${place}`;
      return [{ object: change.address, right: 'secret', message }];
    });
  });
}

/**
 * Returns a function that finds the destination of a secret, as a string, by the path of the secret
 * in an object. Paths contain the keys of list items.
 */
export function placesIn(kind: Kind, fields: Fields): (path: Path) => string | undefined {
  const { shape } = kind;
  const places = new Map(sentIn(kind, fields).map(({ path, to }) => [path.join('\n'), to]));
  return path => {
    const to = places.get(path.join('\n')) ?? [];
    return placeText(
      shape,
      to.map((one): Placed => [one, valueAt(shape, fields, one)]),
    );
  };
}

function otherPlace(kind: Kind, { fields, after }: ShownChange, sent: Sent): string | undefined {
  // A value that the server shows and that files contain in clear text is not a secret.
  if (sent.isShown && sent.isPlain) return undefined;
  const { shape } = kind;
  const moved = sent.to.flatMap(path => movesOf(shape, fields, path));
  // Whether the secret is in a new item of a list.
  const isNew = moved.every(
    ({ path, change }) => change.path.length < path.length && formerly(change, path) === undefined,
  );
  if (moved.length === 0 || (isNew && sent.isShown)) return undefined;
  const now = placeText(
    shape,
    moved.map(({ path }): Placed => [path, valueAt(shape, after, path)]),
  );
  const was = placeText(
    shape,
    moved.map(({ path, change }): Placed => [path, formerly(change, path)]),
  );
  // If the files contained no address before, the server had chosen the address.
  if (now === undefined || was === undefined) return now ?? 'another address';
  // The addresses have the same host, and only the host is shown.
  return now === was ? `another address at ${now}` : `${now} instead of ${was}`;
}

/** A changed part of the destination, and its change. */
interface Move {
  readonly path: Path;
  readonly change: FieldChange;
}

// The changes of a destination. In a map of settings, any entry in clear text may be a part of the
// address, whatever the name of the entry.
function movesOf(shape: Shape, fields: readonly FieldChange[], path: Path): readonly Move[] {
  const changes = fields.filter(one => areNested(one.path, path));
  if (shapeAt(shape, path)?.type !== 'dict')
    return changes.slice(0, 1).map(change => ({ path, change }));
  return changes
    .filter(one => !(one.type === 'value' && [one.before, one.after].every(isUnreadable)))
    .map(change => ({ path: change.path.length > path.length ? change.path : path, change }));
}

const isUnreadable = (value: Json | undefined): boolean => value === undefined || isSecret(value);

/** The secrets in an object that the server sends to a destination in the object. */
export const sentIn = ({ shape }: Pick<Kind, 'shape'>, fields: Fields): readonly Sent[] =>
  sentBelow(shape, fields, []).map(({ path, to, ...sent }) => ({
    ...sent,
    path: keyedPath(shape, fields, path),
    to: to.map(one => keyedPath(shape, fields, one)),
  }));

function sentBelow(shape: Shape, value: Json | undefined, at: Path): readonly Sent[] {
  if (shape.type === 'list')
    return (isList(value) ? value : []).flatMap((item, index) =>
      sentBelow(shape.items, item, [...at, String(index)]),
    );
  if (shape.type !== 'object' || !isObject(value)) return [];
  return [...shape.fields.values()].flatMap(field => {
    const path = [...at, field.name];
    const inner = value[field.name] ?? null;
    const to = field.sentTo?.map(name => [...at, name]) ?? [];
    const secrets = to.length === 0 ? [] : secretsIn(inner);
    return [
      ...secrets.map(({ path: below, secret: { $secret } }): Sent => {
        const own = shapeAt(field.shape, below);
        const isPlain = $secret !== '' && $secret.search(REFERENCE) < 0;
        const isShown = own?.type === 'scalar' && own.masked;
        return { path: [...path, ...below], to, field, isPlain, isShown };
      }),
      ...sentBelow(field.shape, inner, path),
    ];
  });
}

/** Whether one of two paths is a prefix of the other. */
export const areNested = (one: Path, other: Path): boolean =>
  one.slice(0, other.length).every((step, at) => step === other[at]);

/** Whether objects of a kind have secrets that the server sends to a destination in the object. */
export function sendsSecrets({ shape }: Pick<Kind, 'shape'>): boolean {
  const found = sending.get(shape) ?? hasPlace(shape);
  sending.set(shape, found);
  return found;
}

const sending = new WeakMap<Shape, boolean>();

function hasPlace(shape: Shape): boolean {
  if (shape.type === 'list') return hasPlace(shape.items);
  if (shape.type !== 'object') return false;
  return [...shape.fields.values()].some(one => one.sentTo !== undefined || hasPlace(one.shape));
}

// The value before the change, if the change concerns the field or a value that contains it.
function formerly(change: FieldChange, path: Path): Json | undefined {
  if (change.type !== 'value' || change.path.length > path.length) return undefined;
  return valueAt(undefined, change.before, path.slice(change.path.length));
}

/** A field and its value. */
type Placed = readonly [path: Path, value: Json | undefined];

// The destination as a string. If an address may contain a credential, only its host is shown, or
// nothing.
function placeText(shape: Shape, values: readonly Placed[]): string | undefined {
  const texts = values.flatMap(([path, value]) => {
    if (isHosted(value)) return value.$host === '' ? [] : nameText(value.$host);
    const isInMap = shapeAt(shape, path.slice(0, -1))?.type === 'dict';
    if (typeof value === 'string') return isInMap ? hostIn(value) : nameText(value);
    const own = shapeAt(shape, path);
    if (own?.type === 'dict') return isObject(value) ? Object.values(value).flatMap(hostIn) : [];
    return own ? refsIn(own, value).map(one => nameText(`${one.kind}/${one.key}`)) : [];
  });
  return texts.length === 0 ? undefined : texts.join(' ');
}

const hostIn = (value: Json): readonly string[] => {
  const host = typeof value === 'string' ? URL.parse(value)?.host : undefined;
  return host ? [nameText(host)] : [];
};

// Fields that the account shows but the schemas do not contain. A write may reset them, because it
// sends the whole object.
import type { Kind, Shape } from '../../kinds/kind.ts';
import { IGNORES_UNKNOWN } from '../../kinds/traits.ts';
import { itemKey, itemPairs, keyFields } from '../../kinds/values/items.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { UnknownField } from '../../model/object.ts';
import { pathName } from '../../model/text/pathName.ts';
import { quoted } from '../../model/text/visible.ts';
import { type Fields, isList, isObject, type Json, type Path } from '../../model/value.ts';
import { resultingFields } from '../pairing/planContext.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { PlanContext } from '../types/planContext.ts';
import { withNotes } from './changes.ts';

/** The changes, with a note on each change that may reset fields. */
export function withResets(objects: readonly ObjectChange[], context: PlanContext): ObjectChange[] {
  return objects.map(object => {
    const names = resetBy(object, context);
    if (names.length === 0) return object;
    return withNotes(object, `may reset ${names.join(', ')}, which meshform does not know`);
  });
}

/** The fields that writes may reset, as findings with a code. */
export function resetFindings(
  objects: readonly ObjectChange[],
  context: PlanContext,
): Diagnostic[] {
  return objects.flatMap((object): Diagnostic[] => {
    const names = resetBy(object, context);
    const { type, address, at } = object.change;
    if (names.length === 0) return [];
    const what =
      type === 'replace'
        ? `replacing ${address} may reset`
        : `an update of ${address} sends the whole object, and may reset`;
    return [
      {
        code: 'FIELD_MAY_BE_RESET',
        severity: 'note',
        message: `${what} ${names.join(', ')}, which meshform does not know`,
        ...(at && { at }),
        hint: 'record the value before the apply, and set it on the server again afterwards',
      },
    ];
  });
}

function resetBy({ change, live }: ObjectChange, context: PlanContext): string[] {
  const isWritten = change.type === 'update' || change.type === 'replace';
  if (!isWritten || !live?.unknown) return [];
  const kind = context.kind(change.kind);
  const before = context.fieldsOf(live);
  const after = resultingFields(kind, change.after ?? {}, live, context);
  const isLost = (field: UnknownField) =>
    change.type === 'replace' ||
    (isSent(kind, field.path, change.after ?? {}) &&
      !(IGNORES_UNKNOWN[context.dialect] && field.isPlain) &&
      stays(kind.shape, field.path, after, before));
  return live.unknown
    .filter(isLost)
    .map(({ path }) => quoted(pathName(path)))
    .sort();
}

// Whether the update sends the field. A partial update does not reset fields that it does not send.
function isSent({ updateMode, shape }: Kind, path: Path, owned: Fields): boolean {
  const [name = '', ...inside] = path;
  if (updateMode === 'partial') return inside.length > 0 && name in owned;
  return updateMode === 'whole' || shape.fields.get(name)?.immutable !== true;
}

// Whether the object or item that contains the field still exists after the update. The fields of a
// removed item are lost on purpose.
function stays(
  shape: Shape,
  path: Path,
  after: Json | undefined,
  before: Json | undefined,
): boolean {
  const [step, ...rest] = path;
  if (step === undefined || rest.length === 0) return after !== undefined;
  if (shape.type === 'list') return staysInList(shape, path, after, before);
  const inner = shape.type === 'dict' ? shape.values : fieldShape(shape, step);
  if (!inner) return after !== undefined;
  const part = (value: Json | undefined) => (isObject(value) ? value[step] : undefined);
  return stays(inner, rest, part(after), part(before));
}

function staysInList(
  shape: Extract<Shape, { type: 'list' }>,
  path: Path,
  after: Json | undefined,
  before: Json | undefined,
): boolean {
  const by = keyFields(shape);
  if (!by || !isList(after) || !isList(before)) return isList(after) && after.length > 0;
  const [step, ...rest] = path;
  const live = before.find(item => itemKey(item, by) === step);
  const found = [...itemPairs(after, before, by)].find(([, item]) => item === live);
  return found !== undefined && stays(shape.items, rest, found[0], live);
}

const fieldShape = (shape: Shape, name: string): Shape | undefined =>
  shape.type === 'object' ? shape.fields.get(name)?.shape : undefined;

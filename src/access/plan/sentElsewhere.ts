// Declared secrets that a plan sends to another address than before: the kind says which field has the address.
import type { Kind, KindTable, Shape } from '../../kinds/kind.ts';
import type { RightEntry } from '../../model/access/planAccess.ts';
import type { ShownChange } from '../../model/change.ts';
import type { Plan } from '../../model/plan.ts';
import { secretsIn } from '../../model/secrets/secret.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { type Fields, type Json, type Path, valueAt } from '../../model/value.ts';

/** A field with secrets, and the field with the address to which the server sends them. */
interface Sent {
  readonly path: Path;
  readonly to: Path;
}

/** The rights of the owners of other addresses: they get secrets of objects that exist already. */
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
    if (fields === undefined || kind === undefined || change.before === undefined) return [];
    return sentIn(kind)
      .filter(({ to }) => hasMoved(change, to))
      .filter(({ path }) => secretsIn(valueAt(fields, path) ?? null).length > 0)
      .map(({ path, to }): RightEntry => {
        const message = `${quoted(path.join('.'))} is sent to ${placeIn(change.after, to)} instead of ${placeIn(change.before, to)}`;
        return { object: change.address, right: 'secret', message };
      });
  });
}

const sentIn = ({ shape }: Kind): readonly Sent[] => sentBelow(shape, []);

function sentBelow(shape: Shape, at: Path): readonly Sent[] {
  if (shape.type !== 'object') return [];
  return [...shape.fields.values()].flatMap(field => [
    ...(field.sentTo === undefined
      ? []
      : [{ path: [...at, field.name], to: [...at, field.sentTo] }]),
    ...sentBelow(field.shape, [...at, field.name]),
  ]);
}

const hasMoved = ({ fields }: ShownChange, to: Path): boolean =>
  fields.some(({ path }) => path.every((step, at) => to[at] === step || at >= to.length));

// An address that may contain a credential is not shown.
function placeIn(side: Fields | undefined, path: Path): string {
  const value: Json | undefined = side && valueAt(side, path);
  return typeof value === 'string' ? nameText(value) : 'another address';
}

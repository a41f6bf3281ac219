// Finds the shape of a part of a value by its path.
import type { Path } from '../../model/value.ts';
import type { Shape } from '../kind.ts';

/** The shape at `path` inside a value of `shape`; undefined if there is no such part. */
export function shapeAt(shape: Shape | undefined, path: Path): Shape | undefined {
  const [step, ...rest] = path;
  if (step === undefined || !shape) return shape;
  switch (shape.type) {
    case 'object':
      return shapeAt(shape.fields.get(step)?.shape, rest);
    case 'list':
      return shapeAt(shape.items, rest);
    case 'dict':
      return shapeAt(shape.values, rest);
    default:
      return undefined;
  }
}

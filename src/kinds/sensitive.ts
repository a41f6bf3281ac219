// Which values nobody may see, whatever is wrong with them.
import type { Shape } from './kind.ts';

/** Whether a value of this shape is a secret, or a part of it may be one: no sentence may repeat what stands there. */
export function isSensitive(shape: Shape): boolean {
  switch (shape.type) {
    case 'scalar':
      return shape.secret || shape.printed !== undefined;
    case 'list':
      return isSensitive(shape.items);
    case 'dict':
      return isSensitive(shape.values);
    case 'object':
      return [...shape.fields.values()].some(field => !field.readOnly && isSensitive(field.shape));
    case 'choice':
      return false;
  }
}

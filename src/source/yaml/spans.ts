// The positions of all values inside an object.
import type { Shape } from '../../kinds/kind.ts';
import { shapeAt } from '../../kinds/values/shapeAt.ts';
import type { Span } from '../../model/diagnostic.ts';
import { pointer } from '../../model/text/pointer.ts';
import { isList, isObject, type Json, type Path } from '../../model/value.ts';
import type { SourceNode } from './node.ts';

/**
 * By JSON pointer, the positions of the values in `value`, which is located at `placed`. If the keys of a mapping are references,
 * such as names of groups, the position is that of the key.
 */
export function spansOf(node: SourceNode, value: Json, shape: Shape): Record<string, Span> {
  const spans: Record<string, Span> = { '': node.at([]) };
  const visit = (part: Json, path: Path, own: Shape | undefined): void => {
    const isPointer = own?.type === 'dict' && own.keyRef !== undefined;
    const items = isList(part) ? part.entries() : isObject(part) ? Object.entries(part) : [];
    for (const [key, item] of items) {
      const step = String(key);
      const inside = [...path, step];
      spans[pointer(inside)] = isPointer ? node.keyAt(inside) : node.at(inside);
      visit(item, inside, shapeAt(own, [step]));
    }
  };
  visit(value, [], shape);
  return spans;
}

// Which lists within a value have an order that means something: the document marks their schemas `x-ordered`.
import { child, children, flagAt, type NodeObject, type Place } from './document.ts';

const PARTS = ['allOf', 'anyOf'];

/** The lists that `schema` marks, as JSON pointers into a value, with `*` for any member of a list. */
export function orderedLists(document: NodeObject, schema: Place): readonly string[] {
  const within = (name: string, step: string): readonly string[] => {
    const inner = child(document, schema, name);
    return inner === undefined
      ? []
      : orderedLists(document, inner).map(pointer => `${step}${pointer}`);
  };
  const properties = child(document, schema, 'properties');
  const fields = properties === undefined ? [] : children(document, properties);
  const parts = PARTS.flatMap(keyword => child(document, schema, keyword) ?? []);
  return [
    ...(flagAt(schema, 'x-ordered') ? [''] : []),
    ...within('items', '/*'),
    ...fields.flatMap(([name, field]) =>
      orderedLists(document, field).map(pointer => `/${name}${pointer}`),
    ),
    ...parts
      .flatMap(part => children(document, part))
      .flatMap(([, part]) => orderedLists(document, part)),
  ];
}

// Finds the ordered lists within a value: the document marks their schemas with `x-ordered` or `x-kept-order`.
import { child, children, type DocumentNode, flagAt, type NodeObject } from './document.ts';

const PARTS = ['allOf', 'anyOf'];

/** The lists that `schema` marks with a keyword, as JSON pointers into a value, with `*` for any member of a list. */
export function markedLists(
  document: NodeObject,
  schema: DocumentNode,
  word: 'x-ordered' | 'x-kept-order',
): readonly string[] {
  const within = (name: string, step: string): readonly string[] => {
    const inner = child(document, schema, name);
    return inner === undefined
      ? []
      : markedLists(document, inner, word).map(pointer => `${step}${pointer}`);
  };
  const properties = child(document, schema, 'properties');
  const fields = properties === undefined ? [] : children(document, properties);
  const parts = PARTS.flatMap(keyword => child(document, schema, keyword) ?? []);
  return [
    ...(flagAt(schema, word) ? [''] : []),
    ...within('items', '/*'),
    ...fields.flatMap(([name, field]) =>
      markedLists(document, field, word).map(pointer => `/${name}${pointer}`),
    ),
    ...parts
      .flatMap(part => children(document, part))
      .flatMap(([, part]) => markedLists(document, part, word)),
  ];
}

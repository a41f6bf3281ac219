// The constraints of a schema of the contract, other than its type, as text.
import {
  child,
  children,
  type DocumentNode,
  isNodeObject,
  type Node,
  type NodeObject,
  textAt,
} from '../../contract/document.ts';
import { NETBIRD_SCHEMA } from '../../contract/index.ts';

/** The limits of a value of this schema, a few words each. */
export function limitsOf(document: NodeObject, schema: DocumentNode): readonly string[] {
  if (!isNodeObject(schema.node)) return [];
  const { node } = schema;
  const parts = child(document, schema, 'allOf');
  return [
    ...between(node.minimum, node.maximum),
    ...between(node.minLength, node.maxLength, 'character'),
    ...between(node.minItems, node.maxItems, 'entry', 'entries'),
    ...(textAt(schema, 'format') === 'date-time' ? ['RFC 3339'] : []),
    ...[textAt(schema, 'contentEncoding')].filter(text => text !== ''),
    ...(textAt(schema, 'pattern') === '' ? [] : [`matches ${textAt(schema, 'pattern')}`]),
    ...(node.default === undefined ? [] : [`default ${JSON.stringify(node.default)}`]),
    ...(node['x-ordered'] === true ? ['in order'] : []),
    ...(node['x-cloud-only'] === true ? ['cloud only'] : []),
    ...netbirdLimits(document, schema),
    // For an object, the limits of the schemas in `allOf` are left out, because its fields show their own limits.
    ...(parts === undefined || isNodeObject(node.properties)
      ? []
      : children(document, parts).flatMap(([, part]) => limitsOf(document, part))),
  ];
}

function netbirdLimits(document: NodeObject, schema: DocumentNode): readonly string[] {
  const other = child(document, schema, NETBIRD_SCHEMA);
  return other ? limitsOf(document, other).map(limit => `in dialect netbird ${limit}`) : [];
}

function between(
  low: Node | undefined,
  high: Node | undefined,
  one = '',
  many = one && `${one}s`,
): string[] {
  const counted = (bound: Node) => `${bound} ${bound === 1 ? one : many}`.trimEnd();
  if (low !== undefined && high !== undefined) return [`${low} to ${counted(high)}`];
  if (low !== undefined) return [`at least ${counted(low)}`];
  return high === undefined ? [] : [`at most ${counted(high)}`];
}

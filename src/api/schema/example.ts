// The smallest body that an operation accepts, for its example.
import { isNodeObject } from '../../contract/document.ts';
import type { DocumentNode, Node, NodeObject } from '../../contract/index.ts';
import type { Json } from '../../model/value.ts';
import { isSecretNode } from './secrets.ts';
import { memberOf, partsOf, propertiesOf, wordsAt } from './walk.ts';

/** A placeholder for a secret, which satisfies the rules for passwords. */
const SECRET = 'Secret-1';

/** A value that fits the schema and contains only required fields. */
export function exampleOf(document: NodeObject, schema: DocumentNode): Json {
  const [type] = wordsAt(schema, 'type');
  const shown = wordsAt(schema, 'examples')[0] ?? wordsAt(schema, 'enum')[0];
  const [form] = partsOf(document, schema, 'anyOf');
  if (isSecretNode(schema)) return SECRET;
  if (form !== undefined) return exampleOf(document, form);
  switch (type) {
    case 'object':
      return Object.fromEntries(
        propertiesOf(document, schema)
          .filter(({ required }) => required)
          .map(({ name, node }) => [name, exampleOf(document, node)]),
      );
    case 'array': {
      const member = memberOf(document, schema);
      const mayBeEmpty = (keyword(schema, 'minItems') ?? 0) === 0;
      if (member === undefined || (isPlain(member) && mayBeEmpty)) return [];
      return [exampleOf(document, member)];
    }
    case 'boolean':
      return true;
    case 'integer':
      return Number(keyword(schema, 'default') ?? keyword(schema, 'minimum') ?? 1);
    default:
      return shown ?? 'text';
  }
}

const isPlain = (schema: DocumentNode): boolean => wordsAt(schema, 'type')[0] !== 'object';

function keyword({ node }: DocumentNode, name: string): Node | undefined {
  return isNodeObject(node) ? node[name] : undefined;
}

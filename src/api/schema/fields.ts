// A schema of the contract in a form for people: its type as text, and a list of its fields.
import { type DocumentNode, type NodeObject, textAt } from '../../contract/document.ts';
import { limitsOf } from './constraintText.ts';
import { isSecretNode } from './secrets.ts';
import { memberOf, partsOf, propertiesOf, wordsAt } from './walk.ts';

/** A field of an object, or an alternative of a value. */
export interface SchemaField {
  /** The nesting depth; 0 for the fields of the value itself. */
  readonly depth: number;
  readonly name: string;
  readonly type: string;
  /** Notes of a few words: required, limits, secret. */
  readonly marks: readonly string[];
  readonly description: string;
}

/** The fields of a value, or of each entry of a list or map, each followed by the fields inside it. */
export function fieldsOf(
  document: NodeObject,
  schema: DocumentNode,
  depth = 0,
): readonly SchemaField[] {
  const member = memberOf(document, schema);
  if (member !== undefined) return fieldsOf(document, member, depth);
  const properties = propertiesOf(document, schema).flatMap(({ name, node, required }) =>
    fieldOf(document, node, { name, depth, required }),
  );
  const forms = partsOf(document, schema, 'anyOf')
    .filter(form => propertiesOf(document, form).length > 0)
    .flatMap(form => fieldOf(document, form, { name: 'either', depth, required: false }));
  return [...properties, ...forms];
}

/** The type of a value as text: `list of string`, `one of accept, drop`. */
export function typeText(document: NodeObject, schema: DocumentNode): string {
  const allowed = wordsAt(schema, 'enum');
  if (allowed.length > 0) return `one of ${allowed.join(', ')}`;
  const types = wordsAt(schema, 'type');
  if (types.length === 0) {
    const forms = partsOf(document, schema, 'anyOf');
    return forms.map(form => typeText(document, form)).join(' or ');
  }
  const member = memberOf(document, schema);
  if (member === undefined) return types.join(' or ');
  return `${types[0] === 'array' ? 'list' : 'map'} of ${typeText(document, member)}`;
}

function fieldOf(
  document: NodeObject,
  node: DocumentNode,
  { name, depth, required }: Pick<SchemaField, 'name' | 'depth'> & { required: boolean },
): readonly SchemaField[] {
  const marks = [
    ...(required ? ['required'] : []),
    ...secretMarks(document, node),
    ...limitsOf(document, node),
  ];
  const type = typeText(document, node);
  const field = { depth, name, type, marks, description: textAt(node, 'description') };
  return [field, ...fieldsOf(document, node, depth + 1)];
}

function secretMarks(document: NodeObject, node: DocumentNode): readonly string[] {
  if (isSecretNode(node)) return ['secret'];
  const member = memberOf(document, node);
  return member !== undefined && isSecretNode(member) ? ['each one a secret'] : [];
}

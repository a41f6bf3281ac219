// A kind, or one of its fields, explained from its schema: what it is, what may stand there, what the API does with it.
import type { Field, Kind, KindTable, ObjectShape, Shape } from '../kinds/kind.ts';
import { objectIn } from '../kinds/lookup.ts';
import { isList, type Json } from '../model/value.ts';
import { wrap } from './lines.ts';
import { rowLines } from './rows.ts';
import { type Style, WIDTH } from './style.ts';

/** All kinds, one line each. */
export function kindList(kinds: KindTable, style: Style): string {
  const rows = [...kinds.values()].map(({ name, description }) => ({ name, text: description }));
  return [...rowLines(rows, style), ''].join('\n');
}

/** A kind: where it stands in YAML, what names it, and its fields, one line each. */
export function kindText(kind: Kind, style: Style): string {
  const facts = [
    ['in YAML', kind.at],
    ['API', kind.path],
    ['named by', kind.identity.map(part => part.replaceAll('|', ' or ')).join(', ')],
    ...(kind.unique ? [['names', `unique in the ${kind.unique}`]] : []),
    ['can be', [...kind.verbs].map(verb => `${verb}d`).join(', ') || 'only pointed at'],
    ...kind.reserved.map(rule => ['reserved', rule.because]),
  ];
  const heading = `${style.strong(kind.title)} (${kind.name})`;
  const lines = facts.map(([name = '', value = '']) => `  ${name.padEnd(9)} ${value}`);
  return [
    heading,
    ...wrap(kind.description, WIDTH),
    '',
    ...lines,
    '',
    style.strong('Fields'),
    '',
    ...fieldRows(kind.shape, style),
    '',
  ].join('\n');
}

/** One field: everything that is known of it, and its own fields where it has some. */
export function fieldText(kind: Kind, path: readonly string[], field: Field, style: Style): string {
  const facts = fieldFacts(field, path.length === 1).map(fact => `  ${fact}`);
  const inner = objectIn(field.shape);
  const heading = `${style.strong(`${kind.name}.${path.join('.')}`)}: ${typeText(field.shape, field.schema)}`;
  const fields = inner ? ['', style.strong('Fields'), '', ...fieldRows(inner, style)] : [];
  return [heading, ...wrap(field.description, WIDTH), '', ...facts, ...fields, ''].join('\n');
}

function fieldRows(shape: ObjectShape, style: Style): readonly string[] {
  const rows = [...shape.fields.values()].map(field => {
    const marks = rowMarks(field).join(', ');
    const what = `${typeText(field.shape, field.schema)}${marks ? ` (${marks})` : ''}`;
    return { name: field.name, what, text: field.description };
  });
  return rowLines(rows, style);
}

function rowMarks(field: Field): string[] {
  return [
    field.readOnly && 'read-only',
    field.required && 'required',
    field.default !== undefined && `default ${JSON.stringify(field.default)}`,
  ].filter(mark => mark !== false);
}

function fieldFacts(field: Field, isTop: boolean): string[] {
  const { schema, shape } = field;
  const facts: (string | false | undefined)[] = [
    field.required && 'must be there',
    field.default !== undefined && `default: ${JSON.stringify(field.default)}`,
    // Inside an object everything that is written is compared whole: design §2.
    isTop &&
      !field.required &&
      field.default === undefined &&
      !field.readOnly &&
      'left as it is in the account where it is missing',
    field.readOnly && 'set by the server: not written, not compared',
    field.writeOnly && 'never given back: sent, not compared',
    field.immutable && 'cannot change: another value means another object',
    field.inputOnly && 'taken on create and read back in another form: not compared',
    field.echo && 'sent back as it was read, with every write',
    field.shared &&
      'shared: members that no file declares stay, unless lifecycle.exact names the field',
    field.inverse !== undefined && `the same fact as the other object's ${field.inverse}`,
    shape.type === 'scalar' &&
      shape.secret &&
      'a secret: written as ${env:NAME} or ${file:path}, never shown',
    shape.type === 'scalar' && shape.normalise && `compared by its meaning: ${shape.normalise}`,
    field.updateOnly === 'maybe-ignored' && 'a create may ignore it; an update follows at once',
    field.updateOnly === 'never-sent' && 'set by an update after the create',
    isList(schema.enum) && `one of: ${schema.enum.join(', ')}`,
    bounds(schema.minimum, schema.maximum, 'from', 'to'),
    bounds(schema.minLength, schema.maxLength, 'at least', 'at most', ' characters'),
    bounds(schema.minItems, schema.maxItems, 'at least', 'at most', ' members'),
    schema.format !== undefined && `form: ${schema.format}`,
    shape.type === 'list' &&
      shape.set !== false &&
      (shape.set.by
        ? `told apart by ${shape.set.by}; order does not matter`
        : 'order does not matter'),
  ];
  return facts.filter(fact => typeof fact === 'string');
}

function bounds(
  low: Json | undefined,
  high: Json | undefined,
  from: string,
  to: string,
  unit = '',
): string | false {
  const parts = [
    low !== undefined && `${from} ${low}`,
    high !== undefined && `${to} ${high}`,
  ].filter(Boolean);
  return parts.length > 0 && `${parts.join(', ')}${unit}`;
}

function typeText(shape: Shape, schema: { readonly [name: string]: Json }): string {
  switch (shape.type) {
    case 'scalar': {
      if (shape.ref) return `name of a ${shape.ref}`;
      return shape.secret
        ? 'secret text'
        : typeof schema.type === 'string'
          ? schema.type
          : shape.json;
    }
    case 'choice':
      return `one of ${[...shape.cases.keys()].map(kind => `{ ${kind}: name }`).join(', ')}`;
    case 'list':
      return shape.items.type === 'scalar' && shape.items.ref
        ? `names of ${shape.items.ref}s`
        : `list of ${typeText(shape.items, {})}`;
    case 'dict':
      return shape.keyRef ? `map by name of a ${shape.keyRef}` : 'map';
    case 'object':
      return 'object';
  }
}

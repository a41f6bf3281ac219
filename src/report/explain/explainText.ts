// A kind or a field, explained for a terminal: its meaning, its values, and how the API treats it.
import type { Field, Kind, KindTable, ObjectShape } from '../../kinds/kind.ts';
import { childSteps, objectIn } from '../../kinds/lookup.ts';
import { wrap } from '../text/lines.ts';
import { readable, type Style } from '../text/style.ts';
import { exampleText } from './example.ts';
import { choicesText, fieldFacts, kindFacts, typeText } from './explainWords.ts';
import { type Row, rowLines } from './rows.ts';

/** All kinds, one line each. */
export function kindList(kinds: KindTable, style: Style): string {
  const rows = [...kinds.values()].map(({ name, description }) => ({ name, text: description }));
  return [...rowLines(rows, style), ''].join('\n');
}

/** A kind: its position in YAML, its identity, its special behaviour, its fields, and an example. */
export function kindText(kind: Kind, kinds: KindTable, style: Style): string {
  const facts = kindFacts(kind).map(({ name, text }) => ({ name, text: plain(text) }));
  return [
    `${style.strong(kind.title)} (${kind.name})`,
    ...wrap(kind.description, readable(style)),
    '',
    ...rowLines(facts, style),
    '',
    ...fieldLines(kind.shape, childRows(kind, kinds), style),
    ...serverLines(kind.shape, style, childRows(kind, kinds)),
    ...exampleLines(exampleText(kind, kinds), style),
  ].join('\n');
}

/** A field: its description, its nested fields if there are any, and an example that contains it. */
export function fieldText(
  { kind, path, field }: { kind: Kind; path: readonly string[]; field: Field },
  kinds: KindTable,
  style: Style,
): string {
  const facts = fieldFacts(field, path.length === 1).map(fact => `  ${fact}`);
  const inner = objectIn(field.shape);
  const heading = `${style.strong(`${kind.name}.${path.join('.')}`)}: ${typeText(field.shape, field.schema)}`;
  return [
    heading,
    ...wrap(field.description, readable(style)),
    '',
    ...(facts.length > 0 ? [...facts, ''] : []),
    ...(inner ? [...fieldLines(inner, [], style), ...serverLines(inner, style)] : []),
    ...(field.readOnly ? [] : exampleLines(exampleText(kind, kinds, path), style)),
  ].join('\n');
}

// On a terminal the backticks around names are removed.
const plain = (text: string): string => text.replaceAll('`', '');

function fieldLines(shape: ObjectShape, children: readonly Row[], style: Style): readonly string[] {
  return [
    style.strong('Fields'),
    '',
    ...rowLines([...fieldRows(shape, 0), ...children], style),
    '',
  ];
}

// Writable fields, with nested fields indented below their parents.
function fieldRows(shape: ObjectShape, depth: number): readonly Row[] {
  return writable(shape).flatMap(field => {
    const marks = rowMarks(field).join('; ');
    const what = `${typeText(field.shape, field.schema)}${marks ? ` (${marks})` : ''}`;
    const inner = objectIn(field.shape);
    return [
      { name: field.name, what, text: field.description, depth },
      ...(inner ? fieldRows(inner, depth + 1) : []),
    ];
  });
}

const writable = ({ fields }: ObjectShape): readonly Field[] =>
  [...fields.values()].filter(({ readOnly }) => !readOnly);

// The rows of nested objects, which are separate kinds: `explain` with the name of such a kind describes it.
const childRows = (kind: Kind, kinds: KindTable): readonly Row[] =>
  childSteps(kind, kinds).map(({ step, child }) => ({
    name: step,
    what: `list of ${child.name}`,
    text: `${child.description} See \`meshform explain ${kind.name}.${step}\`.`,
  }));

// Omits the ids of nested objects, because users never write them.
function serverLines(
  shape: ObjectShape,
  style: Style,
  children: readonly Row[] = [],
): readonly string[] {
  const nested = new Set(children.map(({ name }) => name));
  const names = [...shape.fields.values()].flatMap(({ readOnly, name }) =>
    readOnly && !nested.has(name) ? name : [],
  );
  if (names.length === 0) return [];
  const text = `Set by the server, not written and not compared: ${names.join(', ')}`;
  return [...wrap(text, readable(style)).map(style.faint), ''];
}

function exampleLines(yaml: string, style: Style): readonly string[] {
  const lines = yaml.trimEnd().split('\n');
  return [style.strong('Example'), '', ...lines.map(line => `  ${line}`), ''];
}

function rowMarks(field: Field): string[] {
  return [
    field.required && 'required',
    field.default !== undefined && `default ${JSON.stringify(field.default)}`,
    choicesText(field.schema),
  ].filter(mark => typeof mark === 'string');
}

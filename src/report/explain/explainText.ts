// A kind, or one of its fields, explained for a terminal: what it is, what may stand there, what the API does with it.
import type { Field, Kind, KindTable, ObjectShape } from '../../kinds/kind.ts';
import { objectIn } from '../../kinds/lookup.ts';
import { wrap } from '../text/lines.ts';
import { type Style, WIDTH } from '../text/style.ts';
import { fieldFacts, kindFacts, typeText } from './explainWords.ts';
import { rowLines } from './rows.ts';

/** All kinds, one line each. */
export function kindList(kinds: KindTable, style: Style): string {
  const rows = [...kinds.values()].map(({ name, description }) => ({ name, text: description }));
  return [...rowLines(rows, style), ''].join('\n');
}

/** A kind: where it stands in YAML, what names it, what is odd about it, and its fields. */
export function kindText(kind: Kind, style: Style): string {
  const facts = kindFacts(kind).map(({ name, text }) => ({ name, text: plain(text) }));
  return [
    `${style.strong(kind.title)} (${kind.name})`,
    ...wrap(kind.description, WIDTH),
    '',
    ...rowLines(facts, style),
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

// A terminal has no need of the marks that set names apart.
const plain = (text: string): string => text.replaceAll('`', '');

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

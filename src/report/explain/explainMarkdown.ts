// The reference of kinds as Markdown, generated from their schemas: a table of all kinds, and for each its facts, fields and an
// example.
import type { Field, Kind, KindTable } from '../../kinds/kind.ts';
import { code } from '../text/markdown.ts';
import { exampleText } from './example.ts';
import { type FieldAtPath, fieldFacts, fieldsWithin, kindFacts, typeText } from './explainWords.ts';

/** A section for each kind, below a table with links to them. */
export function kindsMarkdown(kinds: KindTable): string {
  const sections = [...kinds.values()].map(kind => kindMarkdown(kind, kinds));
  return [
    '# Kinds',
    '',
    'The kinds of objects in an account and their fields. `meshform explain --all --format markdown` prints this page.',
    'In YAML every object can also have a `lifecycle`, and references use the names of the files.',
    '',
    kindTable(kinds, name => `[${name}](#${name})`),
    ...sections,
  ].join('\n');
}

/** A table with a row for each kind. */
export function kindTable(kinds: KindTable, linked = code): string {
  const rows = [...kinds.values()].map(({ name, at, description }) => [
    linked(name),
    code(at),
    description,
  ]);
  return table(['kind', 'in YAML', 'what it is'], rows);
}

/** A kind: its facts, its fields and nested fields, read-only fields, and an example. */
export function kindMarkdown(kind: Kind, kinds: KindTable): string {
  const facts = kindFacts(kind).map(({ name, text }) => [name, text]);
  const [top = ''] = kind.at.split(/[[.]/);
  const file = `examples/everything/${top}.yaml`;
  const fields = [...kind.shape.fields.values()];
  const own = fields.filter(({ readOnly }) => !readOnly).flatMap(field => fieldsWithin(field));
  const servers = fields.filter(({ readOnly }) => readOnly);
  return [
    `## ${kind.name}`,
    '',
    kind.description,
    '',
    table(['', ''], facts),
    fieldTable(own),
    'Set by the server, not written and not compared:',
    '',
    table(
      ['field', 'what it is'],
      servers.map(({ name, description }) => [code(name), description]),
    ),
    `For example, as also in [${code(file)}](../${file}):`,
    '',
    `\`\`\`yaml\n${exampleText(kind, kinds)}\`\`\``,
    '',
  ].join('\n');
}

/** A field of a kind, its nested fields, and an example that contains it. */
export function fieldMarkdown(
  { kind, path, field }: { kind: Kind; path: readonly string[]; field: Field },
  kinds: KindTable,
): string {
  const [, ...inside] = fieldsWithin(field);
  return [
    `## ${kind.name}.${path.join('.')}`,
    '',
    `${field.description}`,
    '',
    ...[typeText(field.shape, field.schema), ...fieldFacts(field, path.length === 1)].map(
      fact => `- ${fact}`,
    ),
    '',
    ...(inside.length > 0 ? [fieldTable(inside)] : []),
    ...(field.readOnly
      ? []
      : ['For example:', '', `\`\`\`yaml\n${exampleText(kind, kinds, path)}\`\`\``, '']),
  ].join('\n');
}

function fieldTable(fields: readonly FieldAtPath[]): string {
  const rows = fields.map(({ path, field }) => [
    code(path),
    typeText(field.shape, field.schema),
    field.description,
    fieldFacts(field, !path.includes('.')).join('; '),
  ]);
  return table(['field', 'type', 'what it is', 'what to know'], rows);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line), ''].join('\n');
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

// Keywords of the files besides kinds and fields: keys beside objects, keys that every object can have, and settings of the
// project file. Their descriptions come from the schemas that editors use.
import { stringify } from 'yaml';
import { shippedSchema } from '../../kinds/registry.ts';
import { OF_FILES, OF_OBJECTS } from '../../kinds/schema/desiredStateSchema.ts';
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import { wrap } from '../text/lines.ts';
import { code } from '../text/markdown.ts';
import { readable, type Style } from '../text/style.ts';
import { type Row, rowLines } from './rows.ts';

/** A word of the files. */
export interface FileWord {
  readonly name: string;
  /** The place in the files where the word is written. */
  readonly place: string;
  readonly text: string;
  /** The possible entries, if the entries have fixed names. */
  readonly entries: readonly Required<Omit<Row, 'depth'>>[];
  readonly example?: string;
}

const PROJECT_SCHEMA = 'project.schema.json';
const FLEET_SCHEMA = 'fleet.schema.json';

/** All words of the files. */
export function fileWords(): readonly FileWord[] {
  return [
    ...wordsOf(OF_FILES, 'At the top level of any file.'),
    ...wordsOf(OF_OBJECTS, 'In an object, and in a member of a list inside an object.'),
    ...settingWords(),
  ];
}

// The settings of project and fleet files; a setting that both files have is one word.
function settingWords(): readonly FileWord[] {
  const project = wordsOf(settingsIn(PROJECT_SCHEMA), 'In meshform.yaml.');
  const fleet = wordsOf(settingsIn(FLEET_SCHEMA), 'In fleet.yaml.');
  const both = project.map(word => {
    const other = fleet.find(({ name }) => name === word.name);
    if (!other) return word;
    const place = 'In meshform.yaml and fleet.yaml.';
    const text = `${word.text} In fleet.yaml: ${other.text}`;
    return { ...word, place, text, entries: [...word.entries, ...other.entries] };
  });
  return [...both, ...fleet.filter(({ name }) => !project.some(one => one.name === name))];
}

function settingsIn(schema: string): JsonObject {
  const { properties } = shippedSchema(schema);
  return isObject(properties) ? properties : {};
}

function wordsOf(schemas: JsonObject, place: string): readonly FileWord[] {
  return Object.entries(schemas).flatMap(([name, schema]) => {
    if (!isObject(schema)) return [];
    const [example] = isList(schema.examples) ? schema.examples : [];
    return {
      name,
      place,
      text: String(schema.description ?? ''),
      entries: entriesOf(schema),
      ...(example !== undefined && { example: stringify({ [name]: example }, { lineWidth: 100 }) }),
    };
  });
}

function entriesOf(schema: JsonObject): FileWord['entries'] {
  const inside = [schema, schema.items, schema.additionalProperties].filter(isObject);
  return inside
    .flatMap(({ properties }) => Object.entries(isObject(properties) ? properties : {}))
    .flatMap(([name, entry]) =>
      isObject(entry) ? [{ name, what: typeOf(entry), text: String(entry.description ?? '') }] : [],
    );
}

const TYPES: Readonly<Record<string, string>> = { array: 'list', object: 'map' };

function typeOf({ type, anyOf }: JsonObject): string {
  const types: readonly Json[] = isList(anyOf)
    ? anyOf.map(one => (isObject(one) ? (one.type ?? '') : ''))
    : [type ?? ''];
  return types.map(one => TYPES[String(one)] ?? String(one)).join(' or ');
}

/** The word for a terminal. */
export function fileWordText(
  { name, place, text, entries, example }: FileWord,
  style: Style,
): string {
  const rows = entries.length > 0 ? ['', ...rowLines(entries, style)] : [];
  const shown = example === undefined ? [] : ['', 'For example:', '', ...indented(example)];
  return [
    style.strong(name),
    ...wrap(place, readable(style)),
    ...wrap(text, readable(style)),
    ...rows,
    ...shown,
    '',
  ].join('\n');
}

const indented = (yaml: string): readonly string[] =>
  yaml
    .trimEnd()
    .split('\n')
    .map(line => `  ${line}`);

/** The word as Markdown. */
export function fileWordMarkdown({ name, place, text, entries, example }: FileWord): string {
  const rows = entries.map(entry => `| ${code(entry.name)} | ${entry.what} | ${entry.text} |`);
  const head = ['| field | type | what it is |', '|---|---|---|'];
  return [
    `## ${name}`,
    '',
    place,
    '',
    text,
    '',
    ...(rows.length > 0 ? [...head, ...rows, ''] : []),
    ...(example === undefined ? [] : ['For example:', '', `\`\`\`yaml\n${example}\`\`\``, '']),
  ].join('\n');
}

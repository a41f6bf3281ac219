// docs/kind-schema.md: the language of the kind schemas as its definition and the shipped schemas have it.
import { FIELD_WORDS } from '../../src/kinds/language/fieldWords.ts';
import { KIND_WORDS, REQUIRED_KIND_WORDS } from '../../src/kinds/language/kindWords.ts';
import type { Word, Words } from '../../src/kinds/language/schemaWord.ts';
import { isList, isObject, type Json, type JsonObject } from '../../src/model/value.ts';

/** A use of a word: the kind, the field where it is a word of a field, and the value. */
export interface Use {
  readonly kind: string;
  readonly field?: string;
  readonly value: Json;
}

/** What the schemas of kinds use of each word of `x-kind`, and of `x-trait`. */
export function usesIn(schemas: readonly JsonObject[]): {
  readonly kind: ReadonlyMap<string, readonly Use[]>;
  readonly field: ReadonlyMap<string, readonly Use[]>;
} {
  const found = { kind: new Map<string, Use[]>(), field: new Map<string, Use[]>() };
  const note = (into: Map<string, Use[]>, trait: Json | undefined, at: Omit<Use, 'value'>) => {
    for (const [word, value] of Object.entries(isObject(trait) ? trait : {}))
      into.set(word, [...(into.get(word) ?? []), { ...at, value }]);
  };
  const visit = (value: Json, kind: string, field: string): void => {
    if (isList(value)) for (const one of value) visit(one, kind, field);
    if (!isObject(value)) return;
    note(found.field, value['x-trait'], { kind, field });
    for (const [name, inner] of Object.entries(value)) {
      if (name === 'properties' && isObject(inner))
        for (const [own, schema] of Object.entries(inner))
          visit(schema, kind, field === '' ? own : `${field}.${own}`);
      else if (name === '$defs' && isObject(inner))
        for (const [own, schema] of Object.entries(inner)) visit(schema, kind, own);
      else if (!name.startsWith('x-')) visit(inner, kind, field);
    }
  };
  for (const schema of schemas) {
    const kind = isObject(schema['x-kind']) ? String(schema['x-kind'].name) : '';
    note(found.kind, schema['x-kind'], { kind });
    visit(schema, kind, '');
  }
  return found;
}

/** The names of a closed list that a value chooses. */
export function chosenIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (isList(value)) return value.flatMap(chosenIn);
  if (!isObject(value)) return [];
  const { type } = value;
  return typeof type === 'string'
    ? [type]
    : [...Object.keys(value), ...Object.values(value).flatMap(chosenIn)];
}

const code = (text: string): string => `\`${text}\``;
const kindsOf = (uses: readonly Use[]): readonly string[] => [
  ...new Set(uses.map(use => use.kind)),
];

function usedBy(uses: readonly Use[], all: number): string {
  const kinds = kindsOf(uses);
  return kinds.length === all ? 'every kind' : kinds.map(code).join(', ') || 'no shipped kind';
}

function meaningTable({ form }: Word, uses: readonly Use[], all: number): string {
  const rows = Object.entries(form.meanings ?? {}).map(([name, meaning]) => {
    const own = uses.filter(({ value }) => chosenIn(value).includes(name));
    return `| ${code(name)} | ${meaning} | ${usedBy(own, all)} |\n`;
  });
  return rows.length === 0
    ? ''
    : `| value | what it means | used by |\n|---|---|---|\n${rows.join('')}\n`;
}

// One use per strategy where a list has several, and otherwise one per form of the value, so that each is shown.
function examples(word: string, { form }: Word, uses: readonly Use[]): string {
  const isTyped = uses.some(
    ({ value }) => isList(value) && value.some(one => isObject(one) && 'type' in one),
  );
  const shown = isTyped
    ? Object.keys(form.meanings ?? {}).flatMap(
        name => uses.find(({ value }) => chosenIn(value).includes(name)) ?? [],
      )
    : [...Map.groupBy(uses, ({ value }) => outline(value)).values()].map(([first]) => first);
  return [...new Set(shown)]
    .map(use => use && `${placeOf(use)}:\n\n\`\`\`json\n${printed(word, use.value)}\n\`\`\`\n`)
    .join('\n');
}

// What a value is made of, without its texts: the keys of objects, down to the bottom.
function outline(value: Json): string {
  if (isList(value)) return [...new Set(value.map(outline))].sort().join(',');
  if (!isObject(value)) return '.';
  const own = Object.entries(value).map(([name, inner]) => `${name}${outline(inner)}`);
  return `{${own.sort().join()}}`;
}

function placeOf({ kind, field }: Use): string {
  if (field === undefined) return code(kind);
  return `${code(kind)}, ${field === '' ? 'the object itself' : code(field)}`;
}

function printed(word: string, value: Json): string {
  const flat = JSON.stringify({ [word]: value }, null, 1).replaceAll(/\n */g, ' ');
  return flat.length <= 110 ? flat : JSON.stringify({ [word]: value }, null, 2);
}

function section(
  words: Words,
  required: readonly string[],
  uses: ReadonlyMap<string, readonly Use[]>,
  all: number,
): string {
  return Object.entries(words)
    .map(([name, word]) => {
      const own = uses.get(name) ?? [];
      const need = required.includes(name) ? '- Required.\n' : '';
      const otherwise = word.otherwise === undefined ? '' : `- Without it: ${word.otherwise}\n`;
      return `### ${code(name)}

${word.does}

- Value: ${word.form.wants}
${need}${otherwise}- Used by: ${usedBy(own, all)}

${meaningTable(word, own, all)}${examples(name, word, own)}`;
    })
    .join('\n');
}

/** The page, from the schemas of all kinds. */
export function kindSchemaPage(schemas: readonly JsonObject[]): string {
  const uses = usesIn(schemas);
  return `# The schema language of kinds

Each kind is a file in \`schemas/kinds\`: JSON Schema for the fields of its objects, and two keywords of meshform. \`x-kind\`, at
the root, says where the objects are and how the API treats them; \`x-trait\`, on a field, says the same of the field. This page
is generated from the definition in \`src/kinds/language\`, from which also the types and the check of the schemas come.
[Adding a kind](adding-a-kind.md) shows how to write a schema.

A schema with a fault stops meshform at its start, with a sentence for each fault:

\`\`\`text
the kind schema zone.schema.json: /x-kind has no word \`identiti\`; did you mean \`identity\`?
the kind schema zone.schema.json: /x-kind/updateMode must be \`whole\`, \`mutable\` or \`partial\`, not "patial"; did you mean \`partial\`?
\`\`\`

## Words of a kind: \`x-kind\`

${section(KIND_WORDS, REQUIRED_KIND_WORDS, uses.kind, schemas.length)}
## Words of a field: \`x-trait\`

Besides these, the keywords \`readOnly\` (set by the server: never written, never compared), \`writeOnly\` (never shown: sent, not
compared), \`required\` and \`default\` of JSON Schema have their usual meaning.

${section(FIELD_WORDS, [], uses.field, schemas.length)}`;
}

// Builds the JSON Schema of a desired-state file for editors, with titles and descriptions.
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import { namedItems } from '../identity/namedItems.ts';
import { type Sections, sectionsUnder } from '../identity/sections.ts';
import type { Kind, KindTable } from '../kind.ts';
import { forEditors, OUTSIDE } from './editorSchema.ts';
import { withoutReadOnly } from './objectSchema.ts';
import { NO_NULLS, partialMapping, partialProperties, wholeProperties } from './partialSchema.ts';
import { FOR_EACH, neverRepeated, notFilled, REPEATS, repeatable, SETS } from './repeatedSchema.ts';

/**
 * The schema of a desired-state file. Every kind is at its place, without read-only fields; every object has `lifecycle` and
 * contains its children. The schema uses only standard keywords, and accepts `${var:…}` in every text.
 */
export function desiredStateSchema(
  kinds: KindTable,
  lifecycle: JsonObject,
  accessTests: JsonObject,
): JsonObject {
  const definitions: Record<string, Json> = {
    outside: OUTSIDE,
    for_each: FOR_EACH,
    lifecycle: partialMapping(forEditors(lifecycle, '')),
  };
  for (const kind of kinds.values()) {
    if (kind.verbs.size > 0) Object.assign(definitions, kindDefinitions(kind, kinds));
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'meshform desired state',
    description:
      'What an account of the Management API should contain. All files of a folder are read together.',
    type: 'object',
    additionalProperties: false,
    properties: {
      ...sectionSchemas(sectionsUnder(kinds)),
      access_tests: neverRepeated(forEditors(withoutSchema(accessTests), '')),
      ...OF_FILES,
    },
    patternProperties: { '^x-': ANCHORS },
    $defs: definitions,
  };
}

function withoutSchema({ $schema: _, ...schema }: JsonObject): JsonObject {
  return schema;
}

const EXTENDS: JsonObject = {
  title: 'Extends',
  description:
    'The template that this extends, or a list of templates, of which later ones take precedence. Mappings merge, lists and scalars replace, and null removes.',
  anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
  examples: ['office'],
};

const TEMPLATES: JsonObject = {
  title: 'Templates',
  description: 'Fields that objects inherit with extends. Every file can use them.',
  type: 'array',
  items: {
    type: 'object',
    required: ['name'],
    properties: {
      name: { title: 'Name', description: 'The name of the template.', type: 'string' },
      extends: EXTENDS,
    },
  },
  examples: [[{ name: 'office', description: 'managed by the network team' }]],
};

/** The top-level keys of a file that are not objects. */
export const OF_FILES: JsonObject = { templates: TEMPLATES, sets: SETS };

/** The keys that every object of a list can have in addition to its fields. */
export const OF_OBJECTS: JsonObject = { extends: EXTENDS, ...REPEATS };

const ANCHORS: JsonObject = {
  title: 'For YAML anchors',
  description:
    'Ignored by meshform: a place for values that YAML anchors repeat elsewhere in the document.',
};

function sectionSchemas(sections: Sections): JsonObject {
  const entries = [...sections].map(([key, section]): [string, Json] => {
    const { kind, list, inside } = section;
    const held = kind ? { $ref: `#/$defs/${kind.name}` } : groupOf(inside);
    const title = capitalised(kind?.plural ?? key.replaceAll('_', ' '));
    const description = kind?.description ?? `One of: ${[...inside.keys()].join(', ')}.`;
    return [key, { title, description, ...(list ? { type: 'array', items: held } : held) }];
  });
  return Object.fromEntries(entries);
}

const groupOf = (sections: Sections): JsonObject => ({
  type: 'object',
  additionalProperties: false,
  properties: sectionSchemas(sections),
});

function kindDefinitions(kind: Kind, kinds: KindTable): JsonObject {
  const { $schema, $defs, 'x-kind': trait, ...schema } = withoutReadOnly(kind.schema);
  const definitions = Object.entries(isObject($defs) ? $defs : {}).filter(
    (entry): entry is [string, JsonObject] => isObject(entry[1]),
  );
  const own = definitions.map(([name, definition]) => [
    `${kind.name}.${name}`,
    repeatable(forEditors(definition, kind.name)),
  ]);
  const body = notFilled(forEditors({ ...schema, description: kind.description }, kind.name));
  const fields = isObject(body.properties) ? body.properties : {};
  const sections = sectionSchemas(sectionsUnder(kinds, kind.name));
  const merged = { ...sections, ...namedLists(kind, partialProperties(fields)) };
  const properties = {
    extends: EXTENDS,
    ...(kind.cardinality === 'collection' && REPEATS),
    ...(kind.parent !== undefined && OMITTED),
    ...partialProperties(fields),
    ...sections,
    ...partsOf(merged),
    lifecycle: {
      title: 'Lifecycle',
      description: 'Settings for meshform that are not sent to the API.',
      $ref: '#/$defs/lifecycle',
    },
  };
  return {
    [kind.name]: unlessOverriding(
      unlessPartial(kind, { ...body, properties }, wholeProperties(fields)),
      merged,
    ),
    ...Object.fromEntries(own),
  };
}

const GOES: JsonObject = {
  properties: {
    lifecycle: { type: 'object', properties: { delete: { const: true } }, required: ['delete'] },
  },
  required: ['lifecycle'],
};

const IS_EXTENDED: JsonObject = { required: ['extends'] };

const OVERRIDES = saying('override');

/** The schema of an object that changes or removes an object of an earlier layer. */
const IS_LAYERED: JsonObject = {
  anyOf: [OVERRIDES, saying('omit'), { properties: { omit: { const: true } }, required: ['omit'] }],
};

function saying(setting: string): JsonObject {
  const lifecycle = {
    type: 'object',
    properties: { [setting]: { const: true } },
    required: [setting],
  };
  return { properties: { lifecycle }, required: ['lifecycle'] };
}

const OMITTED: JsonObject = {
  omit: {
    title: 'Omit',
    const: true,
    description:
      'In an object that overrides an object of an earlier layer: removes the item of this name.',
  },
};

// The lists that layers merge by name. In an object that changes an earlier layer, an entry of such a list contains only the
// differences.
function namedLists(kind: Kind, fields: JsonObject): JsonObject {
  const entries = [...kind.shape.fields.keys()].flatMap((name): [string, Json][] => {
    const found = namedItems(kind, name) === undefined ? undefined : fields[name];
    return found === undefined ? [] : [[name, found]];
  });
  return Object.fromEntries(entries);
}

function partsOf(merged: JsonObject): JsonObject {
  const entries = Object.entries(merged).map(([name, schema]): [string, Json] => {
    const { title, description } = isObject(schema) ? schema : {};
    const about = { ...(title && { title }), ...(description && { description }) };
    return [name, { ...about, type: ['array', 'null'], items: { type: 'object' } }];
  });
  return Object.fromEntries(entries);
}

const unlessOverriding = (schema: JsonObject, merged: JsonObject): JsonObject =>
  Object.keys(merged).length === 0
    ? schema
    : { ...schema, allOf: [{ if: OVERRIDES, else: { properties: merged } }] };

// Applies the full schema to complete objects only. An object that is marked for deletion needs only its name. An object that
// extends templates, or that changes an object of an earlier layer, may get its other fields from there.
function unlessPartial(kind: Kind, schema: JsonObject, whole: JsonObject): JsonObject {
  const { required, allOf, oneOf, ...rest } = schema;
  const named = new Set(kind.identity.flat().map(firstStep));
  const always = isList(required) ? required.filter(name => named.has(String(name))) : [];
  const staying = {
    ...NO_NULLS,
    ...(required !== undefined && { required }),
    ...(allOf !== undefined && { allOf }),
    ...(oneOf !== undefined && { oneOf }),
    ...(Object.keys(whole).length > 0 && { properties: whole }),
  };
  return {
    ...rest,
    ...(always.length > 0 && { required: always }),
    if: { anyOf: [IS_EXTENDED, IS_LAYERED, ...(kind.verbs.has('delete') ? [GOES] : [])] },
    else: staying,
  };
}

const firstStep = (path: string): string => path.split('.')[0] ?? path;

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

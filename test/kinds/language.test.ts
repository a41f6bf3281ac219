// The language of the kind schemas: every word is used and documented, and every fault is a sentence with its place.
import { readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { languageFaults } from '../../src/kinds/language/check.ts';
import { FIELD_WORDS } from '../../src/kinds/language/fieldWords.ts';
import { KIND_WORDS } from '../../src/kinds/language/kindWords.ts';
import type { Words } from '../../src/kinds/language/schemaWord.ts';
import { isObject, type Json, type JsonObject } from '../../src/model/value.ts';
import { chosenIn, kindSchemaPage, type Use, usesIn } from './kindSchemaPage.ts';

const FOLDER = new URL('../../schemas/kinds/', import.meta.url);
const PAGE = new URL('../../docs/kind-schema.md', import.meta.url);
const SCHEMAS = readdirSync(FOLDER)
  .sort()
  .map((name): JsonObject => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')));
const USES = usesIn(SCHEMAS);

test('docs/kind-schema.md is fresh', async () => {
  const fresh = kindSchemaPage(SCHEMAS);
  if (process.env.BLESS === '1') await writeFile(PAGE, fresh);
  else expect(await readFile(PAGE, 'utf8')).toBe(fresh);
});

describe.each([
  ['x-kind', KIND_WORDS, USES.kind],
  ['x-trait', FIELD_WORDS, USES.field],
] as const)('%s', (_, words: Words, uses: ReadonlyMap<string, readonly Use[]>) => {
  test('has no keyword that a single kind uses', () => {
    const users = Object.keys(words).map(
      name => [name, new Set(uses.get(name)?.map(({ kind }) => kind)).size] as const,
    );
    expect(users.filter(([, count]) => count < 2)).toEqual([]);
  });

  test('has no strategy that no kind uses', () => {
    const unused = Object.entries(words).flatMap(([name, { form, otherwise = '' }]) => {
      const chosen = new Set(uses.get(name)?.flatMap(({ value }) => chosenIn(value)));
      const isDefault = (value: string) => otherwise === `\`${value}\`.`;
      return Object.keys(form.meanings ?? {}).filter(
        value => !chosen.has(value) && !isDefault(value),
      );
    });
    expect(unused).toEqual([]);
  });

  test('describes every keyword in sentences', () => {
    const texts = Object.values(words).flatMap(({ does, otherwise, form }) => [
      does,
      otherwise ?? does,
      ...Object.values(form.meanings ?? {}),
    ]);
    expect(texts.filter(text => text.length < 3)).toEqual([]);
  });
});

const KIND = {
  name: 'zone',
  plural: 'zones',
  at: 'zones[]',
  path: '/api/zones',
  identity: ['name'],
  verbs: ['create'],
};

/** The faults of a kind `zone` with these words besides the ones that it must have, and with these on its field `name`. */
function faults(kind: Record<string, Json | undefined>, trait?: Json): readonly string[] {
  const words = Object.entries({ ...KIND, ...kind }).filter(([, value]) => value !== undefined);
  const schema = {
    'x-kind': Object.fromEntries(words),
    properties: { name: { type: 'string', ...(trait !== undefined && { 'x-trait': trait }) } },
  };
  return languageFaults(new Map([['zone.schema.json', schema as JsonObject]]));
}

describe('a fault is a sentence with file, place, value and what is expected', () => {
  const at = (path: string, rest: string) => [`zone.schema.json: ${path} ${rest}`];

  test.each<[string, Record<string, Json | undefined>, readonly string[]]>([
    ['no fault', {}, []],
    [
      'an unknown word',
      { identiti: ['name'] },
      at('/x-kind', 'has no word `identiti`; did you mean `identity`?'),
    ],
    ['a missing word', { plural: undefined }, at('/x-kind', 'must have `plural`')],
    [
      'a missing identity',
      { identity: undefined },
      at('/x-kind', 'must have `identity`, because the kind is not a singleton'),
    ],
    [
      'a value outside of the list',
      { updateMode: 'patial' },
      at(
        '/x-kind/updateMode',
        'must be `whole`, `mutable` or `partial`, not "patial"; did you mean `partial`?',
      ),
    ],
    [
      'a field that the kind lacks',
      { identity: ['nmae'] },
      at(
        '/x-kind/identity/0',
        'must be the name of a field of the kind, or a list, not empty, in which each entry is the name of a field of the kind, not "nmae"',
      ),
    ],
    [
      'a choice with a field that the kind lacks',
      { identity: [['name', 'nmae']] },
      at(
        '/x-kind/identity/0/1',
        'must be the name of a field of the kind, not "nmae"; did you mean `name`?',
      ),
    ],
    [
      'a kind that there is not',
      { parent: 'zon' },
      at('/x-kind/parent', 'must be the name of a kind, not "zon"; did you mean `zone`?'),
    ],
    [
      'an unknown strategy',
      { effects: [{ type: 'delet', kind: 'zone' }] },
      at(
        '/x-kind/effects/0/type',
        'must be `delete`, `moveMembers`, `endLogins`, `propagates`, `redirects`, `endangers`, `opensAccount`, `exposes`, `grants` or `grantsByObject`, not "delet"; did you mean `delete`?',
      ),
    ],
    [
      'a strategy without what it needs',
      { constraints: [{ type: 'requires' }] },
      at('/x-kind/constraints/0', 'must have `kind`'),
    ],
    [
      'a strategy with a field that the other kind lacks',
      { effects: [{ type: 'delete', kind: 'zone', by: 'home' }] },
      at('/x-kind/effects/0/by', 'must be the name of a field of the kind beside it, not "home"'),
    ],
    [
      'an unknown dialect',
      { dialects: { netbrid: { path: '/api/zone' } } },
      at(
        '/x-kind/dialects/netbrid',
        'must be `spec` or `netbird`, not "netbrid"; did you mean `netbird`?',
      ),
    ],
    [
      'a repetition',
      { verbs: ['create', 'create'] },
      at(
        '/x-kind/verbs',
        'must be a list without repetitions in which each entry is `create`, `update` or `delete`, not ["create","create"]',
      ),
    ],
  ])('%s', (_, words, sentences) => {
    expect(faults(words)).toEqual(sentences);
  });

  const TRAIT = '/properties/name/x-trait';
  test.each<[string, Json, readonly string[]]>([
    ['no fault', { set: { by: ['name', 'group'] }, secret: 'url' }, []],
    [
      'a misspelt word',
      { mutabilty: 'immutable' },
      at(TRAIT, 'has no word `mutabilty`; did you mean `mutability`?'),
    ],
    ['false', { inputOnly: false }, at(`${TRAIT}/inputOnly`, 'must be true, not false')],
    [
      'an unknown check',
      { check: 'range-oder' },
      at(`${TRAIT}/check`, 'must be `range-order`, not "range-oder"; did you mean `range-order`?'),
    ],
    [
      'a field of the other kind that it lacks',
      { ref: 'zone', inverse: { field: 'nam', written: 'here' } },
      at(
        `${TRAIT}/inverse/field`,
        'must be the name of a field of the kind that `ref` names, not "nam"; did you mean `name`?',
      ),
    ],
    ['nothing', {}, at(TRAIT, 'must be an object, not empty, not {}')],
  ])('a fault on a field is a sentence: %s', (_, trait, sentences) => {
    expect(faults({}, trait)).toEqual(sentences);
  });

  test('all of them are reported', () => {
    expect(faults({ plural: 7, path: '/zones', verbs: 'create' }, { set: 'yes' })).toHaveLength(4);
  });

  test('a fault in a definition is a sentence too', () => {
    const schema = {
      'x-kind': KIND,
      properties: { name: {} },
      $defs: { rule: { 'x-trait': { sets: true } } },
    };
    expect(languageFaults(new Map([['zone.schema.json', schema]]))).toEqual(
      at('/$defs/rule/x-trait', 'has no word `sets`; did you mean `set`?'),
    );
  });
});

test('every kind schema has x-kind', () => {
  expect(languageFaults(new Map([['zone.schema.json', { type: 'object' }]]))).toEqual([
    'zone.schema.json: the schema must have `x-kind`',
  ]);
  expect(SCHEMAS.every(schema => isObject(schema['x-kind']))).toBe(true);
});

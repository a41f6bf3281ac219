// Accounts as people and other tools leave them: names that are shared, empty or read as something else, texts that YAML
// would take for anything but text, pointers to what is gone.
import { remoteId } from '../../../src/model/names.ts';
import type { Json } from '../../../src/model/value.ts';
import type { ReadObject } from '../../../src/wire/decodeAccount.ts';
import type { RandomSource } from './randomSource.ts';

/** Texts that are hard to write down. */
const ODD_TEXTS = [
  '',
  ' ',
  ' a',
  'a ',
  '\t',
  '\n',
  'a\nb',
  'a\n\n b\n',
  'a\r\nb',
  '\u2028',
  '\u0085',
  '\u001b[31m',
  '010',
  '1e3',
  '0x1f',
  '.5',
  '1_000',
  '2026-01-02',
  '12:30:45',
  'yes',
  'No',
  'true',
  'null',
  '~',
  '- a',
  '? a',
  ': a',
  'a: b',
  'a #b',
  '#a',
  '*a',
  '&a',
  '!a',
  '%a',
  '@a',
  '`a',
  '|',
  '>',
  '<<',
  '{a}',
  '[a]',
  '"a"',
  "'a'",
  "it's",
  '\\',
  '\\n',
  'a,b',
  '---',
  '...',
  '=',
  'é',
  '😀',
  '\ud83d',
  '${var:HOME}',
  '${env:HOME}',
  '$${env:HOME}',
  '${file:a}',
  '${x}',
  '${env:',
  '${each.key}',
  '${each.key',
  '${var:a${each:b}${env:c}',
  'id:x',
  'id:',
  'a/b',
  '/',
  'a\\/b',
  '***',
  'sk-****',
  'x'.repeat(300),
  `${'word '.repeat(40)}end`,
] as const;

/** The same account with something odd about every third object. */
export function malformed(
  objects: readonly ReadObject[],
  random: RandomSource,
): readonly ReadObject[] {
  const bent = objects.flatMap((object): ReadObject[] => {
    if (!random.chance(0.35)) return [object];
    switch (random.below(6)) {
      case 0:
        return [];
      case 1:
        return [
          object,
          { ...object, id: twinOf(object), body: { ...object.body, id: twinOf(object) } },
        ];
      case 2:
        return [withField(object, 'name', nameOfAnother(objects, object, random))];
      case 3:
        return [withField(object, 'description', random.pick(ODD_TEXTS))];
      default:
        return [withField(object, 'name', random.pick(ODD_TEXTS))];
    }
  });
  const ids = new Set(bent.map(({ kind, id }) => `${kind} ${id}`));
  const parents = new Map(objects.map(({ id, kind }) => [id, kind]));
  // What nests in something goes with it.
  return bent.filter(
    ({ parentId }) => parentId === undefined || ids.has(`${parents.get(parentId)} ${parentId}`),
  );
}

const twinOf = ({ id }: ReadObject) => remoteId(`${id}-twin`);

function withField(object: ReadObject, name: string, value: Json | undefined): ReadObject {
  if (value === undefined || typeof object.body[name] !== 'string') return object;
  return { ...object, body: { ...object.body, [name]: value } };
}

function nameOfAnother(
  objects: readonly ReadObject[],
  { kind }: ReadObject,
  random: RandomSource,
): Json | undefined {
  const [other] = random.some(
    objects.filter(object => object.kind === kind),
    1,
  );
  return other?.body.name;
}

// A source in every field that takes a secret: a plan that sends it there for the first time gives a right that names the source,
// whose it is and where it goes, whatever the kind is and whether the object is enabled.
import { describe, expect, test } from 'vitest';
import { sourceRights } from '../../../src/access/plan/sharedSources.ts';
import type { Shape } from '../../../src/kinds/kind.ts';
import type { ShownChange } from '../../../src/model/change.ts';
import { type Address, type Key, kindName } from '../../../src/model/names.ts';
import type { ShownAction } from '../../../src/model/plan.ts';
import { secretFrom } from '../../../src/model/secrets/secret.ts';
import type { Fields, Json } from '../../../src/model/value.ts';
import { KINDS } from '../../support/files.ts';
import { secretFields } from '../../support/secretFields.ts';

const OWNER = {
  kind: kindName('directory'),
  key: 'staff' as Key,
  fields: { client_secret: secretFrom('${env:STAFF}') },
};

const PLACES = [...secretFields()].map(place => place.split(': ') as [kind: string, path: string]);
const LOCKS = PLACES.filter(([, path]) => /_auths?\./.test(path));

/** A value with a secret at `path`: `*` is the first item of a list, or the key `k` of a map. */
function withSecret(shape: Shape | undefined, path: readonly string[], secret: Json): Json {
  const [step, ...rest] = path;
  if (step === undefined) return secret;
  if (shape?.type === 'list') return [withSecret(shape.items, rest, secret)];
  if (shape?.type === 'dict') return { k: withSecret(shape.values, rest, secret) };
  const field = shape?.type === 'object' ? shape.fields.get(step)?.shape : undefined;
  return { [step]: withSecret(field, rest, secret) };
}

interface Sides {
  readonly kind: string;
  readonly path: string;
  readonly was?: string;
  readonly is: string;
}

/** The rights of a plan that makes the secret at `path` another one, or creates the object with it. */
function messagesOf({ kind, path, was, is }: Sides): readonly string[] {
  const shape = KINDS.get(kindName(kind))?.shape;
  const side = (text: string) =>
    ({
      ...(withSecret(shape, path.split('.'), secretFrom(text)) as Fields),
      enabled: false,
    }) as Fields;
  const [top = ''] = path.split('.');
  const before = was === undefined ? undefined : side(was);
  const change = {
    address: `${kind}.it` as Address,
    kind: kindName(kind),
    key: 'it' as Key,
    type: before ? 'update' : 'create',
    ...(before && { before }),
    after: side(is),
    fields: before
      ? [
          {
            type: 'value',
            path: [top],
            before: before[top],
            after: side(is)[top],
            since: 'pending',
          },
        ]
      : [],
    notes: [],
  } as unknown as ShownChange;
  const action = { verb: 'update', address: change.address, fields: side(is) } as unknown;
  const plan = { changes: [change], actions: [action as ShownAction] };
  return sourceRights(KINDS, plan, [OWNER]).map(({ message }) => message);
}

const SENT = /^\$\{env:STAFF\}, the `client_secret` of directory\.staff, is sent in `.+`/;

describe.each(PLACES)('a source of another object in %s: %s is a right', (kind, path) => {
  test.each([
    ['in place of another source', '${env:OWN}', '${env:STAFF}'],
    ['before another source', '${env:OWN}', '${env:STAFF}${env:OWN}'],
    ['after a text', 'https://a.example.com/c', 'https://a.example.com/c/${env:STAFF}'],
    ['in a new object', undefined, 'https://a.example.com/${env:STAFF}'],
  ])('%s', (_, was, is) => {
    const messages = messagesOf({ kind, path, is, ...(was && { was }) });
    expect(messages).toContainEqual(expect.stringMatching(SENT));
  });

  test('a source that stays is not a right', () => {
    expect(messagesOf({ kind, path, was: '${env:STAFF}', is: '${env:STAFF}' })).toEqual([]);
  });
});

test('a source that no file had is a right in every field but the secrets of locks', () => {
  const unseen = PLACES.filter(
    ([kind, path]) =>
      messagesOf({ kind, path, was: '${env:OWN}', is: '${env:CI}' }).length === 0 ||
      messagesOf({ kind, path, is: '${env:CI}' }).length === 0,
  );
  expect(LOCKS.length).toBeGreaterThan(2);
  expect(unseen).toEqual(LOCKS);
});

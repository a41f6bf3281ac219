// Every secret of the contract is known as one, and hidden in whatever form a server sends it.
import { describe, expect, test } from 'vitest';
import { operationTable } from '../../src/api/operations/operationsById.ts';
import { answerSchema, requestSchema } from '../../src/api/schema/bodies.ts';
import { isSecretNode, redacted, secretsOf } from '../../src/api/schema/secrets.ts';
import { memberOf, partsOf, propertiesOf } from '../../src/api/schema/walk.ts';
import { children, type DocumentNode, nodeAt } from '../../src/contract/index.ts';
import { present } from '../../src/model/errors.ts';
import { NO_SECRETS, SECRET_WORDS, SECRETS } from './schemaSecrets.ts';

const { document, operations } = operationTable();
const schemas = children(document, present(nodeAt(document, '/components/schemas'), 'schemas'));

/** Every field within a schema by its way, with `*` for the members of a list or map. */
function waysIn(
  schema: DocumentNode,
  way: string,
): readonly (readonly [way: string, node: DocumentNode])[] {
  const member = memberOf(document, schema);
  return [
    ...propertiesOf(document, schema).flatMap(({ name, node }) => [
      [`${way}.${name}`, node] as const,
      ...waysIn(node, `${way}.${name}`),
    ]),
    ...(member === undefined ? [] : [[`${way}.*`, member] as const, ...waysIn(member, `${way}.*`)]),
    ...partsOf(document, schema, 'anyOf').flatMap(form => waysIn(form, way)),
  ];
}

const fields = schemas.flatMap(([name, schema]) => waysIn(schema, name));

describe('which fields are secrets', () => {
  test.each(SECRETS)('%s', way => {
    const nodes = fields.filter(([one]) => one === way).map(([, node]) => node);
    expect(nodes.map(isSecretNode)).toEqual([true]);
  });

  test('no other field', () => {
    const pointers = (some: typeof fields) => [...new Set(some.map(([, node]) => node.pointer))];
    const known = pointers(fields.filter(([way]) => SECRETS.includes(way)));
    expect(pointers(fields.filter(([, node]) => isSecretNode(node)))).toEqual(known);
  });

  test('a field with the name of a secret is a secret, or listed as an exception', () => {
    // What stands inside another schema by name is reported there.
    const own = fields.filter(([way]) => way.split('.').length === 2);
    const unknown = own
      .filter(([way, node]) => SECRET_WORDS.test(way) && !isSecretNode(node))
      .map(([way]) => way);
    const secret = new Set(fields.filter(([, node]) => isSecretNode(node)).map(([way]) => way));
    const isKnown = (way: string) => NO_SECRETS[way] !== undefined || secret.has(`${way}.*`);
    expect(unknown.filter(way => !isKnown(way))).toEqual([]);
  });

  test('the token of an invite in a path, but not its id', () => {
    const secretParameters = [...operations.values()].flatMap(({ id, parameters }) =>
      parameters
        .filter(({ schema }) => isSecretNode(present(nodeAt(document, schema), schema)))
        .map(({ name }) => `${id} ${name}`),
    );
    expect(secretParameters).toEqual(['getUserInvite invite', 'acceptUserInvite token']);
  });
});

describe('hiding', () => {
  const secretsIn = (id: string) => {
    const operation = present(operations.get(id), id);
    return secretsOf(document, present(answerSchema(document, operation), id));
  };

  test('reports which paths held secrets and their values', () => {
    const body = [
      { name: 'a', key: 'one' },
      { name: 'b', key: 'two' },
    ];
    expect(redacted(body, secretsIn('listSetupKeys'))).toEqual({
      body: [
        { name: 'a', key: '(secret)' },
        { name: 'b', key: '(secret)' },
      ],
      hidden: ['/0/key', '/1/key'],
      texts: ['one', 'two'],
    });
  });

  test('leaves empty values', () => {
    const body = { password: '', key: null };
    expect(redacted(body, secretsIn('createUser'))).toEqual({ body, hidden: [], texts: [] });
  });

  test('hides a token whole, as a text or wrapped in an object', () => {
    const hidden = { plain_token: '(secret)' };
    for (const plain_token of ['nbp_1', { token: 'nbp_1' }]) {
      const { body, texts } = redacted({ plain_token }, secretsIn('createToken'));
      expect([body, texts]).toEqual([hidden, ['nbp_1']]);
    }
  });

  test('hides every value of a map of secrets, whatever its key', () => {
    const config = { 'a/b': 'one', '~': 'two' };
    expect(redacted({ config }, secretsIn('createEventStream'))).toMatchObject({
      body: { config: { 'a/b': '(secret)', '~': '(secret)' } },
      hidden: ['/config/a~1b', '/config/~0'],
    });
  });

  test('hides secrets if a server returns one object instead of a list, or a list instead of one', () => {
    const key = { key: 'one' };
    expect(redacted(key, secretsIn('listSetupKeys')).body).toEqual({ key: '(secret)' });
    expect(redacted([key], secretsIn('getSetupKey')).body).toEqual([{ key: '(secret)' }]);
  });

  test('hides a secret that is not a string', () => {
    const { body, texts } = redacted({ secret: 17 }, [['secret']]);
    expect([body, texts]).toEqual([{ secret: '(secret)' }, ['17']]);
  });

  test('changes nothing where there is no secret', () => {
    const { id } = present(operations.get('createGroup'), 'createGroup');
    const operation = present(operations.get(id), id);
    const request = present(requestSchema(document, operation), id);
    const body = { name: 'key', peers: ['token'] };
    expect(redacted(body, secretsOf(document, request))).toEqual({ body, hidden: [], texts: [] });
  });
});

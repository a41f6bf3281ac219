// Objects that only their id tells apart: of one name, without a name, with a name that reads as an id.
import { describe, expect, test } from 'vitest';
import { load } from '../support/files.ts';

const keysIn = (text: string) =>
  load(text).desired.map(({ kind, key, parent }) => [kind, key, parent]);
const errorsIn = (text: string) =>
  load(text).diagnostics.flatMap(({ severity, code, at }) =>
    severity === 'error' ? [`${code} ${at?.line}:${at?.column}`] : [],
  );

describe('an object that is bound by its id', () => {
  test('uses its name if the name is unique', () => {
    expect(keysIn('groups: [{ name: a, lifecycle: { id: g1 } }]')).toEqual([
      ['group', 'a', undefined],
    ]);
  });

  test('may share its name with others that are bound', () => {
    const text = `groups:
  - { name: a, lifecycle: { id: g1 } }
  - { name: a, lifecycle: { id: g2 } }
  - { name: b, lifecycle: { id: g3 } }
`;
    expect(errorsIn(text)).toEqual([]);
    expect(keysIn(text).map(([, key]) => key)).toEqual(['id:g1', 'id:g2', 'b']);
  });

  test('may not share its name with an object that is not bound', () => {
    const text = `groups:
  - { name: a, lifecycle: { id: g1 } }
  - { name: a }
`;
    expect(errorsIn(text)).toEqual(['OBJECT_DUPLICATE 3:13']);
  });

  test('may have a name that reads as an id, or none', () => {
    const text = `groups:
  - { name: "id:x", lifecycle: { id: g1 } }
networks:
  - lifecycle: { id: n1 }
`;
    expect(errorsIn(text)).toEqual([]);
    expect(keysIn(text).map(([, key]) => key)).toEqual(['id:g1', 'id:n1']);
  });

  test('needs every other field that its kind requires', () => {
    expect(errorsIn('policies: [{ lifecycle: { id: p1 } }]')).toEqual([
      'SCHEMA_MISSING_FIELD 1:12',
    ]);
  });
});

describe('a child of an object that is named by its id', () => {
  const nested = (lifecycle: string) => `networks:
  - lifecycle: { id: n1 }
    resources:
      - { name: db, address: 10.0.0.1, groups: [], ${lifecycle} }
`;

  test('is named by its id as well', () => {
    expect(errorsIn(nested('lifecycle: { id: r1 }'))).toEqual([]);
    expect(keysIn(nested('lifecycle: { id: r1 }'))).toContainEqual([
      'network_resource',
      'id:r1',
      'id:n1',
    ]);
  });

  test('cannot be distinguished without an id', () => {
    expect(errorsIn(nested('description: x'))).toEqual(['OBJECT_NAMELESS 4:17']);
  });
});

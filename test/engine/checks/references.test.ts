// A plan fails when a pointer names no object or more than one.
import { describe, expect, test } from 'vitest';
import { kindTable } from '../../../src/kinds/schema/table.ts';
import type { JsonObject } from '../../../src/model/value.ts';
import { declared, group, planFor, type Read } from '../planning.ts';
import { found } from './verdict.ts';

describe('a reference', () => {
  const rule = (source: string) =>
    `policies: [{ name: p, rules: [{ name: all, protocol: all, sources: [${source}], destinations: [${source}] }] }]`;

  test('a reference to a missing object is reported at its place, with suggestions', () => {
    const { diagnostics } = planFor(rule('engineer'), [group('g1', 'engineers')]);
    expect(diagnostics).toMatchObject([
      { code: 'REF_UNKNOWN', at: { line: 1, column: 69 }, hint: 'did you mean `engineers`?' },
      { code: 'REF_UNKNOWN' },
    ]);
  });

  test('a reference to a missing object is reported for every object, with suggestions for the first hundred names', () => {
    const numbers = Array.from({ length: 150 }, (_, i) => i);
    const groups = numbers.map(i => `{ name: g${i}, peers: [laptop-of-a-persn-${i}] }`);
    const { diagnostics } = planFor(`groups: [${groups}]`, [
      ['peer', { id: 'p1', name: 'laptop-of-a-person' }],
    ]);
    const unknown = diagnostics.filter(({ code }) => code === 'REF_UNKNOWN');
    expect(unknown).toHaveLength(150);
    expect(unknown.filter(({ hint = '' }) => hint.includes('did you mean'))).toHaveLength(100);
  });

  test('a reference to one of two objects of a name is reported with the ids to choose from', () => {
    const reads = [group('g1', 'a', { issued: 'jwt' }), group('g2', 'a')];
    expect(planFor(rule('a'), reads).diagnostics[0]).toMatchObject({
      code: 'REF_AMBIGUOUS',
      hint: 'write one of id:g1, id:g2',
    });
  });

  test('a reference to one of two objects is reported, whatever identifies their kind', () => {
    const text = { type: 'string' };
    const kind = (name: string, identity: string, properties: JsonObject): JsonObject => ({
      title: name,
      description: 'Made up.',
      type: 'object',
      'x-kind': {
        name,
        plural: `${name}s`,
        at: `${name}s[]`,
        path: `/api/${name}s`,
        identity: [identity],
        verbs: ['create', 'update', 'delete'],
      },
      properties: { id: { ...text, readOnly: true }, [identity]: text, ...properties },
    });
    const kinds = kindTable([
      kind('person', 'email', { name: text }),
      kind('badge', 'name', { owner: { ...text, 'x-trait': { ref: 'person' } } }),
    ]);
    const badge = declared('badge', 'b', { fields: { name: 'b', owner: 'ada@example.com' } });
    const reads: Read[] = ['p1', 'p2'].map(id => [
      'person',
      { id, email: 'ada@example.com', name: id },
    ]);
    expect(planFor([badge], reads, { kinds }).diagnostics).toMatchObject([
      { code: 'REF_AMBIGUOUS', hint: 'write one of id:p1, id:p2' },
    ]);
  });

  test('a reference by id is accepted, but not a dangling one', () => {
    expect(found(rule('"id:g1"'), [group('g1', 'a')]).codes).toEqual([]);
    expect(found(rule('"id:g9"'), [group('g1', 'a')]).codes).toEqual([
      'REF_UNKNOWN',
      'REF_UNKNOWN',
    ]);
  });

  test('a reference to a former name is reported', () => {
    const files = `{ groups: [{ name: new, lifecycle: { was: old } }], ${rule('old')} }`;
    expect(found(files, [group('g1', 'old')]).codes).toEqual(['REF_UNKNOWN', 'REF_UNKNOWN']);
  });
});

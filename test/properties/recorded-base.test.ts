// Laws of recorded bases: what is read from a base is what was applied, and a base depends on nothing else.
import { describe, expect, test, vi } from 'vitest';
import { baseOfText, baseText } from '../../src/base/baseDocument.ts';
import { recognised } from '../../src/base/recognisedAddresses.ts';
import { declaredObject, recordedObject } from '../../src/base/recordedObjects.ts';
import { canonicalFields } from '../../src/kinds/values/canonical.ts';
import { hasHidden } from '../../src/kinds/values/hidden.ts';
import { present } from '../../src/model/errors.ts';
import type { Desired } from '../../src/model/object.ts';
import type { RecordedBase } from '../../src/model/recordedBase.ts';
import { KINDS } from '../support/files.ts';
import { OF_EVERY_KIND } from '../support/servers/servers.ts';
import { accounts } from './generators/accounts.ts';
import { law, PATIENCE } from './runs.ts';

vi.setConfig({ testTimeout: PATIENCE });

const AT = { file: 'base', line: 1, column: 1 };
const kindOf = ({ kind }: Pick<Desired, 'kind'>) => present(KINDS.get(kind), `the kind ${kind}`);
const mark = (value: string) => `hmac-sha256:0000:${Buffer.from(value).toString('hex')}`;

function throughText(desired: readonly Desired[]): RecordedBase {
  const read = baseOfText(
    baseText({
      account: 'one',
      folder: 'net',
      variables: { A: 'b' },
      name: 'netops',
      revision: 'a'.repeat(40),
      recordedAt: '2026-11-02T08:00:00.000Z',
      objects: desired.map(object => recordedObject(object, kindOf(object), mark)),
    }),
  );
  if ('why' in read) throw new Error(read.why);
  return read;
}

describe('a recorded base', () => {
  test('is read as recorded: the same objects with the same meaning', () =>
    law(accounts(...OF_EVERY_KIND), 30, ({ desired }) => {
      const { objects } = throughText(desired);
      const { withAddresses } = recognised({ kinds: KINDS, live: [], desired, mark });
      const read = withAddresses(objects.map(object => declaredObject(object, kindOf(object), AT)));
      expect(read.length).toBe(desired.length);
      for (const [i, object] of read.entries()) {
        const written = present(desired[i], 'the object at that place');
        const { shape } = kindOf(object);
        expect(canonicalFields(shape, object.fields, 'desired')).toEqual(
          canonicalFields(shape, written.fields, 'desired'),
        );
        expect(new Set(declared(object))).toEqual(new Set(declared(written)));
        expect([object.kind, object.key, object.parent, object.lifecycle]).toEqual([
          written.kind,
          written.key,
          written.parent,
          written.lifecycle,
        ]);
      }
    }));

  test('holds every default as a value, so that another default does not change it', () =>
    law(accounts(...OF_EVERY_KIND), 20, ({ desired }) => {
      for (const object of desired) {
        const kind = kindOf(object);
        if (hasHidden(kind)) continue;
        const { fields } = recordedObject(object, kind, mark);
        const without = { ...kind.shape, fields: withoutDefaults(kind.shape.fields) };
        expect(canonicalFields(without, fields, 'desired')).toEqual(
          canonicalFields(kind.shape, object.fields, 'desired'),
        );
      }
    }));
});

const declared = ({ fields }: Desired): string[] =>
  Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : name));

type FieldsOfShape = ReturnType<typeof kindOf>['shape']['fields'];

const withoutDefaults = (fields: FieldsOfShape): FieldsOfShape =>
  new Map([...fields].map(([name, { default: _, ...field }]) => [name, field]));

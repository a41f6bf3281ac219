// Whether a new base has other ends than the base before it: such an apply leaves a journal although it writes nothing.
import { expect, test } from 'vitest';
import { haveOtherEnds } from '../../src/apply/recordedBase/otherEnds.ts';
import { kindName } from '../../src/model/names.ts';
import type { RecordedEnd, RecordedObject } from '../../src/model/recordedBase.ts';

const object = (key: string, until?: string, ends?: readonly RecordedEnd[]): RecordedObject => ({
  kind: kindName('policy'),
  key: key as RecordedObject['key'],
  fields: {},
  lifecycle: until === undefined ? {} : { until },
  ...(ends && { ends }),
});

const member = (name: string, until: string): RecordedEnd => ({
  list: ['rules', 'r', 'sources'],
  member: name,
  until,
});

const ONE = [member('a', '2026-12-01'), member('b', '2026-12-02')];

test.each([
  ['a later end', object('p', '2026-12-01'), object('p', '2026-12-05'), true],
  ['a new end', object('p'), object('p', '2026-12-05'), true],
  ['an end less', object('p', '2026-12-01'), object('p'), true],
  [
    'a later end of a member',
    object('p', undefined, ONE),
    object('p', undefined, ONE.slice(1)),
    true,
  ],
  [
    'another order of members',
    object('p', undefined, ONE),
    object('p', undefined, ONE.toReversed()),
    false,
  ],
  ['the same end', object('p', '2026-12-01'), object('p', '2026-12-01'), false],
  ['a new object', object('q'), object('p', '2026-12-01'), false],
])('%s', (_, before, after, isOther) => {
  expect(haveOtherEnds([before], [after])).toBe(isOther);
});

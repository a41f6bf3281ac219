// Names behind the ids of objects that go by them.
import { expect, test } from 'vitest';
import { idLabeller, withIdLabels } from '../../src/model/idLabels.ts';
import { kindName, remoteId } from '../../src/model/names.ts';

const called = (kind: string, id: string, name: string, address?: string) => ({
  kind: kindName(kind),
  id: remoteId(id),
  name,
  ...(address !== undefined && { address }),
});

const label = idLabeller([
  called('peer', '7', 'laptop', '100.64.0.7'),
  called('policy', '7', 'open all'),
  called('peer', 'd1', 'a`b\u202e'),
]);

test.each([
  ['peer/id:7 → peer/web', 'peer/id:7 (laptop, 100.64.0.7) → peer/web'],
  ['policy.id:7 is deleted', 'policy.id:7 (open all) is deleted'],
  ['policy "id:7", rule "p"', 'policy "id:7 (open all)", rule "p"'],
  // Of two kinds, and the text does not say which.
  ['id:7 is left alone', 'id:7 is left alone'],
  ['id:77 and id:unknown', 'id:77 and id:unknown'],
  ['id:d1.', 'id:d1 (a\\u0060b\\u202e).'],
  ['leads to peer/id:7:8080', 'leads to peer/id:7 (laptop, 100.64.0.7):8080'],
  ['peer/id:7 (future members)', 'peer/id:7 (laptop, 100.64.0.7) (future members)'],
  ['policy.id:7.rules', 'policy.id:7 (open all).rules'],
  ['peer/id:unknown:8080', 'peer/id:unknown:8080'],
])('%s', (text, labelled) => {
  expect(label(text)).toBe(labelled);
  expect(label(labelled)).toBe(labelled);
});

test('a value with lists and maps keeps its form', () => {
  const one = { id: 'id:d1' };
  const value = withIdLabels([called('peer', 'd1', 'x')])({
    list: [one, 3, null],
    map: new Map([[one, 'a']]),
  });
  expect(value.list[0]).toEqual({ id: 'id:d1 (x)' });
  expect(value.map.get(value.list[0] as typeof one)).toBe('a');
});

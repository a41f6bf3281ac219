// A law: whatever people and own runs add, delete, rename and edit, nobody is called the one who is not.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { attributed } from '../../src/attribution/attribute.ts';
import { readKinds } from '../../src/kinds/registry.ts';
import type { Attribution } from '../../src/model/audit/attribution.ts';
import type { ShownChange } from '../../src/model/change.ts';
import { addressOf, keyOf } from '../../src/model/key.ts';
import { kindName, remoteId } from '../../src/model/names.ts';
import type { Live } from '../../src/model/object.ts';
import { FIELDS, type Held, OWN, type Story, steps, storyOf } from './story.ts';

const KIND = kindName('policy');
const KINDS = readKinds();
const keyFor = (name: string) => keyOf([name]);

/** What is declared: p1 and p2, each field 0; and, with `wantsNone`, that p3 is deleted. */
function differencesIn({ held }: Story): readonly ShownChange[] {
  return ['p1', 'p2', 'p3'].flatMap((name): ShownChange[] => {
    const found = held.find(one => one.name === name);
    const after = { name, description: '0', enabled: '0' };
    const fields = FIELDS.filter(field => found && found.values[field] !== 0).map(field => ({
      type: 'value',
      path: [field],
      before: found?.values[field],
      after: 0,
    }));
    const base = {
      address: addressOf(KIND, keyFor(name)),
      kind: KIND,
      key: keyFor(name),
      notes: [],
    };
    const id = found && remoteId(found.id);
    const before = { name };
    if (name === 'p3')
      return found ? [{ ...base, type: 'delete', id, before, fields: [] } as never] : [];
    if (!found) return [{ ...base, type: 'create', after, fields: [] } as never];
    return fields.length > 0
      ? [{ ...base, type: 'update', id, before, after, fields } as never]
      : [];
  });
}

function reportOf(story: Story, since: bigint | undefined) {
  const changes = differencesIn(story);
  const objects = story.held.map(
    ({ id, name }): Live => ({
      kind: KIND,
      id: remoteId(id),
      key: keyFor(name),
      serverFields: {},
      idFields: {},
      fields: { name },
    }),
  );
  const reported = attributed(changes, {
    kinds: KINDS,
    entries: story.entries,
    isCut: false,
    self: null,
    account: { objects, idOf: () => undefined },
    isOwn: ({ by }) => by.id === OWN,
    ...(since !== undefined && { since }),
  });
  return [...reported].map(([change, attribution]) => ({ change, attribution }));
}

/** Whom a report may call the one who caused a difference. */
function authorsOf({ held, goneBy }: Story, change: ShownChange): readonly (string | undefined)[] {
  const name = JSON.parse(JSON.stringify(change.before ?? change.after)).name;
  const found = held.find(one => one.name === name);
  if (!found) return [goneBy.get(name)];
  if (change.type === 'delete') return [found.named];
  const differing = FIELDS.filter(field => found.values[field] !== 0);
  const authors = new Set(differing.map(field => authorIn(found, field)));
  // A run of ours is taken to leave what is declared, so what it left otherwise counts for whoever wrote after it.
  if (authors.delete(OWN) && authors.size === 0) return found.since;
  return authors.size === 1 ? [...authors] : [];
}

const authorIn = ({ setBy, changedAt, ownAt }: Held, field: (typeof FIELDS)[number]): string =>
  ownAt >= changedAt[field] ? OWN : setBy[field];

const namedExactly = (attribution: Attribution | undefined): string | undefined =>
  attribution?.confidence === 'exact' ? attribution.event.by.id : undefined;

test('an exact cause always names the right person, with and without a base', () => {
  let exact = 0;
  fc.assert(
    fc.property(steps, fc.option(fc.nat(14), { nil: undefined }), (taken, at) => {
      const story = storyOf(taken);
      const since = at === undefined ? undefined : BigInt(at) * 1_000_000_000n;
      for (const { change, attribution } of reportOf(story, since)) {
        const named = namedExactly(attribution);
        if (named === undefined) continue;
        exact += 1;
        expect(authorsOf(story, change), JSON.stringify(taken)).toContain(named);
      }
    }),
    { seed: 20261122, numRuns: 3_000 },
  );
  expect(exact).toBeGreaterThan(500);
});

test('a single edit after everything that our own runs did is attributed to its author', () =>
  fc.assert(
    fc.property(steps, fc.constantFrom('ada', 'bob'), fc.boolean(), (taken, who, isEdit) => {
      const repaired = taken.map(([, step]) => [OWN, step] as const);
      const last = isEdit
        ? ({ type: 'edit', name: 'p1', field: 'enabled', value: 1 } as const)
        : ({ type: 'delete', name: 'p1', value: 0 } as const);
      const edit = { type: 'edit', name: 'p1', field: 'description', value: 0 } as const;
      const back = { type: 'edit', name: 'p1', field: 'enabled', value: 0 } as const;
      const made = { type: 'add', name: 'p1', value: 0 } as const;
      const before = [
        ...repaired,
        [OWN, made] as const,
        [OWN, edit] as const,
        [OWN, back] as const,
      ];
      const story = storyOf([...before, [who, last]]);
      const found = reportOf(story, undefined).find(({ change }) => change.key === keyFor('p1'));
      expect(namedExactly(found?.attribution), JSON.stringify(taken)).toBe(who);
    }),
    { seed: 20261122, numRuns: 500 },
  ));

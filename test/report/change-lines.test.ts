// The lines of a change: every field that differs is on one, and a name is what it is, whatever it is made of.
import { describe, expect, test } from 'vitest';
import { kindTable } from '../../src/kinds/schema/table.ts';
import type { Change, ShownChange } from '../../src/model/change.ts';
import { present } from '../../src/model/errors.ts';
import { addressOf, keyOf } from '../../src/model/key.ts';
import { kindName } from '../../src/model/names.ts';
import type { Plan } from '../../src/model/plan.ts';
import type { Json } from '../../src/model/value.ts';
import { render } from '../../src/report/plan/planMarkdown.ts';
import { planText } from '../../src/report/plan/planText.ts';
import { renderLines } from '../../src/report/text/lines.ts';
import { PLAIN } from '../../src/report/text/style.ts';
import { changeLines } from '../../src/report/view/changeLines.ts';
import { group, planFor, policy } from '../engine/planning.ts';
import { faultsOf } from '../hostile/verdict.ts';
import { KINDS } from '../support/files.ts';
import { hostileText } from '../support/hostile.ts';
import { fc } from '../support/seeded.ts';

/** A kind with a list whose items an address tells apart, and which have a name besides. */
const KIND = present(
  kindTable([
    {
      title: 'Zone',
      description: 'A zone.',
      'x-kind': {
        name: 'zone',
        plural: 'zones',
        at: 'zones[]',
        path: '/api/zones',
        identity: ['name'],
        verbs: ['create', 'update', 'delete'],
      },
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Its name.' },
        hosts: {
          type: 'array',
          description: 'Its hosts.',
          'x-trait': { set: { by: 'ip' } },
          items: {
            type: 'object',
            properties: {
              ip: { type: 'string', description: 'Where.' },
              name: { type: 'string', description: 'Who.' },
            },
          },
        },
      },
    },
  ]).get(kindName('zone')),
  'the kind',
);

const base = {
  kind: KIND.name,
  key: keyOf(['z']),
  address: addressOf(KIND.name, keyOf(['z'])),
  notes: [],
};
const text = (change: Change) => renderLines(changeLines(KIND, change as ShownChange), PLAIN);

describe('an item of a list that is identified by another field than its name', () => {
  test('shows its name if it is created with its object', () => {
    const after = { name: 'z', hosts: [{ ip: '10.0.0.1', name: 'db' }] };
    expect(text({ ...base, type: 'create', after, fields: [] })).toBe(`\
  + zone "z"
      + name = "z"
      + hosts["10.0.0.1"]
          + name = "db"`);
  });

  test('shows its name if it is added, and if the name changes', () => {
    const fields: Change['fields'] = [
      { type: 'value', path: ['hosts', '10.0.0.2'], after: { ip: '10.0.0.2', name: 'web' } },
      { type: 'value', path: ['hosts', '10.0.0.1', 'name'], before: 'db', after: 'old db' },
    ];
    expect(text({ ...base, type: 'update', fields })).toBe(`\
  ~ zone "z"
      + hosts["10.0.0.2"]
          + name = "web"
      ~ hosts["10.0.0.1"].name = "db" -> "old db"`);
  });
});

// Somebody may have edited a saved plan: what it says is no more ours than a name is.
test('a plan with only hostile texts is printed like any other', () => {
  const reads = [group('g1', 'a'), group('g2', 'b'), policy('p1', 'p', ['g1'], ['g2'])];
  const made = planFor('groups: [{ name: a, peers: [x] }, { name: new }]', reads, {
    prune: 'unmanaged',
  });
  const kinds = new Set<string>(KINDS.keys());
  const keep = new Set(['type', 'kind', 'verb', 'code', 'severity', 'reason', 'since']);
  fc.assert(
    fc.property(fc.array(hostileText, { minLength: 5 }), texts => {
      let generated = 0;
      const forge = (value: Json, field = ''): Json => {
        if (typeof value === 'string')
          return keep.has(field) || kinds.has(value)
            ? value
            : (texts[generated++ % texts.length] ?? '');
        if (typeof value !== 'object' || value === null) return value;
        if (Array.isArray(value)) return value.map(item => forge(item, field));
        return Object.fromEntries(
          Object.entries(value).map(([name, item]) => [name, forge(item, name)]),
        );
      };
      const forged = forge(JSON.parse(JSON.stringify(made))) as unknown as Plan;
      const count = (shown: string, line: RegExp) => [...shown.matchAll(line)].length;
      for (const shown of [
        planText(forged, KINDS, PLAIN),
        render({ plan: forged, kinds: KINDS, style: PLAIN }),
      ]) {
        expect(faultsOf(shown)).toEqual([]);
        expect(count(shown, /^ {2}# /gm)).toBe(made.changes.length);
        expect(count(shown, /^Plan: /gm)).toBe(1);
        expect(count(shown, /^No changes\.$/gm)).toBe(0);
      }
    }),
    { numRuns: 200 },
  );
});

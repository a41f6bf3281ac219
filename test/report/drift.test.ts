// Which entries of the project file speak of which differences.
import { describe, expect, test } from 'vitest';
import type { Change, FieldChange, ShownChange } from '../../src/model/change.ts';
import { addressOf } from '../../src/model/key.ts';
import type { Key } from '../../src/model/names.ts';
import { kindName, remoteId } from '../../src/model/names.ts';
import type { Plan } from '../../src/model/plan.ts';
import { sortDrift } from '../../src/report/drift/acknowledged.ts';
import { driftReport } from '../../src/report/drift/drift.ts';
import { DRIFT_FORMATS, type DriftFormat } from '../../src/report/driftFormats.ts';
import { element } from '../../src/report/graph/markup.ts';
import { accountContent } from '../../src/report/studio/accountDifferences.ts';
import { PLAIN } from '../../src/report/text/style.ts';
import { KINDS } from '../support/files.ts';

/** A plan without changes, in an account of which one machine goes by its id. */
const AT_REST: Plan = {
  dialect: 'spec',
  folder: '.',
  changes: [],
  actions: [],
  leftAlone: [],
  pins: [],
  diagnostics: [],
  requests: { made: 0, planned: 0 },
  declared: 0,
  called: [{ kind: kindName('peer'), id: remoteId('d1'), name: 'laptop' }],
};

const field = (...path: string[]): FieldChange => ({ type: 'value', path, before: 1, after: 2 });

function change(key: string, fields: readonly FieldChange[], more: Partial<Change> = {}): Change {
  const kind = kindName('policy');
  const address = addressOf(kind, key as Key);
  const id = remoteId(`${key}-id`);
  return { kind, key: key as Key, address, id, type: 'update', fields, notes: [], ...more };
}

/** What is open and what is silenced, as `key: fields`. */
function sorted(
  changes: readonly Change[],
  object: string,
  until = '2026-06-15',
  now = '2026-06-15',
) {
  const entries = [{ object, reason: 'known', until }];
  // What tests make by hand is theirs to show.
  const shown = changes as readonly ShownChange[];
  const { open, acknowledged, findings } = sortDrift(shown, entries, Date.parse(now));
  const reported = ({ key, fields }: Change) =>
    `${key}: ${fields.map(({ path }) => path.join('.')).join(' ')}`.trim();
  return {
    open: open.map(reported),
    known: acknowledged.map(entry => reported(entry.change)),
    codes: findings.map(({ code }) => code),
  };
}

const TWO = [change('a', [field('description'), field('rules', 'x.y', 'ports')])];

describe('an acknowledgement', () => {
  test.each([
    ['of an object speaks of all of it', 'policy/a', [], ['a: description rules.x.y.ports']],
    ['of its id too', 'policy/id:a-id', [], ['a: description rules.x.y.ports']],
    [
      'of a field leaves the others',
      'policy/a.description',
      ['a: rules.x.y.ports'],
      ['a: description'],
    ],
    [
      'of a field speaks of what is in it',
      'policy/a.rules',
      ['a: description'],
      ['a: rules.x.y.ports'],
    ],
    [
      'may go as deep as the difference',
      'policy/a.rules.x.y.ports',
      ['a: description'],
      ['a: rules.x.y.ports'],
    ],
  ])('%s', (_, object, open, known) => {
    expect(sorted(TWO, object)).toEqual({ open, known, codes: [] });
  });

  test.each(['policy/a.rule', 'policy/a.rules.x', 'policy/A', 'route/a', 'policy/a.'])(
    '%s matches nothing here, and that is reported',
    object => {
      const { open, known, codes } = sorted(TWO, object);
      expect([open.length, known, codes]).toEqual([1, [], ['ACKNOWLEDGED_NOTHING']]);
    },
  );

  test('an acknowledgement of a name with a dot is not mistaken for a field', () => {
    const changes = [
      change('db.example', [field('description')]),
      change('db', [field('enabled')]),
    ];
    expect(sorted(changes, 'policy/db.example')).toEqual({
      open: ['db: enabled'],
      known: ['db.example: description'],
      codes: [],
    });
  });

  test('an acknowledgement of a field does not cover a missing object', () => {
    const missing = change('a', [field('description')], { type: 'create' });
    expect(sorted([missing], 'policy/a.description')).toEqual({
      open: ['a: description'],
      known: [],
      codes: ['ACKNOWLEDGED_NOTHING'],
    });
  });

  test('an acknowledgement of a field does not cover a different parent', () => {
    const moved = change('a', [field('description')], { since: 'drift' });
    expect(sorted([moved], 'policy/a.description')).toMatchObject({
      open: ['a:'],
      known: ['a: description'],
    });
  });

  test.each([
    ['2026-06-15', '2026-06-15T23:59:59Z', []],
    ['2026-06-15', '2026-06-16T00:00:00Z', ['ACKNOWLEDGED_NO_MORE']],
    ['2026-06-15T12:00:00Z', '2026-06-15T12:00:00Z', []],
    ['2026-06-15T12:00:00+02:00', '2026-06-15T10:00:01Z', ['ACKNOWLEDGED_NO_MORE']],
  ])('an acknowledgement until %s at %s: %j', (until, now, codes) => {
    const reported = sorted(TWO, 'policy/a', until, now);
    expect(reported.codes).toEqual(codes);
    expect(reported.open).toHaveLength(codes.length);
  });
});

// The other formats leave them to standard error.
test.each<DriftFormat>(['json', 'markdown', 'comment'])(
  'a report as %s names an unfinished apply, also where an object goes by its id',
  async format => {
    const rules = { kinds: KINDS, entries: [], now: 0, declaredTwice: [], nameTaken: [] };
    const unfinished = [{ run: 'run-7', began: '2026-06-01T00:00:00Z', created: [] }];
    const report = { ...driftReport(AT_REST, rules), unfinished };
    const { render } = await DRIFT_FORMATS[format]();
    expect(render({ report, declared: [], style: PLAIN })).toContain('run-7');
  },
);

test('a studio shows how the account has changed since the base, and not how an apply would change it', () => {
  const rules = { kinds: KINDS, entries: [], now: 0, declaredTwice: [], nameTaken: [] };
  const fields: readonly FieldChange[] = [
    { type: 'value', path: ['description'], before: 'of the account', after: 'of the files' },
  ];
  const open = [change('ssh', fields)] as readonly ShownChange[];
  const report = { ...driftReport(AT_REST, rules), open };
  const seen = { is: 'read', at: 0, server: 'http://127.0.0.1', report, findings: [] } as const;
  const content = accountContent(seen, { isOlder: false, isReading: false });
  const text = element('div', {}, content).markup.replaceAll(/<[^>]*>/g, '');
  expect(text).toContain('has changed in the account');
  expect(text).toMatch(/description = &quot;of the files&quot; -&gt; &quot;of the account/);
});

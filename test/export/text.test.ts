// What an export looks like: names for ids, nothing that goes without saying, and nothing that YAML could misread.
import { describe, expect, test } from 'vitest';
import { group, network, peer, policy, type Read, resource, router } from '../engine/planning.ts';
import { faultsOf } from '../hostile/verdict.ts';
import { load } from '../support/files.ts';
import { hostileText, referenceLike } from '../support/hostile.ts';
import { fc } from '../support/seeded.ts';
import { textOf } from './exported.ts';

const network_ = (id: string, description: string): Read => [
  'network',
  { id, name: 'office', description },
];

describe('an object', () => {
  test('has its fields in the order of its schema, without defaults and empty fields', () => {
    expect(textOf([policy('p1', 'staff', ['g1'], ['g1']), group('g1', 'all hands')])).toBe(
      `groups:
  - name: all hands

policies:
  - name: staff
    rules:
      - name: all
        protocol: all
        sources: [all hands]
        destinations: [all hands]
`,
    );
  });

  test('contains its children', () => {
    const reads = [
      group('g1', 'staff'),
      network('n1', 'a/b'),
      resource('r1', 'n1', 'db', ['g1']),
      router('t1', 'n1', ['g1']),
    ];
    expect(textOf(reads)).toContain(`networks:
  - name: a/b
    resources:
      - name: db
        address: 10.0.0.1/32
        groups: [staff]
    routers:
      - peer_groups: [staff]
        masquerade: true
`);
  });

  test('an object that another object also describes is written once', () => {
    const read: Read = ['peer', { id: 'x1', name: 'ada', groups: [{ id: 'g1', name: 'staff' }] }];
    expect(textOf([group('g1', 'staff', { peers: [{ id: 'x1' }] }), read])).toBe(`peers:
  - name: ada

groups:
  - name: staff
    peers: [ada]
`);
  });
});

describe('an object that only its id distinguishes', () => {
  test('is bound by it, and referenced by it', () => {
    const reads = [
      peer('x1', 'bob'),
      peer('x2', 'bob'),
      peer('x3', 'ada'),
      group('g1', 'staff', { peers: [{ id: 'x1' }, { id: 'x3' }] }),
    ];
    const text = textOf(reads);
    expect(text).toContain('  - name: bob\n    lifecycle: { id: x1 }\n');
    expect(text).toContain('  - name: bob\n    lifecycle: { id: x2 }\n');
    expect(text).toContain('peers: [ada, id:x1]');
  });

  test('has no name if the account has none for it', () => {
    expect(textOf([network('n1', ''), network('n2', 'id:x')])).toBe(`networks:
  - name: id:x
    lifecycle: { id: n2 }
  - lifecycle: { id: n1 }
`);
  });
});

describe('an object that cannot be declared', () => {
  test('is reported beside its kind, on one line whatever its name is', () => {
    const text = textOf([
      group('g1', 'All'),
      group('g2', 'a\n- name: evil\u001b', { issued: 'jwt' }),
      group('g3', 'b'),
    ]);
    expect(text.split('\n').slice(0, 5)).toEqual([
      '# Left out: group "All" (g1): built-in group of all peers',
      'groups:',
      '  - name: "a\\n- name: evil\\u001b"',
      '    from: identity_provider',
      '  - name: b',
    ]);
  });

  test('is reported at the end if its kind has no other objects', () => {
    expect(textOf([network('n1', 'a'), group('g1', 'All')])).toMatch(
      /^networks:\n {2}- name: a\n\n?# Left out: group "All"/,
    );
  });

  test('is noted if it is a reference', () => {
    expect(textOf([policy('p1', 'p', ['g9'], ['g9'])])).toContain(
      '  # the account lists no group g9\n  - name: p\n',
    );
  });
});

describe('a secret', () => {
  const provider = (id: string, name: string): Read => [
    'identity_provider',
    { id, name, type: 'oidc', issuer: 'https://login.example.com', client_id: 'x' },
  ];

  test('is a variable with a descriptive name, a separate one for each secret', () => {
    const text = textOf([provider('i1', 'Größe (staff)'), provider('i2', 'große staff')]);
    expect(text.match(/\$\{env:[^}]*\}/g)).toEqual([
      '${env:IDENTITY_PROVIDER_GROSSE_STAFF_CLIENT_SECRET}',
      '${env:IDENTITY_PROVIDER_GROSSE_STAFF_CLIENT_SECRET_2}',
    ]);
  });

  test('is an error if nobody supplies it', () => {
    const { diagnostics } = load(textOf([provider('i1', 'staff')]));
    expect(diagnostics.map(({ code }) => code)).toEqual(['SECRET_UNDEFINED']);
  });
});

test('a user who awaits approval is not exported as blocked', () => {
  const user = { id: 'u1', email: 'ada@example.com', name: 'Ada', role: 'user', auto_groups: [] };
  const more = { is_service_user: false, issued: 'api', is_blocked: true, pending_approval: true };
  const text = textOf([['user', { ...user, ...more }]]);
  expect(text).toContain('# awaits approval');
  expect(text).not.toContain('is_blocked');
});

describe('the remaining lifetime of a key', () => {
  const key = (expires: string, more = {}): Read => [
    'setup_key',
    { id: 'k1', name: 'ci', type: 'reusable', auto_groups: [], usage_limit: 0, expires, ...more },
  ];
  const expiry = (expires: string) => textOf([key(expires)]).match(/expires_in: (\d+)/)?.[1];

  test.each([
    ['2026-01-12T05:00:00Z', 10 * 86_400],
    ['2026-01-03T07:00:00Z', 86_400],
    ['2026-01-02T00:30:00Z', 86_400],
    ['2031-01-01T00:00:00Z', 31_536_000],
  ])(
    'the remaining lifetime until %s is %i seconds, in whole days and within the limits',
    (expires, seconds) => {
      expect(expiry(expires)).toBe(String(seconds));
    },
  );

  test.each([
    ['2026-01-12T05:00:00Z', '# the time that was left'],
    ['2026-01-02T00:30:00Z', '# less is left'],
    ['2031-01-01T00:00:00Z', '# more is left'],
  ])(
    'the remaining lifetime until %s is not the original lifetime, which is reported',
    (expires, note) => {
      expect(textOf([key(expires)])).toContain(note);
    },
  );

  test.each([
    ['2026-01-01T23:30:00Z', '2026-01-02T00:30:00Z', 3600],
    ['2026-01-01T23:30:00.912Z', '2026-01-02T00:29:59.911Z', 3600],
    ['2025-12-31T00:00:00Z', '2026-01-30T00:00:00Z', 2_592_000],
  ])('a key of %s until %s was created with %s is %i seconds', (updated_at, expires, seconds) => {
    const text = textOf([key(expires, { updated_at })], 'netbird');
    expect(text).toContain(`expires_in: ${seconds}`);
    expect(text).not.toContain('# the time');
  });

  test.each([
    ['2026-01-01T23:30:34Z', '2026-01-02T00:29:10Z'],
    ['2025-12-31T00:10:00Z', '2026-01-30T00:00:00Z'],
    ['2026-01-30T00:00:00Z', '2026-01-03T00:00:00Z'],
  ])('a key that was updated at %s has the remaining time', (updated_at, expires) => {
    expect(textOf([key(expires, { updated_at })], 'netbird')).toContain('# the time that was left');
  });

  test('is the maximum if it never expires, which is reported', () => {
    const text = textOf([key('0001-01-01T00:00:00Z')]);
    expect(text).toContain('# it never expires');
    expect(text).toContain('expires_in: 31536000');
  });

  test('is omitted if it has expired: applying an export should not create a new key', () => {
    expect(textOf([key('2025-12-31T00:00:00Z')])).toContain(
      '# Left out: setup key "ci" (k1): it has expired or is used up, and declaring it would create a new one',
    );
    expect(textOf([key('2027-01-01T00:00:00Z', { state: 'overused' })])).toContain('# Left out');
  });
});

describe('a string', () => {
  test.each([
    '010',
    '1e3',
    'yes',
    'null',
    '~',
    '2026-01-02',
    '12:30:45',
    '- a',
    'a: b',
    'a #b',
    '*a',
    '%a',
    '@a',
    '{a}',
    '<<',
    '',
    ' a',
    'a ',
    'a\nb\n',
    'a\r\nb',
    '\u0085',
    '\u001b[31m',
    '\ud83d',
    '${var:HOME}',
    '${env:HOME}',
    '$${env:HOME}',
    '${file:a}',
    '${x}',
    `${'word '.repeat(60)}end`,
    '---',
  ])('%j is preserved', description => {
    const { desired, diagnostics } = load(textOf([network_('n1', description)]));
    expect(diagnostics).toEqual([]);
    expect(desired[0]?.fields.description ?? '').toBe(description);
  });

  test('contains no escape sequence for a terminal', () => {
    const text = textOf([network_('n1', 'a\u001b[31mb\u009bc')]);
    expect(
      [...text].filter(c => c !== '\n' && (c < ' ' || (c >= '\u007f' && c < '\u00a0'))),
    ).toEqual([]);
  });
});

describe('a hostile text', () => {
  test('is preserved, and contains no active character', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (name, description) => {
        // What asks for a value from outside is another matter.
        const plain = (text: string) => text.replaceAll('${', '$ {');
        const read: Read = [
          'network',
          { id: 'n1', name: `n${plain(name)}`, description: plain(description) },
        ];
        const yaml = textOf([read]);
        expect(faultsOf(yaml)).toEqual([]);
        const { desired, diagnostics } = load(yaml);
        expect(diagnostics).toEqual([]);
        const { name: back, description: same = '' } = desired[0]?.fields ?? {};
        expect([back, same]).toEqual([`n${plain(name)}`, plain(description)]);
      }),
      { numRuns: 500 },
    );
  });

  test('is preserved if it looks like a reference, also as a key', () => {
    fc.assert(
      fc.property(referenceLike, text => {
        const access = { action: 'accept', enabled: true, protocol: 'netbird-ssh' };
        const sides = {
          sources: ['g1'],
          destinations: ['g1'],
          authorized_groups: { g1: ['root'] },
        };
        const rule = { id: 'r1', name: text, ...access, ...sides };
        const reads = [group('g1', text), policy('p1', text, [], [], { rules: [rule] })];
        const { desired, diagnostics } = load(textOf(reads));
        expect(diagnostics).toEqual([]);
        expect(desired.map(({ key }) => key)).toEqual([text, text]);
        expect(desired[1]?.fields.rules).toMatchObject([
          { name: text, sources: [text], authorized_groups: { [text]: ['root'] } },
        ]);
      }),
      { numRuns: 200 },
    );
  });

  test('is the same YAML for every reader: no character is written as two halves', () => {
    expect(textOf([network_('n1', 'a\u{e0041}b')])).toContain('"a\\U000e0041b"');
  });

  test('stays readable if it has several harmless lines', () => {
    expect(textOf([network_('n1', 'one\ntwo: ::1\n')])).toContain('|\n      one\n      two: ::1\n');
  });
});

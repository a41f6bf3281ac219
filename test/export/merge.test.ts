// Exports into files that are there: what is declared keeps its comments and its layout, what is new is added.
import { describe, expect, test } from 'vitest';
import { compare } from '../../src/export/adoption/compare.ts';
import { type Merged, mergedFiles } from '../../src/export/merge.ts';
import { group, live, network, peer, policy, type Read, resource } from '../engine/planning.ts';
import { KINDS, loadFiles } from '../support/files.ts';
import { modelOf, NOW } from './exported.ts';

/** What becomes of files when an account that reads like this is exported into them. */
function into(texts: Readonly<Record<string, string>>, reads: readonly Read[]): Merged {
  const { desired, diagnostics } = loadFiles(texts);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const snapshot = { objects: live(reads), unavailable: new Map(), requests: 0 };
  const outside = { folder: '', dialect: 'spec', now: NOW } as const;
  return mergedFiles({
    kinds: KINDS,
    model: modelOf(reads),
    files: Object.entries(texts).map(([file, text]) => ({ file, text })),
    comparison: compare({ kinds: KINDS, desired, snapshot, ...outside }),
    newFileFor: ({ at }) => `${at.split('[')[0]}.yaml`,
  });
}

/** The one file, `network.yaml`, after that. */
const textAfter = (text: string, reads: readonly Read[]): string | undefined =>
  into({ 'network.yaml': text }, reads).files.find(({ file }) => file === 'network.yaml')?.text;

describe('a file that matches the account', () => {
  test('is not touched', () => {
    const text = '# ours\ngroups: [ {name:   a} ]   # one\n';
    expect(into({ 'network.yaml': text }, [group('g1', 'a')])).toEqual({
      files: [],
      added: 0,
      removed: [],
      updated: 0,
      unchanged: [],
    });
  });
});

describe('a declared object that differs', () => {
  const text = `# Rules of the house.
groups:
  - name: a # the first
  - name: b
policies:
  # Everybody needs this.
  - name: p # short
    enabled: true
    description: "old words" # why
    rules:
      - name: all # every protocol
        protocol: all
        sources:
          - a # comes first
          - b
        destinations: [ a ]
    lifecycle: { protect: true }
`;

  test('is changed only where it differs', () => {
    const [kind, body] = policy('p1', 'p', ['g2', 'g3'], ['g1']);
    const reads: Read[] = [
      group('g1', 'a'),
      group('g2', 'b'),
      group('g3', 'c'),
      [kind, { ...body, description: 'new: words' }],
    ];
    expect(textAfter(text, reads)).toBe(
      text
        .replace('"old words"', '"new: words"')
        .replace('          - a # comes first\n          - b\n', '          - b\n          - c\n')
        .replace('  - name: b\n', '  - name: b\n  - name: c\n'),
    );
  });

  test('keeps Windows line endings and a byte order mark', () => {
    const file = `\uFEFF${text.replaceAll('\n', '\r\n')}`;
    const reads = [group('g1', 'a'), group('g2', 'b'), policy('p1', 'p', ['g1', 'g2'], ['g1'])];
    const expected = file.replace('    description: "old words" # why\r\n', '');
    // A text that the account has no value of has the same effect as one that is not written: it is taken away.
    expect(textAfter(file, reads)).toBe(expected);
  });

  test('keeps its formatting', () => {
    const flush = `networks:
- name: n
  description: old
  resources:
  - {name: db, address: 10.0.0.1, groups: [a]}
groups:
- name: a
`;
    const reads: Read[] = [
      group('g1', 'a'),
      ['network', { id: 'n1', name: 'n', description: 'new' }],
      resource('r1', 'n1', 'db', ['g1']),
    ];
    expect(textAfter(flush, reads)).toBe(flush.replace('old', 'new'));
  });

  test('is left alone if the difference is under an anchor, which is reported', () => {
    const anchored = `groups:
  - { name: a, peers: &both [x] }
  - { name: b, peers: *both }
peers:
  - name: x
  - name: z
`;
    const reads = [
      peer('x1', 'x'),
      peer('x2', 'z'),
      group('g1', 'a', { peers: [{ id: 'x2' }] }),
      group('g2', 'b', { peers: [{ id: 'x1' }] }),
    ];
    const { files, unchanged } = into({ 'network.yaml': anchored }, reads);
    expect(unchanged).toEqual([
      {
        at: expect.objectContaining({ line: 2 }),
        field: 'peers',
        address: 'group.a',
        keep: 'write the value out where the aliases are, and export again',
        because: 'peers is anchored, and used elsewhere',
      },
    ]);
    expect(files).toEqual([]);
  });
});

describe('a set that others add to', () => {
  const reads = [
    peer('x1', 'x'),
    peer('x2', 'z'),
    group('g1', 'a', { peers: ['x1', 'x2'].map(id => ({ id })) }),
  ];
  const peers = 'peers:\n  - name: x\n  - name: z\n';

  test('gains its other members if files declare it', () => {
    expect(textAfter(`groups:\n  - { name: a, peers: [x] }\n${peers}`, reads)).toContain(
      'peers: [x, z] }',
    );
  });

  test('stays undeclared if they do not', () => {
    expect(textAfter(`groups:\n  - { name: a }\n${peers}`, reads)).toBeUndefined();
  });
});

test('a list with an order gets the order of the account, and its lines stay with their entries', () => {
  const text = (entries: string) => `groups:
  - name: a
dns:
  nameserver_groups:
    - name: n
      domains: [a.example]
      groups: [a]
      nameservers:
${entries}`;
  const servers = (...all: readonly (readonly [string, number])[]) =>
    all.map(([ip, port]) => ({ ip, ns_type: 'udp', port }));
  const after = textAfter(
    text(`        - ip: 10.0.0.1 # moves away
        - ip: 10.0.0.2 # stays
          port: 5353
        - ip: 10.0.0.9
`),
    [
      group('g1', 'a'),
      [
        'nameserver_group',
        {
          id: 'n1',
          name: 'n',
          description: '',
          nameservers: servers(
            ['10.0.0.3', 53],
            ['10.0.0.9', 53],
            ['10.0.0.2', 5353],
            ['10.0.0.9', 53],
          ),
          groups: ['g1'],
          primary: false,
          domains: ['a.example'],
          search_domains_enabled: false,
          enabled: true,
        },
      ],
    ],
  );
  expect(after).toBe(
    text(`        - ip: 10.0.0.3
        - ip: 10.0.0.9
        - ip: 10.0.0.2 # stays
          port: 5353
        - ip: 10.0.0.9
`),
  );
});

test('an exact set that is empty in the account stays declared: later members are detected', () => {
  const emptied = textAfter(
    'groups:\n  - { name: a, peers: [gone], lifecycle: { exact: [peers] } }\n  - { name: b, peers: [gone] }\n',
    [group('g1', 'a'), group('g2', 'b')],
  );
  expect(emptied).toBe(
    'groups:\n  - { name: a, peers: [], lifecycle: { exact: [peers] } }\n  - { name: b }\n',
  );
});

describe('a new object', () => {
  test('goes to the one file that has others of its kind, or to a separate file', () => {
    const { files, added } = into({ 'teams/all.yaml': 'groups:\n  - name: a\n' }, [
      group('g1', 'a'),
      group('g2', 'b'),
      network('n1', 'lan'),
    ]);
    expect(added).toBe(2);
    expect(files).toEqual([
      { file: 'networks.yaml', text: expect.stringContaining('networks:\n  - name: lan\n') },
      { file: 'teams/all.yaml', text: 'groups:\n  - name: a\n  - name: b\n' },
    ]);
  });

  test('goes into its parent', () => {
    const text = 'networks:\n  - name: n # ours\ngroups:\n  - name: a\n';
    expect(
      textAfter(text, [group('g1', 'a'), network('n1', 'n'), resource('r1', 'n1', 'db', ['g1'])]),
    ).toBe(
      `networks:
  - name: n # ours
    resources:
      - name: db
        address: 10.0.0.1/32
        groups: [a]
groups:
  - name: a
`,
    );
  });

  test('is moved there from its former parent', () => {
    const text = `networks:
  - name: m
    resources:
      - { name: db, address: 10.0.0.1, groups: [] }
  - name: n
`;
    const moved = textAfter(text, [
      network('m1', 'm'),
      network('n1', 'n'),
      resource('r1', 'n1', 'db'),
    ]);
    expect(moved).toBe(`networks:
  - name: m
    resources: []
  - name: n
    resources:
      - name: db
        address: 10.0.0.1/32
        groups: []
`);
  });
});

test('nested brackets keep their own spacing', () => {
  const text = 'groups: [{ name: a }, {name: b}]\nnetworks: [ { name: n, description: x } ]\n';
  const after = textAfter(text, [group('g1', 'a'), group('g2', 'b'), network('n1', 'n')]);
  expect(after).toBe('groups: [{ name: a }, {name: b}]\nnetworks: [ { name: n } ]\n');
});

describe('the text of unchanged objects', () => {
  const text = (b: string, more = '') => `groups:
  - { name: a }                # the first


  - { name: b${b} } # the second
  - {   name:   "c"   }        # the third

networks:
    - name: n
      description:   'as   it is'   # aligned
${more}`;
  const reads = (...more: Read[]): Read[] => [
    ['network', { id: 'n1', name: 'n', description: 'as   it is' }],
    group('g1', 'a'),
    ...more,
  ];

  test('stays byte for byte', () => {
    const after = textAfter(text(', peers: [x]'), reads(group('g2', 'b'), group('g3', 'c')));
    expect(after).toBe(text(''));
  });

  test('stays if lines are added or removed beside it', () => {
    const known = reads(group('g2', 'b'), group('g3', 'c'));
    const more = '    - name: m\n      description: old   # m\n      resources: []\n';
    const held: Read = ['network', { id: 'n2', name: 'm', description: 'new' }];
    expect(textAfter(text('', more), [...known, held, group('g4', 'd')])).toBe(
      text('', more.replace('old   #', 'new #')).replace(
        '# the third\n',
        '# the third\n\n  - name: d\n',
      ),
    );
  });
});

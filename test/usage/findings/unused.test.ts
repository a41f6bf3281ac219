// What nobody used: each kind of finding with its state, and the files afterwards.
import { describe, expect, test } from 'vitest';
import { accountOf, observedIn, type Watch } from './observedUse.ts';
import { proposed, tighten } from './tightenedFiles.ts';

const PEOPLE = `groups:
  - { name: staff, peers: [ann, bob] }
  - { name: contractors, peers: [cy] }
  - { name: servers, peers: [web, db] }
  - { name: printers, peers: [ink] }
peers: [{ name: ann }, { name: bob }, { name: cy }, { name: web }, { name: db }, { name: ink }]
`;

const policy = (rule: string, lifecycle = '') =>
  `${PEOPLE}policies:\n  - { name: p,${lifecycle} rules: [{ name: r, ${rule} }] }\n`;

function found(text: string, watch: Watch, more: Parameters<typeof tighten>[1] = {}) {
  const account = accountOf(text, more.dialect);
  const observed = observedIn(account, watch);
  const first = tighten({ 'network.yaml': text }, { observed, ...more });
  const after = first.after['network.yaml'] ?? '';
  return { ...first, after, is: proposed(first), observed };
}

/** Whether a second run, before and after the apply, proposes nothing that is certain. */
function isSilent(after: string, observed: ReturnType<typeof found>['observed']): boolean {
  const certain = proposed(tighten({ 'network.yaml': after }, { observed })).filter(line =>
    line.endsWith(': certain'),
  );
  return certain.length === 0;
}

const SSH = 'protocol: tcp, ports: ["22"], sources: [staff], destinations: [servers]';

describe('a rule', () => {
  test('a rule that nobody used is certain if everything that would have shown the use reported', () => {
    const { is, after, objects } = found(policy(SSH), { flows: [] });
    expect(is).toEqual(['p/r: remove policy: certain']);
    expect(after).toBe(`${PEOPLE}policies: []\n`);
    expect(objects[0]?.findings[0]).toMatchObject({
      type: 'unused-policy',
      observed: 'unused in these 45 days',
      lost: { flows: 0, of: 0 },
    });
  });

  test('is unknown if a destination was connected but reported nothing on a day', () => {
    const machines = { db: { reported: [1, 2] } };
    expect(found(policy(SSH), { flows: [], machines }).is).toEqual(['p/r: remove policy: unknown']);
  });

  test('is unknown in a window shorter than 30 days', () => {
    expect(found(policy(SSH), { flows: [], days: 29 }).is).toEqual(['p/r: remove policy: unknown']);
  });

  test('is unknown if flows took place while no state is known', () => {
    const flow = { flow: 'ann > web tcp/22', isStateUnknown: true };
    expect(found(policy(SSH), { flows: [flow] }).is).toEqual(['p/r: remove policy: unknown']);
  });

  test('is unknown if a machine that came and went between two observations may have used it', () => {
    const flow = { flow: 'runner > web tcp/22', days: [3, 4] };
    const { is, objects } = found(policy(SSH), { flows: [flow] });
    expect(is).toEqual(['p/r: remove policy: unknown']);
    expect(objects[0]?.findings[0]?.reason).toBe(
      'for some observed flows it is unknown what admitted them',
    );
    const other = { ...flow, flow: 'runner > web tcp/23' };
    expect(found(policy(SSH), { flows: [other] }).is).toEqual(['p/r: remove policy: certain']);
  });

  test('is unknown if a machine may have used it that was in its group between two observations', () => {
    const flow = { flow: 'cy > web tcp/22', days: [3] };
    expect(found(policy(SSH), { flows: [flow] }).is).toEqual(['p/r: remove policy: unknown']);
  });

  test('a rule whose flows were only refused is unused', () => {
    const flow = { flow: 'ann > web tcp/22', starts: 0, drops: 3 };
    expect(found(policy(SSH), { flows: [flow] }).is).toEqual(['p/r: remove policy: certain']);
  });

  test.each([
    ['source', 'staff', 'no machine is in its source groups'],
    ['destination', 'servers', 'no machine or network resource is in its destination groups'],
  ])(
    'a rule of which the whole %s group is empty is unknown: machines may join it',
    (_, group, reason) => {
      const text = policy(SSH).replace(
        new RegExp(`name: ${group}, peers: [^}]*`),
        `name: ${group} `,
      );
      const { is, objects } = found(text, { flows: [] });
      expect(is).toEqual(['p/r: remove policy: unknown']);
      expect(objects[0]?.findings[0]?.reason).toBe(reason);
    },
  );

  test('a rule that is used stays', () => {
    expect(found(policy(SSH), { flows: ['ann > web tcp/22'] }).is).toEqual([]);
  });

  test('a rule that was used on few days is listed with its flows, for a person to decide', () => {
    const { objects, after } = found(policy(SSH), {
      flows: [{ flow: 'ann > web tcp/22', days: [3] }],
    });
    expect(proposed({ objects })).toEqual(['p/r: remove policy: decide']);
    expect(objects[0]?.findings[0]).toMatchObject({
      observed: 'used on 1 of 45 days, last 2026-10-04',
      lost: {
        flows: 1,
        of: 1,
        machines: 1,
        examples: [{ source: 'ann', destination: 'web', protocol: 'tcp/22' }],
      },
    });
    expect(after).toBe(policy(SSH));
  });

  test('is unknown if somebody swapped the names of its groups meanwhile', () => {
    const text = policy(
      'protocol: tcp, ports: ["22"], sources: [staff, contractors], destinations: [servers]',
    );
    const account = accountOf(text);
    const named: Readonly<Record<string, string>> = {
      staff: 'contractors',
      contractors: 'staff',
    };
    const exchanged = {
      ...account,
      groups: account.groups.map(one => ({ ...one, key: named[one.key] ?? one.key })),
      policies: account.policies.map(one => ({
        ...one,
        rules: one.rules.map(rule => ({
          ...rule,
          source: {
            type: 'groups' as const,
            groups: ['contractors', 'staff'],
          },
        })),
      })),
    };
    const watched = observedIn(account, { flows: ['ann > web tcp/22'] });
    const [first] = watched.states;
    const until = watched.window.to - 2 * 86_400_000;
    const observed = {
      ...watched,
      states: [...(first ? [first] : []), { from: until, state: exchanged }],
    };
    const { objects } = tighten({ 'network.yaml': text }, { observed });
    expect(proposed({ objects }).filter(line => line.endsWith(': certain'))).toEqual([]);
    expect(objects.flatMap(({ findings }) => findings.map(({ reason }) => reason))).toContain(
      'the name staff meant another object of the account for a time',
    );
  });

  test('a rule with a reason to stay, and a rule that a test needs, are listed', () => {
    const reason = ' lifecycle: { keep_access: audited },';
    expect(found(policy(SSH, reason), { flows: [] }).kept.map(({ by }) => by)).toEqual([
      'lifecycle',
    ]);
    const tested = `${policy(SSH)}access_tests:\n  - { name: shells, from: group/staff, allow: ["group/servers:tcp/22"] }\n`;
    const { kept, is } = found(tested, { flows: [] });
    expect(is).toEqual([]);
    expect(kept.map(({ by, reason: why }) => [by, why])).toEqual([
      ['test', 'access test `shells` needs it'],
    ]);
  });

  test('a rule to a guarded target stays', () => {
    const guarded = [{ to: 'group/servers' }];
    const { kept, is } = found(policy(SSH), { flows: [] }, { guarded });
    expect(is).toEqual([]);
    expect(kept.map(({ by }) => by)).toEqual(['guard']);
  });
});

describe('of a used rule', () => {
  const used = ['ann > web tcp/22'];

  test('a port that nobody used is removed', () => {
    const { is, after, observed } = found(policy(SSH.replace('"22"', '"22", "8443"')), {
      flows: used,
    });
    expect(is).toEqual(['p/r: remove port 8443: certain']);
    expect(after).toBe(policy(SSH));
    expect(isSilent(after, observed)).toBe(true);
  });

  test('a range becomes its used part', () => {
    const ranges = SSH.replace('ports: ["22"]', 'port_ranges: [{ start: 1, end: 1000 }]');
    const { is, after } = found(policy(ranges), { flows: [...used, 'bob > web tcp/23'] });
    expect(is).toEqual(['p/r: keep 22-23 ports 1-1000: certain']);
    expect(after).toBe(policy(ranges).replace('{ start: 1, end: 1000 }', '{ start: 22, end: 23 }'));
  });

  test('a range of which many ports were used stays', () => {
    const ranges = SSH.replace('ports: ["22"]', 'port_ranges: [{ start: 22, end: 25 }]');
    expect(found(policy(ranges), { flows: [...used, 'bob > web tcp/23'] }).is).toEqual([]);
  });

  test('every protocol becomes the used protocol with its ports', () => {
    const all = SSH.replace('protocol: tcp, ports: ["22"]', 'protocol: all');
    const { is, after } = found(policy(all), { flows: used });
    expect(is).toEqual(['p/r: keep tcp 22 every protocol: certain']);
    expect(after).toContain('protocol: tcp');
    expect(after).toMatch(/ports: \["22"\]/);
  });

  test('every protocol stays if two were used', () => {
    const all = SSH.replace('protocol: tcp, ports: ["22"]', 'protocol: all');
    expect(found(policy(all), { flows: [...used, 'bob > web icmp'] }).is).toEqual([]);
  });

  test('a source group that nobody used is removed', () => {
    const { is, after } = found(policy(SSH.replace('[staff]', '[staff, contractors]')), {
      flows: used,
    });
    expect(is).toEqual(['p/r: remove source group/contractors: certain']);
    expect(after).toBe(policy(SSH));
  });

  test('a destination group that nobody used is removed, and is unknown if its machines do not report', () => {
    const both = policy(SSH.replace('[servers]', '[servers, printers]'));
    expect(found(both, { flows: used }).is).toEqual([
      'p/r: remove destination group/printers: certain',
    ]);
    const machines = { ink: { reported: [] } };
    expect(found(both, { flows: used, machines }).is).toEqual([
      'p/r: remove destination group/printers: unknown',
    ]);
  });

  test('the reverse direction is removed if only the other was used', () => {
    const { is, after } = found(policy(`${SSH}, bidirectional: true`), { flows: used });
    expect(is).toEqual([
      'p/r: remove reverse direction: certain'.replace('remove', 'bidirectional: false'),
    ]);
    expect(after).toContain('bidirectional: false');
    expect(
      found(policy(`${SSH}, bidirectional: true`), { flows: [...used, 'db > bob tcp/22'] }).is,
    ).toEqual([]);
  });
});

describe('if one rule covers another', () => {
  const two = (narrow: string) =>
    `${policy('protocol: all, sources: [All], destinations: [All], bidirectional: true')}  - { name: q, rules: [{ name: n, ${narrow} }] }\n`;

  test('the narrower rule stays although the wider one accepts the same, and the wider rule is removed', () => {
    const { is, after, observed } = found(two(SSH), { flows: ['ann > web tcp/22'] });
    expect(is).toEqual(['p/r: remove policy: certain']);
    expect(isSilent(after, observed)).toBe(true);
  });

  test('the wider rule stays if the narrower one is for break-glass', () => {
    const text = two(SSH).replace('name: q,', 'name: q, lifecycle: { break_glass: true },');
    expect(found(text, { flows: ['ann > web tcp/22'] }).is).toEqual([
      'p/r: keep tcp 22 every protocol: certain',
    ]);
  });

  test('the wider rule stays if the narrower rule expires', () => {
    const text = two(SSH).replace('name: q,', 'name: q, lifecycle: { until: 2036-01-01 },');
    const { is } = found(text, { flows: ['ann > web tcp/22', 'db > ann icmp'] });
    expect(is.filter(line => line.startsWith('p/r: remove policy'))).toEqual([]);
  });

  const all = policy('protocol: tcp, sources: [staff], destinations: [servers]');
  const beside = (lifecycle: string, port = '22') =>
    `${all}  - { name: q, lifecycle: { ${lifecycle} }, rules: [{ name: n, ${SSH.replace('22', port)} }] }\n`;
  const used = ['ann > web tcp/22'];

  test('the narrower rule is said to be a duplicate only after the edits that make it one', () => {
    const { is, objects } = found(beside('until: 2036-01-01'), { flows: used });
    expect(is).toEqual(['p/r: keep tcp 22 every tcp port: certain', 'q/n: remove rule: certain']);
    expect(objects[1]?.findings[0]?.observed).toMatch(
      /^has the same effect as rule "r" of policy "p" \(.*\) after the other edits$/,
    );
  });

  test('a rule that is found to be a duplicate after the edits has no other finding about the whole rule', () => {
    const text = beside('ignore: [enabled]');
    const account = accountOf(text);
    const off = {
      ...account,
      policies: account.policies.map(one => ({ ...one, isEnabled: one.key === 'p' })),
    };
    const observed = observedIn(off, { flows: used });
    expect(proposed(tighten({ 'network.yaml': text }, { observed }))).toEqual([
      'p/r: keep tcp 22 every tcp port: certain',
      'q/n: remove rule: certain',
    ]);
  });

  test('the wider rule is narrowed although the files give the narrower one another port', () => {
    const text = beside('keep_access: soon');
    const observed = observedIn(accountOf(text), { flows: used });
    const changed = { 'network.yaml': beside('keep_access: soon', '2222') };
    expect(proposed(tighten(changed, { observed }))).toEqual([
      'p/r: keep tcp 22 every tcp port: certain',
    ]);
  });

  test('the wider rule stays if something else needs it', () => {
    const { is } = found(two(SSH), {
      flows: ['ann > web tcp/22', 'cy > web tcp/80', 'ink > cy udp/53', 'db > ann icmp'],
    });
    expect(is).toEqual([]);
  });
});

test('rules that become equal by narrowing are merged', () => {
  const text = `${PEOPLE}policies:
  - { name: p, rules: [{ name: r, ${SSH.replace('"22"', '"22", "80"')} }] }
  - { name: q, rules: [{ name: r, ${SSH.replace('"22"', '"22", "443"')} }] }
`;
  const { after, observed } = found(text, { flows: ['ann > web tcp/22'] });
  expect(after).toBe(policy(SSH));
  expect(isSilent(after, observed)).toBe(true);
});

test('a group of network resources is narrowed to the used resource, even if another group of the rule is removed first', () => {
  const text = `groups: [{ name: staff, peers: [ann] }, { name: gate, peers: [gw] }, { name: x }, { name: y }]
peers: [{ name: ann }, { name: gw }]
networks:
  - name: n
    resources: [{ name: r1, address: 10.0.0.1, groups: [x] }, { name: r2, address: 10.0.0.2, groups: [x] }, { name: r3, address: 10.0.0.3, groups: [y] }]
    routers: [{ peer_groups: [gate], masquerade: true }]
policies:
  - { name: p, rules: [{ name: r, protocol: tcp, ports: ["22"], sources: [staff], destinations: [x, y] }] }
`;
  const { after, observed } = found(text, { flows: ['ann > n/r1 tcp/22'] });
  expect(after).toBe(
    text.replace('destinations: [x, y]', 'destinationResource: { network_resource: n/r1 }'),
  );
  expect(isSilent(after, observed)).toBe(true);
});

describe('a policy that the server names for flows which it does not admit', () => {
  const TWO = `${PEOPLE}policies:
  - { name: web, rules: [{ name: r, protocol: tcp, ports: ["443"], sources: [staff], destinations: [servers] }] }
  - { name: shell, rules: [{ name: r, ${SSH} }] }
`;
  const named = { flow: 'ann > web tcp/22', policies: ['web'] };

  test('is a finding of its own, with the place, the flows and what admits them', () => {
    const { contradictions } = found(TWO, {
      flows: ['bob > db tcp/443', named, { ...named, flow: 'bob > web tcp/22' }],
    });
    expect(contradictions).toEqual([
      {
        policy: 'web',
        object: {
          kind: 'policy',
          key: 'web',
          at: { file: 'network.yaml', line: 8, column: 5 },
        },
        flows: 90,
        admitted: ['shell'],
        examples: [
          expect.objectContaining({ source: 'ann', destination: 'web', protocol: 'tcp/22' }),
          expect.objectContaining({ source: 'bob', destination: 'web', protocol: 'tcp/22' }),
        ],
      },
    ]);
  });

  test('is named by its id if the account never had it, and is absent if the server names none', () => {
    const gone = found(TWO, { flows: [{ ...named, policies: ['p9'] }] });
    expect(gone.contradictions).toMatchObject([{ policy: 'id:p9', admitted: ['shell'] }]);
    expect(gone.contradictions?.[0]?.object).toBeUndefined();
    expect(found(TWO, { flows: ['ann > web tcp/22'] }).contradictions).toBeUndefined();
  });
});

describe('a list to which an edit adds entries', () => {
  const used = (rule: string, flows: readonly string[]) => found(policy(rule), { flows });

  test('keeps its lines, comments and spaces if it is in brackets', () => {
    const { after } = used(
      `protocol: tcp, sources: [staff], # who
      destinations: [ servers ],
      port_ranges: [
        { start: 8000, end: 8100 }, # apps
        { start: 9000, end: 9000 }   # metrics
      ]`,
      ['ann > web tcp/8000', 'ann > web tcp/8002', 'ann > web tcp/9000'],
    );
    expect(after).toBe(
      policy(`protocol: tcp, sources: [staff], # who
      destinations: [ servers ],
      port_ranges: [
        { start: 9000, end: 9000 },   # metrics
        { start: 8000, end: 8000 },
        { start: 8002, end: 8002 }
      ]`),
    );
  });

  test('keeps the lines of its entries if it has a line for each', () => {
    const block = (ranges: string) => `${PEOPLE}policies:
  - name: p
    rules:
      - name: r # apps
        protocol: tcp
        port_ranges:
${ranges}        sources:   [staff]
        destinations: [servers]
`;
    const { after } = found(block('          - start: 8000 # first\n            end: 8100\n'), {
      flows: ['ann > web tcp/8000', 'ann > web tcp/8002'],
    });
    expect(after).toBe(
      block(
        '          - start: 8000\n            end: 8000\n          - start: 8002\n            end: 8002\n',
      ),
    );
  });
});

// Policies and their rules (facts §5.6).
import { describe, expect, it } from 'vitest';
import { memoryStore } from '../../src/emulator/index.ts';
import { checkBody, policyBody, ruleBody } from './bodies.ts';
import { type Emulated, emulated, idOf } from './emulated.ts';

const PATH = '/api/policies';
const HOST = { id: 'r1', type: 'host' };

const twoGroups = async (api: Emulated) => ({
  a: await api.make('/api/groups', { name: 'a' }),
  b: await api.make('/api/groups', { name: 'b' }),
});

const rulesOf = (policy: unknown): readonly unknown[] => [Object(policy).rules].flat();

describe.each(['spec', 'netbird'] as const)('dialect %s', dialect => {
  const empty = dialect === 'spec' ? [] : null;

  it('shows a policy with its groups in short', async () => {
    const api = await emulated({ dialect });
    const { a, b } = await twoGroups(api);
    const policy = await api.post(
      PATH,
      policyBody([ruleBody({ sources: [a], destinations: [b] })]),
    );
    expect(policy).toMatchObject({
      name: 'policy',
      description: '',
      enabled: true,
      source_posture_checks: empty,
      rules: [
        {
          name: 'rule',
          description: '',
          sources: [{ id: a, name: 'a', peers_count: 0, resources_count: 0 }],
          destinations: [{ id: b, name: 'b' }],
        },
      ],
    });
    expect(await api.get(`${PATH}/${idOf(policy)}`)).toEqual(policy);
  });

  it('shows ports, ranges, users and resources only where they are set', async () => {
    const api = await emulated({ dialect });
    const bare = await api.post(PATH, policyBody([ruleBody()]));
    for (const name of [
      'ports',
      'port_ranges',
      'authorized_groups',
      'sourceResource',
      'destinationResource',
    ])
      expect(rulesOf(bare)[0]).not.toHaveProperty(name);
    expect(bare).toMatchObject({ rules: [{ sources: empty, destinations: empty }] });
    const sides = { sources: undefined, sourceResource: HOST, destinations: undefined };
    const rule = ruleBody({ ...sides, destinationResource: HOST, ports: ['22'] });
    expect(await api.post(PATH, policyBody([rule]))).toMatchObject({
      rules: [{ sourceResource: HOST, destinationResource: HOST, ports: ['22'] }],
    });
  });

  it('drops unknown groups and posture checks without a word (fact 3)', async () => {
    const api = await emulated({ dialect });
    const { a } = await twoGroups(api);
    const check = await api.make(
      '/api/posture-checks',
      checkBody({ nb_version_check: { min_version: '1' } }),
    );
    const rule = ruleBody({ sources: [a, 'none'], destinations: ['none'] });
    const policy = await api.post(
      PATH,
      policyBody([rule], { source_posture_checks: ['none', check] }),
    );
    expect(policy).toMatchObject({
      source_posture_checks: [check],
      rules: [{ sources: [{ id: a }], destinations: empty }],
    });
    expect(await api.get(`${PATH}/${idOf(policy)}`)).toEqual(policy);
  });

  it('does not ask whether a resource exists, and shows each group once', async () => {
    const api = await emulated({ dialect });
    const { a } = await twoGroups(api);
    const rule = ruleBody({ sources: [a, a], destinations: undefined, destinationResource: HOST });
    expect(await api.post(PATH, policyBody([rule]))).toMatchObject({
      rules: [{ sources: [{ id: a }], destinationResource: HOST }],
    });
  });

  it('keeps authorized_groups only for SSH (fact 14)', async () => {
    const api = await emulated({ dialect });
    const { a, b } = await twoGroups(api);
    const authorized_groups = { [a]: ['root'], [b]: [] };
    const rule = { sources: [a], destinations: [b], authorized_groups };
    const kept = await api.post(PATH, policyBody([ruleBody({ ...rule, protocol: 'netbird-ssh' })]));
    expect(kept).toMatchObject({ rules: [{ authorized_groups }] });
    const dropped = await api.post(PATH, policyBody([ruleBody(rule)]));
    expect(rulesOf(dropped)[0]).not.toHaveProperty('authorized_groups');
  });

  it('keeps ports and ranges as they are written (fact 15)', async () => {
    const api = await emulated({ dialect });
    const ports = ['080', '+443'];
    expect(await api.post(PATH, policyBody([ruleBody({ ports })]))).toMatchObject({
      rules: [{ ports: expect.arrayContaining(ports) }],
    });
    const port_ranges = [{ start: 8000, end: 7000 }];
    expect(await api.post(PATH, policyBody([ruleBody({ port_ranges })]))).toMatchObject({
      rules: [{ port_ranges }],
    });
    const wide = ruleBody({ port_ranges: [{ start: 65_537, end: 10 }] });
    expect(await api.post(PATH, policyBody([wide]))).toMatchObject({
      rules: [{ port_ranges: [{ start: 1, end: 10 }] }],
    });
  });

  it.each([
    ['an empty name', policyBody([ruleBody()], { name: '' })],
    ['no rules', policyBody([])],
    ['sources and a source resource', policyBody([ruleBody({ sourceResource: HOST })])],
    ['no source', policyBody([ruleBody({ sources: undefined })])],
    [
      'destinations and a destination resource',
      policyBody([ruleBody({ destinationResource: HOST })]),
    ],
    ['no destination', policyBody([ruleBody({ destinations: null })])],
    ['an unknown action', policyBody([ruleBody({ action: 'Accept' })])],
    ['an unknown protocol', policyBody([ruleBody({ protocol: 'TCP' })])],
    [
      'ports and ranges',
      policyBody([ruleBody({ ports: ['1'], port_ranges: [{ start: 1, end: 2 }] })]),
    ],
    ['a port of 0', policyBody([ruleBody({ ports: ['0'] })])],
    ['a port of 65536', policyBody([ruleBody({ ports: ['65536'] })])],
    ['a port that is no number', policyBody([ruleBody({ ports: ['http'] })])],
    ['a range from 0', policyBody([ruleBody({ port_ranges: [{ start: 0, end: 5 }] })])],
    ['a range to 65536', policyBody([ruleBody({ port_ranges: [{ start: 5, end: 65_536 }] })])],
    ['ports with protocol all', policyBody([ruleBody({ protocol: 'all', ports: ['1'] })])],
    [
      'ranges with protocol icmp',
      policyBody([ruleBody({ protocol: 'icmp', port_ranges: [{ start: 1, end: 2 }] })]),
    ],
    ['a second rule that is wrong', policyBody([ruleBody(), ruleBody({ action: '' })])],
  ])('refuses %s with a 422', async (_, body) => {
    const api = await emulated({ dialect });
    const [status] = await api.refusal('POST', PATH, body);
    expect(status).toBe(422);
    const id = await api.make(PATH, policyBody([ruleBody()]));
    const [again] = await api.refusal('PUT', `${PATH}/${id}`, body);
    expect(again).toBe(422);
  });

  it('refuses SSH users for some source groups only (fact 14)', async () => {
    const api = await emulated({ dialect });
    const { a, b } = await twoGroups(api);
    const rule = { sources: [a, b], protocol: 'netbird-ssh', authorized_groups: { [a]: [] } };
    const [status, message] = await api.refusal('POST', PATH, policyBody([ruleBody(rule)]));
    expect([status, message]).toEqual([422, expect.stringContaining(b)]);
    await api.make(PATH, policyBody([ruleBody({ ...rule, authorized_groups: {} })]));
  });

  it('takes equal names and an empty rule name (fact 23)', async () => {
    const api = await emulated({ dialect });
    for (const _ of [1, 2]) await api.make(PATH, policyBody([ruleBody({ name: '' })]));
    expect(await api.get(PATH)).toHaveLength(3);
  });

  it('replaces the policy and the rule it is given: what is left out is emptied', async () => {
    const api = await emulated({ dialect });
    const { a } = await twoGroups(api);
    const check = await api.make(
      '/api/posture-checks',
      checkBody({ nb_version_check: { min_version: '1' } }),
    );
    const policy = await api.post(
      PATH,
      policyBody([ruleBody({ description: 'd', ports: ['1'], sources: [a] })], {
        description: 'd',
        source_posture_checks: [check],
      }),
    );
    const { id: rule } = Object(rulesOf(policy)[0]);
    const body = policyBody([ruleBody({ id: rule, description: undefined })], {
      description: undefined,
    });
    const after = await api.put(`${PATH}/${idOf(policy)}`, body);
    expect(after).toMatchObject({
      id: idOf(policy),
      description: '',
      source_posture_checks: empty,
      rules: [{ id: rule, description: '', sources: empty }],
    });
    expect(rulesOf(after)[0]).not.toHaveProperty('ports');
  });

  it('refuses a rule id that the policy does not have with a 422, and ignores it on creation', async () => {
    const api = await emulated({ dialect });
    const body = policyBody([ruleBody({ id: 'none' })]);
    const policy = await api.post(PATH, body);
    expect(rulesOf(policy)).not.toMatchObject([{ id: 'none' }]);
    expect(await api.refusal('PUT', `${PATH}/${idOf(policy)}`, body)).toEqual([
      422,
      'invalid rule id: none',
    ]);
  });

  it('writes nothing where an update changes nothing but order (fact 29)', async () => {
    const store = memoryStore();
    const api = await emulated({ dialect, store, shuffle: false });
    const { a, b } = await twoGroups(api);
    const rule = ruleBody({ sources: [a, b], ports: ['1', '2'] });
    const policy = await api.post(PATH, policyBody([rule]));
    const turned = {
      ...rule,
      id: Object(rulesOf(policy)[0]).id,
      sources: [b, a],
      ports: ['2', '1'],
    };
    const path = `${PATH}/${idOf(policy)}`;
    expect(await api.put(path, policyBody([turned]))).toMatchObject({
      rules: [{ sources: [{ id: b }, { id: a }], ports: ['2', '1'] }],
    });
    expect(await api.get(path)).toEqual(policy);
    expect(await api.put(path, policyBody([turned], { description: 'new' }))).toMatchObject({
      rules: [{ ports: ['2', '1'] }],
    });
    expect(await api.get(path)).toMatchObject({ rules: [{ ports: ['2', '1'] }] });
  });

  it('answers 404 to an unknown id', async () => {
    const api = await emulated({ dialect });
    for (const [method, body] of [['GET'], ['PUT', policyBody([ruleBody()])], ['DELETE']] as const)
      expect(await api.refusal(method, `${PATH}/none`, body)).toEqual([
        404,
        'policy: none not found',
      ]);
  });
});

describe('several rules under spec (facts §13, item 3)', () => {
  it('are all kept, each with an id of its own', async () => {
    const api = await emulated({ dialect: 'spec' });
    const policy = await api.post(
      PATH,
      policyBody([ruleBody({ name: 'a' }), ruleBody({ name: 'b' })]),
    );
    const ids = rulesOf(policy).map(idOf);
    expect(new Set([...ids, idOf(policy)]).size).toBe(3);
    const read = await api.get(`${PATH}/${idOf(policy)}`);
    expect(new Set(rulesOf(read).map(idOf))).toEqual(new Set(ids));
  });

  it('are replaced as a set: ids that are sent stay, rules that are not sent go', async () => {
    const api = await emulated({ dialect: 'spec' });
    const policy = await api.post(
      PATH,
      policyBody([ruleBody({ name: 'a' }), ruleBody({ name: 'b' })]),
    );
    const stays = Object(rulesOf(policy).find(rule => Object(rule).name === 'b')).id;
    const path = `${PATH}/${idOf(policy)}`;
    await api.put(path, policyBody([ruleBody({ name: 'c' }), ruleBody({ id: stays, name: 'B' })]));
    const after = rulesOf(await api.get(path));
    expect(after).toHaveLength(2);
    expect(after).toContainEqual(expect.objectContaining({ id: stays, name: 'B' }));
    expect(after).toContainEqual(expect.objectContaining({ name: 'c' }));
  });

  it('may not share an id', async () => {
    const api = await emulated({ dialect: 'spec' });
    const policy = await api.post(PATH, policyBody([ruleBody()]));
    const twin = ruleBody({ id: Object(rulesOf(policy)[0]).id });
    const [status] = await api.refusal('PUT', `${PATH}/${idOf(policy)}`, policyBody([twin, twin]));
    expect(status).toBe(422);
  });

  it('can be sent back as they are read, groups as their ids', async () => {
    const api = await emulated({ dialect: 'spec' });
    const { a } = await twoGroups(api);
    const rule = ruleBody({ sources: [a], destinations: undefined, destinationResource: HOST });
    const policy = await api.post(PATH, policyBody([rule]));
    const [read] = rulesOf(policy);
    expect(read).not.toHaveProperty('destinations');
    const sent = policyBody([{ ...Object(read), sources: [a] }]);
    expect(await api.put(`${PATH}/${idOf(policy)}`, sent)).toEqual(policy);
  });
});

describe('one rule under netbird', () => {
  it('has the id of its policy (fact 1)', async () => {
    const api = await emulated({ dialect: 'netbird' });
    const policy = await api.post(PATH, policyBody([ruleBody()]));
    expect(policy).toMatchObject({ rules: [{ id: idOf(policy) }] });
  });

  it('is the first of several, although all are answered (fact 1)', async () => {
    const api = await emulated({ dialect: 'netbird', shuffle: false });
    const policy = await api.post(
      PATH,
      policyBody([ruleBody({ name: 'a' }), ruleBody({ name: 'b' })]),
    );
    const id = idOf(policy);
    expect(policy).toMatchObject({
      rules: [
        { id, name: 'a' },
        { id, name: 'b' },
      ],
    });
    expect(await api.get(`${PATH}/${id}`)).toMatchObject({ rules: [{ id, name: 'a' }] });
    const turned = policyBody([ruleBody({ name: 'c' }), ruleBody({ name: 'd' })]);
    expect(await api.put(`${PATH}/${id}`, turned)).toMatchObject({
      rules: [{ name: 'c' }, { name: 'd' }],
    });
    expect(await api.get(`${PATH}/${id}`)).toMatchObject({ rules: [{ id, name: 'c' }] });
  });

  it('joins the rules of a policy from elsewhere, of which a PUT removes none (fact 2)', async () => {
    const store = memoryStore();
    const older = await emulated({ dialect: 'spec', store });
    const policy = await older.post(
      PATH,
      policyBody([ruleBody({ name: 'a' }), ruleBody({ name: 'b' })]),
    );
    const api = await emulated({ dialect: 'netbird', store });
    const path = `${PATH}/${idOf(policy)}`;
    const kept = Object(rulesOf(policy).find(rule => Object(rule).name === 'a')).id;
    await api.put(path, policyBody([ruleBody({ id: kept, name: 'A' })]));
    const names = async () =>
      rulesOf(await api.get(path))
        .map(rule => Object(rule).name)
        .toSorted();
    expect(await names()).toEqual(['A', 'b']);
    await api.put(path, policyBody([ruleBody({ name: 'c' })]));
    expect(await names()).toEqual(['A', 'b', 'c']);
  });

  it('shows groups in part: no issued, no resources of what is a source (fact 16)', async () => {
    const api = await emulated({ dialect: 'netbird', shuffle: false });
    const { a, b } = await twoGroups(api);
    for (const [id, name] of [[a, 'a'] as const, [b, 'b'] as const])
      await api.put(`/api/groups/${id}`, { name, resources: [HOST] });
    const policy = await api.post(
      PATH,
      policyBody([ruleBody({ sources: [a], destinations: [a, b] })]),
    );
    expect(policy).toMatchObject({
      rules: [
        {
          sources: [{ id: a, resources_count: 0 }],
          destinations: [
            { id: a, resources_count: 0 },
            { id: b, resources_count: 1 },
          ],
        },
      ],
    });
    expect(JSON.stringify(policy)).not.toContain('issued');
  });

  it('leaves out a source group that an earlier rule has (fact 16)', async () => {
    const store = memoryStore();
    const older = await emulated({ dialect: 'spec', store });
    const { a } = await twoGroups(older);
    const id = await older.make(
      PATH,
      policyBody([ruleBody({ sources: [a] }), ruleBody({ sources: [a] })]),
    );
    const api = await emulated({ dialect: 'netbird', store, shuffle: false });
    expect(await api.get(`${PATH}/${id}`)).toMatchObject({
      rules: [{ sources: [{ id: a }] }, { sources: null }],
    });
  });

  it('shows a side that is a resource with null groups', async () => {
    const api = await emulated({ dialect: 'netbird' });
    const rule = ruleBody({ sources: undefined, sourceResource: HOST });
    expect(await api.post(PATH, policyBody([rule]))).toMatchObject({
      rules: [{ sources: null, sourceResource: HOST, destinations: null }],
    });
  });
});

// Policies and their rules (docs/server-behaviour.md#policies-and-rules).
import { describe, expect, it } from 'vitest';
import { memoryStore } from '../../../src/emulator/index.ts';
import { checkBody, policyBody, ruleBody } from '../bodies.ts';
import { emulated, idOf } from '../emulated.ts';
import { rulesOf, twoGroups } from './rules.ts';

const PATH = '/api/policies';
const HOST = { id: 'r1', type: 'host' };

describe.each(['spec', 'netbird'] as const)('dialect %s', dialect => {
  const empty = dialect === 'spec' ? [] : null;

  it('shows a policy with its groups in short form', async () => {
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

  it('shows ports, ranges, users and resources only if they are set', async () => {
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

  it('silently drops unknown groups and posture checks', async () => {
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

  it('does not check whether a resource exists, and shows each group once', async () => {
    const api = await emulated({ dialect });
    const { a } = await twoGroups(api);
    const rule = ruleBody({ sources: [a, a], destinations: undefined, destinationResource: HOST });
    expect(await api.post(PATH, policyBody([rule]))).toMatchObject({
      rules: [{ sources: [{ id: a }], destinationResource: HOST }],
    });
  });

  it('keeps authorized_groups only for SSH', async () => {
    const api = await emulated({ dialect });
    const { a, b } = await twoGroups(api);
    const authorized_groups = { [a]: ['root'], [b]: [] };
    const rule = { sources: [a], destinations: [b], authorized_groups };
    const kept = await api.post(PATH, policyBody([ruleBody({ ...rule, protocol: 'netbird-ssh' })]));
    expect(kept).toMatchObject({ rules: [{ authorized_groups }] });
    const dropped = await api.post(PATH, policyBody([ruleBody(rule)]));
    expect(rulesOf(dropped)[0]).not.toHaveProperty('authorized_groups');
  });

  it('keeps ports and ranges as they are written', async () => {
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

  it('refuses SSH users for some source groups only', async () => {
    const api = await emulated({ dialect });
    const { a, b } = await twoGroups(api);
    const rule = { sources: [a, b], protocol: 'netbird-ssh', authorized_groups: { [a]: [] } };
    const [status, message] = await api.refusal('POST', PATH, policyBody([ruleBody(rule)]));
    expect([status, message]).toEqual([422, expect.stringContaining(b)]);
    await api.make(PATH, policyBody([ruleBody({ ...rule, authorized_groups: {} })]));
  });

  it('accepts equal names and an empty rule name', async () => {
    const api = await emulated({ dialect });
    for (const _ of [1, 2]) await api.make(PATH, policyBody([ruleBody({ name: '' })]));
    expect(await api.get(PATH)).toHaveLength(3);
  });

  it('replaces the policy and the given rule: omitted fields are emptied', async () => {
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

  it('writes nothing if an update changes only the order', async () => {
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

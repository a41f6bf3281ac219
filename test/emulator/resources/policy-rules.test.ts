// How many rules a policy holds: several under spec, in effect one under netbird (docs/server-behaviour.md#policies-and-rules).
import { describe, expect, it } from 'vitest';
import { memoryStore } from '../../../src/emulator/index.ts';
import { policyBody, ruleBody } from '../bodies.ts';
import { emulated, idOf } from '../emulated.ts';
import { rulesOf, twoGroups } from './rules.ts';

const PATH = '/api/policies';
const HOST = { id: 'r1', type: 'host' };

describe('several rules under spec', () => {
  it('are all kept, each with its own id', async () => {
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

  it('are replaced as a set: rules with a sent id stay, and the others are deleted', async () => {
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

  it('can be sent back as they are read, with groups as ids', async () => {
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
  it('has the id of its policy', async () => {
    const api = await emulated({ dialect: 'netbird' });
    const policy = await api.post(PATH, policyBody([ruleBody()]));
    expect(policy).toMatchObject({ rules: [{ id: idOf(policy) }] });
  });

  it('is the first of several, although all are returned', async () => {
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

  it('is added to the rules that a policy has otherwise, which a PUT does not remove', async () => {
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

  it('shows groups in part: without `issued`, and without the resources of sources', async () => {
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

  it('leaves out a source group that an earlier rule has', async () => {
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

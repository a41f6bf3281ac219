// What the files no longer declare, and no apply has removed yet, is compared with the base: a change of it is drift.
import { expect, test, vi } from 'vitest';
import { isList, type JsonObject } from '../../../src/model/value.ts';
import { someOf } from '../../support/variations.ts';
import { expectCode, type Machines, machines } from './sharedMachines.ts';

vi.setConfig({ testTimeout: 60_000 });

const GROUPS = 'groups: [{ name: a }, { name: b }]\n';
const RULE = '{ name: one, sources: [a], destinations: [b], protocol: tcp, ports: ["22"] }';
const MORE = '{ name: two, sources: [a], destinations: [b], protocol: tcp, ports: ["80"] }';
const policy = (...rules: string[]): string =>
  `policies: [{ name: p, rules: [${rules.join(', ')}] }]\n`;
const NONE = 'policies: []\n';
const DRIFT = ['drift', 'network', '--base', 'auto'];

interface Widened extends JsonObject {
  readonly id: string;
  readonly name: string;
  readonly rules: JsonObject[];
}

// Somebody opens all ports in each rule that has this one.
async function widen({ account }: Machines, port: string): Promise<void> {
  const policies = (await account.call('GET', '/api/policies')) as Widened[];
  const ids = (groups: unknown) =>
    isList(groups as JsonObject[]) ? (groups as { id: string }[]).map(({ id }) => id) : [];
  for (const { id, rules, ...rest } of policies) {
    const written = rules.map(({ sources, destinations, ports, ...rule }) => ({
      ...rule,
      sources: ids(sources),
      destinations: ids(destinations),
      ...(JSON.stringify(ports) === JSON.stringify([port])
        ? { protocol: 'all', ports: [] }
        : { ports: ports ?? [] }),
    }));
    await account.call('PUT', `/api/policies/${id}`, { ...rest, rules: written });
  }
}

test.each(
  someOf(
    [
      ['a policy', NONE, 'policy.p', 'spec'],
      [
        'a policy that the files mark for deletion',
        `policies: [{ name: p, rules: [${RULE}], lifecycle: { delete: true } }]\n`,
        'policy.p',
        'netbird',
      ],
      ['a rule of a policy', policy(RULE), 'policy.p', 'spec'],
      ['a rule that the server keeps as a policy', policy(RULE), 'policy["p / two"]', 'netbird'],
    ] as const,
    1,
  ),
)('a change of %s that the files dropped is drift, with its cause', (_, after, address, dialect) =>
  machines(async all => {
    const one = await all.machine('one');
    await one.write('groups.yaml', GROUPS);
    const isRule = address !== 'policy.p' || after === policy(RULE);
    await one.write('p.yaml', policy(RULE, ...(isRule ? [MORE] : [])));
    expectCode(await one.apply(), 0);
    await one.write('p.yaml', after);
    const pending = await one.run(...DRIFT);
    expectCode(pending, 0);
    expect(pending.stdout).toContain('No drift');
    await widen(all, isRule ? '80' : '22');
    const drift = await one.run(...DRIFT);
    expectCode(drift, 2);
    expect(drift.stdout).toContain(`# ${address} has changed in the account`);
    expect(drift.stdout).toMatch(/protocol *= ("tcp" -> )?"all"/);
    expect(drift.stdout).toContain('cause: ');
    expect(drift.stdout).toContain('policy.update');
    expect(drift.stdout).toContain('Drift: 1 changed, 0 missing, 0 not removed.');
    expectCode(await one.run(...DRIFT, '--only', 'group/a'), 0);
    const json = await one.run(...DRIFT, '--format', 'json');
    expectCode(json, 2);
    expect(JSON.parse(json.stdout).resource_drift).toHaveLength(1);
    expectCode(await one.apply('--yes'), 6);
  }, dialect),
);

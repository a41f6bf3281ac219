// Laws of the lints over generated files: they never fail, their order is fixed, and a rule that is said to have no effect has none.
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { lintFiles } from '../../../src/access/lint/lintFiles.ts';
import { reachRows } from '../../../src/access/reachRows.ts';
import { stateOfFiles } from '../../../src/access/state/stateOfFiles.ts';
import { inParts } from '../../../src/engine/scope/parts.ts';
import { DIALECTS, type Dialect } from '../../../src/kinds/traits.ts';
import { spanText } from '../../../src/model/diagnostic.ts';
import type { Desired } from '../../../src/model/object.ts';
import { accounts } from '../../properties/generators/accounts.ts';
import { fileText } from '../../properties/generators/fileText.ts';
import { law, PATIENCE } from '../../properties/runs.ts';
import { KINDS, load, loadFiles } from '../../support/files.ts';
import { lintTexts } from './linted.ts';

vi.setConfig({ testTimeout: PATIENCE });

const keptIn = (dialect: Dialect) => (objects: readonly Desired[]) =>
  inParts(objects, KINDS, dialect);

test('lints report places in any account, in a fixed order', () =>
  law(accounts(), 20, ({ desired: generated }) => {
    const outside = { env: () => 'x', file: () => undefined, vars: new Map<string, string>() };
    const { desired, accessTests } = load(fileText(generated), outside);
    for (const dialect of DIALECTS) {
      const lint = (objects: readonly Desired[]) =>
        lintFiles({ desired: objects, accessTests, kinds: KINDS, asKept: keptIn(dialect) });
      const { findings } = lint(desired);
      expect(findings.every(({ at, hint }) => at && hint)).toBe(true);
      expect(lint(desired.toReversed())).toEqual(lint(desired));
    }
  }));

const GROUPS = ['g0', 'g1', 'g2'];
const some = (list: readonly string[]) =>
  fc.uniqueArray(fc.constantFrom(...list), { minLength: 1, maxLength: 2 });
const source = fc.oneof(
  { arbitrary: some([...GROUPS, 'All']).map(sources => ({ sources })), weight: 3 },
  { arbitrary: fc.constantFrom('p0', 'p3').map(peer => ({ sourceResource: { peer } })), weight: 1 },
);
const single = fc.constantFrom({ peer: 'p1' }, { network_resource: 'n/r0' });
const destination = fc.oneof(
  { arbitrary: some([...GROUPS, 'All']).map(destinations => ({ destinations })), weight: 3 },
  { arbitrary: single.map(destinationResource => ({ destinationResource })), weight: 1 },
);
const traffic = fc.constantFrom(
  { protocol: 'all' },
  { protocol: 'tcp' },
  { protocol: 'tcp', ports: ['22'] },
  { protocol: 'tcp', port_ranges: [{ start: 20, end: 30 }] },
  { protocol: 'netbird-ssh', ports: ['22'] },
);
const rule = fc
  .tuple(source, destination, traffic, fc.record({ bidirectional: fc.boolean() }))
  .chain(([from, to, what, rest]) =>
    fc
      .constantFrom('accept', 'accept', 'accept', 'drop')
      .map(action => ({ ...from, ...to, ...what, ...rest, action })),
  );
const policies = fc.array(
  fc.record({
    source_posture_checks: fc.subarray(['c0', 'c1'], { maxLength: 1 }),
    rules: fc.array(rule, { minLength: 1, maxLength: 2 }),
  }),
  { minLength: 2, maxLength: 5 },
);
const files = fc.record({
  policies,
  peers: fc.array(fc.subarray(GROUPS), { minLength: 4, maxLength: 4 }),
  router: fc.constantFrom({ peer: 'p3' }, { peer_groups: ['g2'] }),
  held: some(GROUPS),
  controls: fc.subarray(GROUPS, { maxLength: 1 }),
});

type Files = typeof files extends fc.Arbitrary<infer T> ? T : never;

const NEW = { nb_version_check: { min_version: '0.48.0' } };
const LINUX = { os_version_check: { linux: { min_kernel_version: '5' } } };

function textOf({ policies: generated, peers, router, held, controls }: Files): string {
  const routed = { ...router, masquerade: true };
  const route = { network_id: 'x', network: '10.9.0.0/16', ...routed, groups: ['g0', 'g1'] };
  return JSON.stringify({
    groups: GROUPS.map(name => ({ name })),
    peers: peers.map((groups, at) => ({ name: `p${at}`, groups })),
    posture_checks: [
      { name: 'c0', checks: NEW },
      { name: 'c1', checks: LINUX },
    ],
    networks: [
      {
        name: 'n',
        routers: [routed],
        resources: [{ name: 'r0', address: '10.0.0.1', groups: held }],
      },
    ],
    routes: [{ ...route, access_control_groups: controls }],
    policies: generated.map(({ rules, source_posture_checks }, at) => ({
      name: `policy${at}`,
      source_posture_checks,
      rules: rules.map((one, index) => ({ name: `rule${index}`, ...one })),
    })),
  });
}

function rowsOf(text: string, dialect: Dialect): readonly unknown[] {
  const state = stateOfFiles(loadFiles({ 'a.yaml': text }).desired, keptIn(dialect));
  const versions = ['0.40.0', '0.60.0', '0.60.0', '0.50.0'];
  const machines = state.machines.map((machine, at) => ({
    ...machine,
    id: machine.key,
    facts: { version: versions[at] ?? '', os: 'Linux', kernel: `${4 + at}.1` },
  }));
  return [...reachRows({ ...state, machines })];
}

function without({ policies: generated, ...rest }: Files, message: string): Files {
  const named = [...message.matchAll(/rule `rule(\d)` of policy `policy(\d)`/g)];
  // A finding about several rules names the rule that covers them first, any other finding last.
  const covered = /^\d+ rules/.test(message) ? named.slice(1) : named.slice(0, 1);
  const gone = new Set(covered.map(([, index, at]) => `${at} ${index}`));
  const left = generated.map((policy, number) => ({
    ...policy,
    rules: policy.rules.filter((_, place) => !gone.has(`${number} ${place}`)),
  }));
  return { ...rest, policies: left.filter(({ rules }) => rules.length > 0) };
}

test('everybody reaches the same without the shadowed or duplicate rule', () => {
  let tried = 0;
  let removed = 0;
  return law(files, 150, generated => {
    tried++;
    const text = textOf(generated);
    for (const dialect of DIALECTS) {
      const { findings } = lintTexts({ 'a.yaml': text }, dialect);
      for (const { code, message, at } of findings) {
        if (code !== 'RULE_SHADOWED' && code !== 'RULE_DUPLICATE') continue;
        removed++;
        const rest = textOf(without(generated, message));
        const what = `${dialect} ${at && spanText(at)} ${message}`;
        expect(rowsOf(rest, dialect), what).toEqual(rowsOf(text, dialect));
      }
    }
  }).then(() => expect(removed).toBeGreaterThan(tried / 3));
});

// What waits for a group of the identity provider leaves nothing open: drawn accounts, declared otherwise for a group that is not there yet.
// After the apply nobody has access that the files do not give, or the plan was refused; and a plan shows as lost what is lost by then.
import { expect, test, vi } from 'vitest';
import { accessChanges } from '../../src/access/diff/accessChanges.ts';
import { reachesOf } from '../../src/access/flows/reaches.ts';
import { and, indexesIn, isEmpty } from '../../src/access/sets/bits.ts';
import { rowPool } from '../../src/access/sets/rowPool.ts';
import type { AccessState } from '../../src/access/state/accessState.ts';
import { frameOf } from '../../src/access/world/world.ts';
import { readTransport } from '../../src/api/transport/transport.ts';
import { present } from '../../src/model/errors.ts';
import { accessStateOf } from '../../src/pipeline/access/accountAccess.ts';
import { startAccount, type TestAccount } from '../support/account.ts';
import { desiredOf, KINDS } from '../support/files.ts';
import { type Extent, patience, proof } from '../support/proof.ts';
import { apply, plan, reconcile } from '../support/reconcile.ts';
import { fc } from '../support/seeded.ts';

const EXTENT: Extent = { slice: 10, full: 1_000 };
vi.setConfig({ testTimeout: patience(EXTENT, 5_000) });

const groupsOf = (all: readonly string[]) => fc.subarray([...all]);
const PASSWORD = 'password_auth: { enabled: true, password: "${env:WIKI}" }';

const asking = (groups: readonly string[], isOn = true) =>
  `bearer_auth: { enabled: ${isOn}, distribution_groups: [${groups}] }`;

/** The lock of a service. */
const locksOf = (all: readonly string[]) =>
  fc
    .record({
      is: fc.constantFrom('private', 'sign-in', 'both', 'none', 'password'),
      groups: groupsOf(all),
    })
    .map(({ is, groups }) => {
      if (is === 'private' && groups.length > 0)
        return `private: true, access_groups: [${groups}], auth: { ${asking([], false)}, password_auth: { enabled: false } }`;
      if (is === 'sign-in')
        return `private: false, auth: { ${asking(groups)}, password_auth: { enabled: false } }`;
      if (is === 'both') return `private: false, auth: { ${asking(groups)}, ${PASSWORD} }`;
      const password = is === 'password' ? PASSWORD : 'password_auth: { enabled: false }';
      return `private: false, auth: { ${asking([], false)}, ${password} }`;
    });

const serviceOf = (all: readonly string[]) =>
  fc
    .record({ lock: locksOf(all), isOn: fc.boolean(), ports: groupsOf(['8080', '9090']) })
    .map(({ lock, isOn, ports }) => {
      const targets = (ports.length > 0 ? ports : ['8080']).map(
        port => `{ target: { peer: gate }, path: "/${port}", port: ${port} }`,
      );
      return `{ domain: wiki.eu.proxy.test, name: w, enabled: ${isOn}, targets: [${targets}], ${lock} }`;
    });

const policyOf = (all: readonly string[]) =>
  fc
    .record({
      from: groupsOf(all),
      to: groupsOf(all),
      action: fc.constantFrom('accept', 'accept', 'drop'),
      port: fc.constantFrom('22', '80'),
    })
    .map(({ from, to, action, port }) => {
      const [sources, destinations] = [from, to].map(one => (one.length > 0 ? one : ['ops']));
      return `{ name: in, sources: [${sources}], destinations: [${destinations}], action: ${action}, protocol: tcp, ports: ["${port}"] }`;
    });

const routeOf = (all: readonly string[]) =>
  fc
    .record({ groups: groupsOf(all), limits: groupsOf(all), isOn: fc.boolean() })
    .map(
      ({ groups, limits, isOn }) =>
        `{ network_id: lab, network: 10.9.0.0/16, peer_groups: [gates], groups: [${groups.length > 0 ? groups : ['ops']}], access_control_groups: [${limits}], masquerade: true, metric: 100, keep_route: true, enabled: ${isOn}, description: d }`,
    );

const filesOf = (all: readonly string[]) =>
  fc
    .record({
      service: serviceOf(all),
      rule: policyOf(all),
      route: routeOf(all),
      resource: groupsOf(all),
    })
    .map(
      ({ service, rule, route, resource }) => `reverse_proxy: { services: [${service}] }
policies: [{ name: some, rules: [${rule}] }]
routes: [${route}]
networks:
  - { name: n, resources: [{ name: db, address: 10.8.0.5/32, groups: [${resource}] }], routers: [{ peer_groups: [gates], masquerade: true, metric: 100 }] }
`,
    );

const OWN =
  'groups: [{ name: ops, peers: [one] }, { name: dev, peers: [two] }, { name: gates, peers: [gate] }';
const WAITED = `${OWN}, { name: engineers, from: identity_provider }]\n`;
const env = { WIKI: 'a-password-of-some-length' };

async function begun(files: string): Promise<TestAccount> {
  const account = await startAccount({ dialect: 'netbird', signIn: 'external' });
  const cluster = { address: 'eu.proxy.test', shared: true, private: true };
  await account.control('POST', '/emulator/clusters', cluster);
  for (const name of ['one', 'two', 'gate']) await account.enrol(name);
  for (const { id } of (await account.call('GET', '/api/policies')) as { id: string }[])
    await account.call('DELETE', `/api/policies/${id}`);
  await reconcile(account, desiredOf(`${OWN}]\n${files}`), { env });
  return account;
}

async function stateIn(account: TestAccount): Promise<AccessState> {
  const options = { concurrency: 4, dialect: 'netbird' as const };
  const { state } = await accessStateOf(KINDS, readTransport(account.transport), options);
  return present(state, 'the state of the account');
}

/** The sources of today and of present groups that have more in one state than in another, by their names. */
function moreIn(state: AccessState, than: AccessState): readonly string[] {
  const frame = frameOf(than, state, true);
  const pool = rowPool();
  const before = reachesOf(frame.first, pool);
  const after = reachesOf(frame.last, pool);
  const { world } = after;
  const found = accessChanges(before, after).changes;
  return found.flatMap(({ gains, sources }) => {
    const known = and(sources, world.present);
    return !gains || isEmpty(known)
      ? []
      : [...indexesIn(known)].map(index => world.members[index]?.key ?? '');
  });
}

const ANY_MACHINE = /^service callers of (all machines|peer)/;

test('waiting objects leave nothing open', async () => {
  const { count, seed, found } = proof('waiting: drawn changes of accounts', EXTENT);
  const counted = { refused: 0, applied: 0, waiting: 0 };
  const property = fc.asyncProperty(
    filesOf(['ops', 'dev']),
    filesOf(['ops', 'dev', 'engineers']),
    fc.boolean(),
    async (was, is, hasBase) => {
      const account = await begun(was);
      try {
        const before = await stateIn(account);
        const desired = desiredOf(WAITED + is);
        const base = hasBase ? desiredOf(`${OWN}]\n${was}`) : [];
        const made = await plan(account, desired, {
          base,
          access: { tests: [], areTestsJudged: false, allowances: { byFlag: [], byProject: [] } },
        });
        const errors = made.diagnostics.filter(({ severity }) => severity === 'error');
        expect(errors.filter(({ code }) => code !== 'WAITS_OPEN')).toEqual([]);
        const lost = made.access?.changes.filter(({ change }) => change === 'lost') ?? [];
        if (errors.length > 0) {
          counted.refused++;
          return;
        }
        counted.applied++;
        if (is.includes('engineers')) counted.waiting++;
        const result = await apply(account, made, { env });
        expect(result.outcomes.map(({ status }) => status)).toEqual(made.actions.map(() => 'done'));
        const after = await stateIn(account);
        if (lost.length > 0) expect(moreIn(before, after), 'shown as lost').not.toEqual([]);
        if (lost.length === 0 && made.access?.status === 'unchanged')
          expect(moreIn(before, after), 'not shown as lost').toEqual([]);
        await account.control('POST', '/emulator/groups', { name: 'engineers', issued: 'jwt' });
        await reconcile(account, desired, { env });
        const wider = moreIn(after, await stateIn(account));
        const isTold = made.diagnostics.some(({ code }) => code === 'WAITS_OPEN');
        expect(wider.filter(name => !(isTold && ANY_MACHINE.test(name)))).toEqual([]);
      } finally {
        await account.close();
      }
    },
  );
  await fc.assert(property, { numRuns: count, seed });
  expect(counted.applied).toBeGreaterThan(0);
  found(
    `${counted.applied} applied, of which ${counted.waiting} named a group that was not there, and ${counted.refused} refused`,
  );
});

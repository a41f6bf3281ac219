// Who forwards the traffic to a guarded address: no source gains access, and a reviewer sees it as a right.
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { someOf } from '../../support/variations.ts';
import { DB, listOf, meshformOf, refused, started, WIDENED } from './gatedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

let account: TestAccount;
beforeEach(async () => {
  account = await startAccount();
});
afterEach(() => account.close());

const ROUTE = `${WIDENED}routes:
  - { network_id: db, network: 10.20.0.0/24, peer: gw, masquerade: false, groups: [engineers], access_control_groups: [databases] }
`;
/** A route through another machine, which nobody reaches more by. */
const DIVERTED = (network: string) =>
  `  - { network_id: a, network: ${network}, peer: tom, metric: 1, masquerade: true, groups: [engineers], access_control_groups: [contractors] }
`;
const ROUTER = '{ peer_groups: [gateways], metric: 100, masquerade: true }';
const PLAIN = WIDENED.replace('masquerade: true', 'masquerade: false');

const more = (routers: string) => WIDENED.replace(ROUTER, routers);

test.each(
  someOf(
    [
      [
        'another router',
        WIDENED,
        more(`${ROUTER}\n      - { peer: tom, metric: 50, masquerade: true }`),
        DB,
        ['peer/tom forwards traffic to'],
      ],
      [
        'a router of another group',
        WIDENED,
        more('{ peer_groups: [bastions], metric: 100, masquerade: true }'),
        DB,
        ['peer/jump, group/bastions (future members) forward traffic to'],
      ],
      [
        'a machine that joins the routing machines',
        WIDENED,
        WIDENED.replace('- name: gateways', '- { name: gateways, peers: [mia] }'),
        '10.20.0.5',
        ['peer/mia forwards traffic to'],
      ],
      [
        'a router that is enabled',
        more(`${ROUTER}\n      - { peer: tom, metric: 50, masquerade: true, enabled: false }`),
        more(`${ROUTER}\n      - { peer: tom, metric: 50, masquerade: true }`),
        'network/production',
        ['peer/tom forwards traffic to'],
      ],
      [
        'another routing machine of a route',
        ROUTE,
        ROUTE.replace('peer: gw', 'peer: tom'),
        'route/db',
        ['peer/tom forwards traffic to'],
      ],
      [
        'a narrower route',
        ROUTE,
        `${ROUTE}${DIVERTED('10.20.0.5/32')}`,
        'network_resource/production/orders-db',
        ['peer/tom forwards traffic to'],
      ],
      [
        'a route around it',
        WIDENED,
        `${WIDENED}routes:\n${DIVERTED('10.20.0.0/16')}`,
        'group/databases',
        ['peer/tom forwards traffic to'],
      ],
      [
        'a second network resource at the address',
        WIDENED,
        WIDENED.replace(
          'policies:',
          `  - name: lab
    resources: [{ name: copy, address: 10.20.0.5, groups: [databases] }]
    routers: [{ peer: tom, metric: 1, masquerade: true }]
policies:`,
        ),
        DB,
        ['peer/tom forwards traffic to'],
      ],
      [
        'a network resource that is created again in another network, and followed by the guard,',
        WIDENED,
        WIDENED.replace(/ {4}resources:\n.*\n/, '').replace(
          'policies:',
          `  - name: lab
    resources: [{ name: orders-db, address: 10.20.0.5, groups: [databases], lifecycle: { was: production/orders-db } }]
    routers: [{ peer: tom, metric: 1, masquerade: true }]
policies:`,
        ),
        'network_resource/lab/orders-db',
        ['peer/tom forwards traffic to'],
      ],
      [
        'masquerade',
        PLAIN,
        WIDENED,
        'group/databases',
        ['traffic reaches group/databases with the source address of the routing machine'],
      ],
      [
        'masquerade of a route',
        ROUTE,
        ROUTE.replace('masquerade: false', 'masquerade: true'),
        'route/db',
        ['traffic reaches route/db with the source address of the routing machine'],
      ],
    ],
    3,
  ),
)('a change of %s of a guarded target is reported as a right', (_, first, wanted, target, says) =>
  started(account, async folder => {
    const { want, run } = folder;
    // Routers and routes of a machine need the machine.
    await want(first);
    expect((await run('apply', '--yes')).code).toBe(0);
    await want(wanted, { 'meshform.yaml': `guarded: [${JSON.stringify(target)}]\n` });
    const planned = await run('plan', '--format', 'json');
    const { access } = meshformOf(planned);
    const rights = access.rights ?? [];
    expect(rights.map((one: { message: string }) => one.message)).toEqual(
      says.map(one => expect.stringContaining(one)),
    );
    expect((await run('plan')).stdout).toContain('rights +1');
    await refused(account, folder, '--no-new-access');
  }),
);

test('a route for the overlay address of a guarded machine is reported as a right, an exit node is not', () =>
  started(account, async folder => {
    const { want, run } = folder;
    const { ip } = (await listOf(account, 'peers')).find(({ name }) => name === 'jump') ?? {};
    const guards = { 'meshform.yaml': `guarded: [peer/jump, ${DB}]\n` };
    await want(`${WIDENED}routes:\n${DIVERTED('0.0.0.0/0')}`, guards);
    expect(meshformOf(await run('plan', '--format', 'json')).access.rights).toBeUndefined();
    await want(`${WIDENED}routes:\n${DIVERTED(`${String(ip)}/32`)}`, guards);
    expect(meshformOf(await run('plan', '--format', 'json')).access.rights).toEqual([
      expect.objectContaining({ message: 'peer/tom forwards traffic to peer/jump' }),
    ]);
    await refused(account, folder, '--no-new-access');
  }));

test('objects without a guard, and objects that lose a router, are not reported as rights', () =>
  started(account, async ({ want, run }) => {
    const two = more(`${ROUTER}\n      - { peer: tom, metric: 50, masquerade: true }`);
    const rightsOf = async () => meshformOf(await run('plan', '--format', 'json')).access.rights;
    await want(two, { 'meshform.yaml': 'guarded: [group/bastions]\n' });
    expect(await rightsOf()).toBeUndefined();
    expect((await run('apply', '--yes')).code).toBe(0);
    await want(WIDENED, { 'meshform.yaml': `guarded: [${DB}]\n` });
    expect(await rightsOf()).toBeUndefined();
  }));

test('nameservers that answer for guarded names are a right', async () => {
  const named = await startAccount({ dialect: 'netbird' });
  onTestFinished(() => named.close());
  await started(
    named,
    async folder => {
      const { want, run } = folder;
      const WIKI = WIDENED.replace('address: 10.20.0.5', 'address: wiki.corp.internal');
      const asking = (rest: string, ip = '10.50.0.1') =>
        `${WIKI}dns:
  nameserver_groups:
    - { name: office, nameservers: [{ ip: ${ip} }], groups: [engineers], ${rest} }
`;
      const guards = { 'meshform.yaml': `guarded: [${DB}, group/bastions, 10.20.0.5]\n` };
      const messages = async (text: string) => {
        await want(text, guards);
        const { rights = [] } = meshformOf(await run('plan', '--format', 'json')).access;
        return rights.map((one: { message: string }) => one.message);
      };
      const apply = async (text: string) => {
        await want(text, { 'meshform.yaml': '' });
        expect((await run('apply', '--yes')).code).toBe(0);
      };
      await apply(WIKI);
      const right = [`its nameservers answer for the names of ${DB}`];
      expect(await messages(asking('domains: [internal]'))).toEqual(right);
      await refused(named, folder, '--no-new-access');
      expect(await messages(asking('primary: true'))).toEqual(right);
      expect(await messages(asking('domains: [orp.internal, b.wiki.corp.internal]'))).toEqual([]);
      expect(await messages(asking('domains: [internal], enabled: false'))).toEqual([]);
      await apply(asking('domains: [internal]'));
      expect(await messages(asking('domains: [internal]', '10.66.0.1'))).toEqual(right);
      expect(
        await messages(
          asking('domains: [internal]').replace('[engineers], dom', '[engineers, gateways], dom'),
        ),
      ).toEqual(right);
      expect(await messages(asking('domains: [internal, example]'))).toEqual([]);
      expect(await messages(WIKI)).toEqual([]);
    },
    WIDENED.replace('address: 10.20.0.5', 'address: wiki.corp.internal'),
  );
});

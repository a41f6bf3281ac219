// A zone leads the domain of a network resource to an address, for groups without the machine that routes to the resource: this
// machine does not resolve the domain to the address, so nobody has the access yet.
import { expect, onTestFinished, test } from 'vitest';
import type { Plan } from '../../../src/model/plan.ts';
import { portsText } from '../../../src/report/access/planAccessText.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { desiredOf } from '../../support/files.ts';
import { gatesFor } from '../../support/gates.ts';
import { plan, reconcile } from '../../support/reconcile.ts';

const files = (
  zones: string,
  { domain = 'db.corp.test', gateways = 'gate', laptops = 'laptop' } = {},
) =>
  desiredOf(`groups: [{ name: ops, peers: [${laptops}] }, { name: gateways, peers: [${gateways}], lifecycle: { exact: [peers] } }, { name: dbs }]
networks:
  - name: n
    resources: [{ name: db, address: "${domain}", groups: [dbs] }]
    routers: [{ peer_groups: [gateways], metric: 100, masquerade: true }]
policies: [{ name: p, rules: [{ name: r, sources: [ops], destinations: [dbs], protocol: tcp, ports: ["22"] }] }]
${zones}`);

const zone = (groups: string, address = '10.0.0.5') =>
  `dns: { zones: [{ domain: corp.test, name: c, distribution_groups: [${groups}], records: [{ name: db.corp.test, type: A, content: ${address} }] }] }\n`;

async function stage(): Promise<TestAccount> {
  const account = await startAccount({ dialect: 'netbird' });
  onTestFinished(() => account.close());
  for (const name of ['laptop', 'gate']) await account.enrol(name);
  return account;
}

const MARK = ' (no routing machine gets the zone yet)';

test('the line of access to a domain that the routing machine does not resolve says so, and lines of other access do not', async () => {
  const account = await stage();
  const linesOf = async (before: ReturnType<typeof files>, after: ReturnType<typeof files>) => {
    await reconcile(account, before, { prune: 'removed', base: last });
    last = before;
    const access = gatesFor({}, [], []);
    const made = await plan(account, after, { base: before, prune: 'removed', access });
    return (made.access?.changes ?? [])
      .map(one => `${one.change} ${one.to} ${one.address ?? ''} ${portsText(one)}`)
      .sort();
  };
  let last: ReturnType<typeof files> = [];
  const gained = 'gained network_resource/n/db 10.0.0.5 tcp/22';
  expect(await linesOf(files(''), files(zone('ops')))).toEqual([`${gained}${MARK}`]);
  expect(await linesOf(files(''), files(zone('ops, gateways')))).toEqual([gained]);
  expect(await linesOf(files(''), files(zone('All')))).toEqual([gained]);
  // Each name below a wildcard counts.
  const any = { domain: '*.corp.test' };
  expect(await linesOf(files('', any), files(zone('ops'), any))).toEqual([`${gained}${MARK}`]);
  expect(await linesOf(files('', any), files(zone('gateways'), any))).toEqual([gained]);
  // What nobody had is not lost either.
  expect(await linesOf(files(zone('ops')), files(zone('ops', '10.0.0.9')))).toEqual([
    `gained network_resource/n/db 10.0.0.9 tcp/22${MARK}`,
    `lost network_resource/n/db 10.0.0.5 tcp/22${MARK}`,
  ]);
  const nobody = { gateways: '' };
  expect(await linesOf(files('', nobody), files(zone('ops'), nobody))).toEqual([
    `${gained} (no machine routes yet)`,
  ]);
});

test('a place that the first routing machine resolves is gained, and lost with the last one', async () => {
  const account = await stage();
  const before = files(zone('ops'));
  await reconcile(account, before);
  const gates = { guarded: [{ to: '10.0.0.5' }], noNewAccess: true };
  const access = gatesFor(gates, [], []);
  const planTo = (after: ReturnType<typeof files>, base = before) =>
    plan(account, after, { base, prune: 'removed', access });
  const linesOf = (made: Plan) =>
    (made.access?.changes ?? []).map(
      one => `${one.change} ${one.from} → ${one.address} ${portsText(one)}, ${one.causes}`,
    );
  const codesOf = ({ gates: found }: Plan) =>
    new Set(found?.findings.map(({ gate, code }) => code ?? gate));
  const line = '→ 10.0.0.5 tcp/22';
  for (const [after, from, cause] of [
    [files(zone('ops, gateways')), 'group/ops', 'dns_zone.corp.test'],
    [files(zone('ops'), { laptops: 'laptop, gate' }), 'peer/laptop', 'group.ops'],
  ] as const) {
    const made = await planTo(after);
    expect(linesOf(made)).toEqual([`gained ${from} ${line}, ${cause}`]);
    expect(codesOf(made)).toEqual(new Set(['WIDENS_GUARDED_ACCESS', 'no_new_access']));
  }
  for (const same of [files(zone('ops').replace('name: c', 'name: d')), before])
    expect(linesOf(await planTo(same))).toEqual([]);
  const open = files(zone('ops, gateways'));
  await reconcile(account, open);
  const closed = await planTo(before, open);
  expect(linesOf(closed)).toEqual([`lost group/ops ${line}, dns_zone.corp.test`]);
  expect(codesOf(closed)).toEqual(new Set(['NARROWS_GUARDED_ACCESS']));
});

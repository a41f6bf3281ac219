// `fleet compare`: in what two accounts differ, and what each has beside its shared layers, by their files alone.
import { expect, test } from 'vitest';
import { expectDescribed } from '../../support/described.ts';
import { inFleet } from './fleetFolder.ts';

test('comparing two accounts shows the differences in their own layers', async () => {
  await inFleet({ tenants: 2 }, async ({ fleet, write, domain, msp }) => {
    await write({
      [`customers/${domain(1)}/own.yaml`]: 'groups: [{ name: first }]\n',
      [`customers/${domain(2)}/own.yaml`]: 'groups: [{ name: second }, { name: third }]\n',
    });
    const { code, stdout } = await fleet(['compare', domain(1), domain(2)]);
    expect(code).toBe(2);
    expect(stdout).toContain('1 object only in');
    expect(stdout).toContain('2 only in');
    expect(stdout).toContain('2 the same');
    const json = await fleet(['compare', domain(1), domain(2), '--format', 'json']);
    expectDescribed(json.stdout, 'fleet-comparison.schema.json');
    const outcomes = await fleet(['validate', '--format', 'json']);
    expectDescribed(outcomes.stdout, 'fleet-outcomes.schema.json');
    const same = await fleet(['compare', domain(1), domain(1), '--fleet', 'fleet.yaml']);
    expect(same.code).toBe(0);
    const baseline = await fleet(['compare', '--baseline', domain(2)]);
    expect(baseline.code).toBe(2);
    expect(baseline.stdout).toContain('+ group "third"');
    expect(baseline.stdout).not.toContain('admins');
    expect(msp.requestsOf()).toEqual([]);
  });
});

test('a faulty file is reported, and hides no other account in the comparison with baselines', async () => {
  await inFleet({ tenants: 2 }, async ({ fleet, write, domain }) => {
    await write({
      [`customers/${domain(1)}/own.yaml`]: 'groups: [{ nam: first }]\n',
      [`customers/${domain(2)}/own.yaml`]: 'groups: [{ name: second }]\n',
    });
    const { code, stdout, stderr } = await fleet(['compare', '--baseline']);
    expect(code).toBe(3);
    expect(stderr).toContain('own.yaml:1:12');
    expect(stdout).toContain('+ group "second"');
    expect(stdout).not.toContain(domain(1));
    const two = await fleet(['compare', domain(1), domain(2)]);
    expect([two.code, two.stdout]).toEqual([3, '']);
  });
});

test('validate checks the shared files even if the accounts are known only to the server', async () => {
  await inFleet({ tenants: 1 }, async ({ fleet, write, msp }) => {
    const good = await fleet(['validate']);
    expect([good.code, good.stdout]).toEqual([0, expect.stringContaining('1 account, 1 in order')]);
    await write({ 'baseline/base.yaml': 'groups: [{ nam: first }]\n' });
    const bad = await fleet(['validate']);
    expect(bad.code).toBe(3);
    expect(bad.stdout).toContain('every account of msp_tenants');
    expect(bad.stdout).toContain('baseline/base.yaml:1');
    expect(msp.requestsOf()).toEqual([]);
  });
});

test('a pattern that matches several accounts is refused by the comparison', async () => {
  await inFleet({ tenants: 2 }, async ({ fleet, write, domain }) => {
    const own = 'groups: [{ name: own }]\n';
    await write({
      [`customers/${domain(1)}/own.yaml`]: own,
      [`customers/${domain(2)}/own.yaml`]: own,
    });
    const { code, stderr } = await fleet(['compare', 't*', domain(1)]);
    expect(code).toBe(64);
    expect(stderr).toContain('the fleet has no account `t*`');
  });
});

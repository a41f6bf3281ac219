// `access used`: what a store of observed traffic says of the rules of its account.
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { shippedSchema } from '../../../src/kinds/registry.ts';
import { StoreWriter } from '../../../src/read/observations/writeStore.ts';
import { inFolder, meshform } from '../../support/cli.ts';
import { account, addTo, flowAt, HOUR, START, seenAt } from '../../usage/store/storedRecords.ts';

const isValid = new Ajv2020({ strict: false }).compile(shippedSchema('used-access.schema.json'));

// What could not be read admits nobody knows what.
const ANSWERS = { ...account(), posture_checks: [], networks: [], routes: [] };

/** Runs `access used` over a store with a flow, and one that the server gives to another policy. */
const used = (...words: readonly string[]) =>
  inFolder(async cwd => {
    const store = await StoreWriter.open(join(cwd, 'traffic'), {
      server: 'https://example.com',
      account: 'a1',
      hasPeople: false,
    });
    await addTo(store, seenAt(START, [], ANSWERS));
    const flows = [
      flowAt('f1', START + HOUR),
      flowAt('f2', START + HOUR, {
        policy: { id: 'p9' },
        destination: { id: 'm2', type: 'PEER', address: '100.64.0.2:22' },
      }),
    ];
    await addTo(store, seenAt(START + 2 * HOUR, flows, ANSWERS));
    await store.close();
    const now = START + 3 * HOUR;
    return meshform(['access', 'used', ...words], { cwd, now });
  });

describe('the answer of access used', () => {
  test('shows each rule with its use, its coverage, and its parts', async () => {
    const { code, stdout } = await used('--store', 'traffic');
    expect(code).toBe(0);
    expect(stdout).toBe(`Observed from 2026-10-31 to 2026-11-01: 1 day, 2 flows.

policy "policy p1", rule "web"
  last used 2026-11-01, on 1 of 1 day, 1 flow; 1 flow may have used it
  not covered: 1 of 2 machines that would admit this access reported
    observed for only 0 days instead of 30
  group/all → group/all  tcp/443  last 2026-11-01, 1 day, 1 of 2 machines

Flows that no rule explains: 1
  peer/id:m1 → peer/id:m2  tcp/22  last 2026-11-01: no rule admits it

Flows for which the server names another policy: 1
  peer/id:m1 → peer/id:m2  tcp/22  last 2026-11-01: the server names the policy id:p9, but no policy admits it
`);
  });

  test('the answer as JSON has stable ids and follows the schema', async () => {
    const { stdout } = await used('--store', 'traffic', '--format', 'json');
    const document = JSON.parse(stdout);
    expect(isValid(document), JSON.stringify(isValid.errors)).toBe(true);
    expect(document.rules).toMatchObject([
      { policy_id: 'p1', rule_id: 'r', use: { flows: 1 }, access: [{ port: 443, of_machines: 2 }] },
    ]);
  });

  test('the answer as CSV has a line for each part', async () => {
    const { stdout } = await used('--store', 'traffic', '--format', 'csv');
    expect(stdout.split('\n')[1]).toBe(
      'policy p1,p1,web,r,group/all,group/all,tcp,443,forward,2026-11-01T01:00:00Z,1,1,2,1,observed for only 0 days instead of 30',
    );
  });

  test('is limited by selectors, which must match something', async () => {
    expect((await used('group/all', '--store', 'traffic')).stdout).toContain('policy "policy p1"');
    expect((await used('peer/id:m2', '--store', 'traffic')).stdout).not.toContain('no rule');
    expect(await used('group/nobody', '--store', 'traffic')).toMatchObject({ code: 3 });
  });

  test('needs a store, and is the only question that uses one', async () => {
    expect(await used()).toMatchObject({ code: 64 });
    expect(await used('--store', 'nowhere')).toMatchObject({ code: 69 });
    expect(await used('--store', 'traffic', '--format', 'markdown')).toMatchObject({ code: 64 });
    const other = await meshform(['access', 'from', 'all', '--store', 'traffic']);
    expect(other).toMatchObject({ code: 64 });
  });
});

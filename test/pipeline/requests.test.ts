// How often a server is asked: for accounts of three sizes, exactly as often as docs/server.md says. The largest takes minutes and
// is counted by `npm run prove` alone.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { present } from '../../src/model/errors.ts';
import type { Plan } from '../../src/model/plan.ts';
import { startAccount, type TestAccount } from '../support/account.ts';
import { offices } from '../support/examples/offices.ts';
import { desiredOf } from '../support/files.ts';
import { proof } from '../support/proof.ts';
import { apply, plan } from '../support/reconcile.ts';

interface Row {
  readonly objects: number;
  readonly plan: number;
  readonly planBySpec: number;
  readonly apply: number;
}

const page = await readFile(new URL('../../docs/server.md', import.meta.url), 'utf8');
const number = (text: string | undefined): number =>
  Number(present(text, 'a cell').replaceAll(',', ''));
const rows = [...page.matchAll(/^\| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|$/gm)].map(
  ([, objects, planned, bySpec, applied]): Row => ({
    objects: number(objects),
    plan: number(planned),
    planBySpec: number(bySpec),
    apply: number(applied),
  }),
);

test('the page has three sizes, and plans of at most 12 requests', () => {
  expect(rows.map(({ objects }) => objects)).toEqual([100, 1_000, 10_000]);
  for (const row of rows) expect(row.plan).toBeLessThanOrEqual(12);
});

const { count, found } = proof('requests of plan and apply, sizes of accounts', {
  slice: 2,
  full: rows.length,
});
afterAll(() => found(`as docs/server.md says, up to ${rows[count - 1]?.objects} objects`));

describe.each(rows.slice(0, count))('$objects objects', row => {
  const desired = desiredOf(offices(row.objects));
  let account: TestAccount;
  let first: Plan;

  const asked = async (run: () => Promise<unknown>): Promise<number> => {
    const before = account.requests.length;
    await run();
    return account.requests.length - before;
  };

  beforeAll(async () => {
    account = await startAccount({ dialect: 'netbird' });
    first = await plan(account, desired, { dialect: 'auto' });
  });
  afterAll(() => account.close());

  test('are applied in as many requests as the page says', async () => {
    expect(first.changes).toHaveLength(row.objects);
    const made = await asked(async () => {
      const { outcomes } = await apply(account, first, { concurrency: 1 });
      expect(outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
    });
    expect(made).toBe(row.apply);
  }, 900_000);

  test('are planned in as many requests as the page says', async () => {
    const again = await asked(async () => {
      const { changes, dialect, requests } = await plan(account, desired, { dialect: 'auto' });
      expect([changes, dialect, requests.made]).toEqual([[], 'netbird', row.plan]);
    });
    expect(again).toBe(row.plan);
  }, 240_000);

  test('take two requests per network if the server only lists per network', async () => {
    const refused = ['resources', 'routers'].map(list =>
      account.fault({
        method: 'GET',
        path: `/api/networks/${list}`,
        effect: 'status',
        status: 403,
      }),
    );
    await Promise.all(refused);
    const { changes, requests } = await plan(account, desired, { dialect: 'auto' });
    expect([changes, requests.made]).toEqual([[], row.planBySpec]);
  }, 600_000);
});

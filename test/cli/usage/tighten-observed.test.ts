// `tighten --store`: findings of what was observed, and stores from which nothing can be said.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { StoreWriter } from '../../../src/read/observations/writeStore.ts';
import { inFolder, meshform } from '../../support/cli.ts';
import { expectDescribed } from '../../support/described.ts';
import { account, addTo, flowAt, HOUR, START, seenAt } from '../../usage/store/storedRecords.ts';

const DAY = 24 * HOUR;
const DAYS = 31;
const WHOLE = { ...account(), posture_checks: [], networks: [], routes: [] };
const FILE = `groups: [{ name: all }]
policies:
  - name: policy p1
    rules: [{ name: web, protocol: tcp, ports: ["443"], sources: [all], destinations: [all] }]
`;

async function withStore(use: (cwd: string) => Promise<void>, isUsed: boolean): Promise<void> {
  await inFolder(async cwd => {
    await mkdir(join(cwd, 'net'));
    await writeFile(join(cwd, 'net/network.yaml'), FILE);
    const identity = { server: 'https://example.com', account: 'a1', hasPeople: false };
    const store = await StoreWriter.open(join(cwd, 'store'), identity);
    for (let day = 0; day < DAYS; day++) {
      const time = START + day * DAY + HOUR;
      const flows = isUsed ? [flowAt(`f${day}`, time - 30_000)] : [];
      await addTo(store, seenAt(time, flows, WHOLE));
    }
    await store.close();
    await use(cwd);
  });
}

const now = START + DAYS * DAY;

test('the findings come with what was observed', () =>
  withStore(async cwd => {
    const { code, stdout } = await meshform(
      ['tighten', 'net', '--store', 'store', '--since', '60d', '--format', 'json'],
      { cwd, now },
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ observed: { days: 30 }, findings: [] });
    expectDescribed(stdout, 'tightening.schema.json');
  }, true));

test('a store in which nobody reported, none, and none named end with 69 and a sentence', async () => {
  await withStore(async cwd => {
    const { code, stderr } = await meshform(['tighten', 'net', '--store', 'store'], { cwd, now });
    expect({ code, stderr }).toEqual({
      code: 69,
      stderr: expect.stringContaining('no machine reported any traffic'),
    });
    const none = await meshform(['tighten', 'net', '--store', 'none'], { cwd, now });
    expect(none).toMatchObject({
      code: 69,
      stderr: expect.stringContaining('it has no observations'),
    });
    expect(await meshform(['tighten', 'net', '--since', '30d'], { cwd })).toMatchObject({
      code: 64,
    });
  }, false);
});

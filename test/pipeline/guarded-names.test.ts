// Guards that are written as the DNS name of a machine, and guards of access that gets a posture check.
import { describe, expect, onTestFinished, test } from 'vitest';
import type { GuardedAccess } from '../../src/model/access/accessGates.ts';
import { startAccount } from '../support/account.ts';
import { desiredOf } from '../support/files.ts';
import { gatesFor } from '../support/gates.ts';
import { plan, reconcile } from '../support/reconcile.ts';

const NAME = 'db1.netbird.selfhosted';

/** The parts of the files that plans change. */
interface Parts {
  readonly machine?: string;
  readonly checks?: string;
  readonly settings?: string;
  readonly more?: string;
}

const nameIn = (machine: string) => machine.replace(/^name: (\w+).*$/, '$1');

const filesWith = ({ machine = 'name: db1', checks = '', settings = '', more = '' }: Parts) => `
${settings}
peers: [{ ${machine} }]
groups:
  - { name: laptops, peers: [laptop, old] }
  - { name: databases, peers: [${nameIn(machine)}] }
posture_checks: [{ name: agent, checks: { nb_version_check: { min_version: 0.60.0 } } }]
${more}
policies:
  - { name: Default, enabled: false, rules: [{ name: Default, sources: [All], destinations: [All], bidirectional: true, protocol: all }] }
  - name: ssh
    ${checks}
    rules: [{ name: ssh, sources: [laptops], destinations: [databases], protocol: tcp, ports: ["22"] }]
`;

/** What the guards find about a plan from one set of files to another. */
async function findingsOf(
  guarded: readonly GuardedAccess[],
  after: Parts,
  before: Parts = {},
): Promise<readonly { readonly code: string | undefined }[]> {
  const account = await startAccount({ dialect: 'netbird' });
  onTestFinished(() => account.close());
  for (const name of ['laptop', 'db1']) await account.enrol(name, [], { version: '0.70.0' });
  await account.enrol('old', [], { version: '0.50.0' });
  const first = desiredOf(filesWith(before));
  await reconcile(account, first);
  const { gates } = await plan(account, desiredOf(filesWith(after)), {
    base: first,
    access: gatesFor({ guarded }, [], []),
  });
  return (gates?.findings ?? []).map(({ code, target, who }) => ({
    code,
    target,
    ...(who !== undefined && { who }),
  }));
}

describe('a guard that is the DNS name of a machine', () => {
  const shrinks = (who: string, target = NAME) => [{ code: 'SHRINKS_GUARDED_TARGET', target, who }];
  const RENAMED = { machine: 'name: dbx, lifecycle: { was: db1 }' };
  const ZONE =
    'dns: { zones: [{ domain: corp.example, name: corp, distribution_groups: [laptops], records: [{ name: db.corp.example, type: CNAME, content: db1.netbird.selfhosted }] }] }';

  test('loses the machine if it is renamed', async () => {
    expect(await findingsOf([{ to: NAME }], RENAMED)).toEqual(shrinks('peer/dbx'));
  });

  test('loses the machine if the account gets another domain', async () => {
    const after = { settings: 'account_settings: { dns_domain: corp.example }' };
    expect(await findingsOf([{ to: NAME }], after)).toEqual(shrinks('peer/db1'));
  });

  test('loses the machine if a record that leads to its name is removed', async () => {
    const guarded = [{ to: 'db.corp.example' }];
    const after = { more: ZONE.replace('db1.netbird.selfhosted', 'other.example.com') };
    expect(await findingsOf(guarded, after, { more: ZONE })).toEqual(
      shrinks('peer/db1', 'db.corp.example'),
    );
  });

  test.each<[string, readonly GuardedAccess[], Parts]>([
    ['another guard covers the machine', [{ to: NAME }, { to: 'dbx.netbird.selfhosted' }], RENAMED],
    ['another guard is its group', [{ to: NAME }, { to: 'group/databases' }], RENAMED],
    ['another group changes', [{ to: NAME }], { more: 'setup_keys: []' }],
  ])('loses nothing if %s', async (_, guarded, after) => {
    expect(await findingsOf(guarded, after)).toEqual([]);
  });
});

describe('a guard of access from a source, whose rule gets a posture check', () => {
  const CHECKED = { checks: 'source_posture_checks: [agent]' };
  const guard = (from: string) => [{ from, to: 'group/databases:tcp/22' }];

  test('is not cut if the source passes it', async () => {
    expect(await findingsOf(guard('peer/laptop'), CHECKED)).toEqual([]);
  });

  test.each(['peer/old', 'group/laptops'])('is cut if %s may fail it', async from => {
    const found = await findingsOf(guard(from), CHECKED);
    expect(found.map(({ code }) => code)).toEqual(['CUTS_GUARDED_ACCESS']);
  });

  test('is a change of guarded access if the guard names no source', async () => {
    const found = await findingsOf([{ to: 'group/databases' }], CHECKED);
    expect(found.map(({ code }) => code)).toContain('NARROWS_GUARDED_ACCESS');
  });
});

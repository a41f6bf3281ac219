// What an end takes away is what its grant gave; what another policy still allows stays, and the plan names that policy.
import { expect, test, vi } from 'vitest';
import { type EndedFolder, withEndedFolder } from './endedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

const GROUPS = 'groups: [{ name: staff, peers: [ada] }, { name: servers, peers: [db] }]\n';
const policy = (name: string, ports: string, more = ''): string =>
  `policies: [{ name: ${name}, ${more}rules: [{ name: a, sources: [staff], destinations: [servers], protocol: tcp, ports: [${ports}] }] }]\n`;
const GRANT = policy('grant', '"22", "80"', 'lifecycle: { until: 2026-12-01 }, ');

interface LivePolicy {
  readonly id: string;
  readonly name: string;
  readonly rules: readonly {
    readonly sources: readonly { readonly id: string }[];
    readonly destinations: readonly { readonly id: string }[];
  }[];
}

// What somebody writes into the policy of the grant in the dashboard.
async function edit(
  { account }: EndedFolder,
  { policy: own = {}, rule: ofRule }: { readonly policy?: object; readonly rule: object },
) {
  const policies = (await account.call('GET', '/api/policies')) as unknown as readonly LivePolicy[];
  const { id, ...found } = policies.find(({ name }) => name === 'grant') as LivePolicy;
  const rules = found.rules.map(({ sources, destinations, ...rule }) => ({
    ...rule,
    ...ofRule,
    sources: sources.map(one => one.id),
    destinations: destinations.map(one => one.id),
  }));
  await account.call('PUT', `/api/policies/${id}`, { ...found, ...own, rules } as never);
}

/** The access part of the plan at the end of a grant. */
const atTheEnd = async (
  others: string,
  change?: (folder: EndedFolder) => Promise<unknown>,
): Promise<{ readonly granted: string; readonly ended: string }> => {
  const parts = { granted: '', ended: '' };
  await withEndedFolder(async folder => {
    const { account, write, run, at } = folder;
    for (const name of ['ada', 'db']) await account.enrol(name);
    await write({ 'a.yaml': GROUPS + others });
    expect((await run(['apply', 'network', '--yes'])).code).toBe(0);
    await write({ 'grants/g.yaml': GRANT });
    const { stdout } = await run(['apply', 'network', '--yes']);
    parts.granted = accessIn(stdout);
    await change?.(folder);
    at('2026-12-02T00:00:00Z');
    parts.ended = accessIn((await run(['plan', 'network'])).stdout);
  });
  return parts;
};

const accessIn = (text: string): string =>
  /^Access: [\s\S]*?(?=\n\n)/m.exec(text)?.[0].replaceAll(/\s+/g, ' ') ?? '';

const LINE = 'group/staff (1 and future members) → group/servers tcp/';

test.each([
  ['nothing else grants it', '', `+ ${LINE}22, 80 `, `− ${LINE}22, 80 `],
  [
    'another policy grants a part, which stays',
    policy('other', '"80"'),
    `+ ${LINE}22, 80 (was 80) `,
    `− ${LINE}80 (was 22, 80) `,
  ],
  [
    'another policy grants all of it, and is named',
    policy('other', '"80", "22"'),
    'policy.grant has no effect: policy "other", rule "a" already allows it',
    'policy.grant has no effect: policy "other", rule "a" still allows it',
  ],
])(
  'the expiry of a grant removes the access that the grant gave: %s',
  async (_, others, gained, lost) => {
    const { granted, ended } = await atTheEnd(others);
    expect(granted).toContain(gained);
    expect(ended).toContain(lost);
  },
);

test('additions of other people to a grant are removed at its expiry too', async () => {
  const { ended } = await atTheEnd('', folder =>
    edit(folder, { rule: { ports: ['22', '80', '443'] } }),
  );
  expect(ended).toContain(`− ${LINE}22, 80, 443 `);
});

test.each([
  ['switched off', { enabled: false }, {}, '`enabled` is false, not true'],
  ['widened', {}, { ports: ['22', '80', '443'] }, '`rules.a.ports` also has `443`'],
  ['as it was', {}, {}, null],
])(
  'the report lists manual changes to a grant when the grant expires: %s',
  (_, policyFields, rule, note) =>
    withEndedFolder(async folder => {
      const { account, write, run, at } = folder;
      for (const name of ['ada', 'db']) await account.enrol(name);
      await write({ 'a.yaml': GROUPS, 'grants/g.yaml': GRANT });
      expect((await run(['apply', 'network', '--yes'])).code).toBe(0);
      await edit(folder, { policy: policyFields, rule });
      at('2026-12-02T00:00:00Z');
      // Without a base, only an equal rule tells `expire` that it is the same object.
      const commands = ['plan', ...('ports' in rule ? [] : ['expire'])];
      for (const argv of commands.map(command =>
        [command, 'network', '--yes'].slice(0, command === 'plan' ? 2 : 3),
      )) {
        const { stdout, stderr } = await run(argv);
        const text = `${stdout}${stderr}`.replaceAll(/\s+/g, ' ');
        const told = `in the account it differs from its declaration: ${note}`;
        if (note === null) expect(text).not.toContain('differs from its declaration');
        else expect([argv, text]).toEqual([argv, expect.stringContaining(told)]);
      }
    }),
);

// Two rules of one policy deny access to groups that the identity provider has not created yet. The server keeps each rule as a
// policy of its own, and both have the same place in the files.
import { expect, onTestFinished, test } from 'vitest';
import { startAccount } from '../support/account.ts';
import { desiredOf } from '../support/files.ts';
import { reconcile } from '../support/reconcile.ts';

interface LivePolicy {
  readonly name: string;
  readonly rules: readonly {
    readonly enabled: boolean;
    readonly action: string;
    readonly ports: readonly string[];
    readonly sources: readonly { readonly name: string }[];
  }[];
}

const rule = (name: string, sources: string, port: string) =>
  `{ name: ${name}, sources: [${sources}], destinations: [servers], protocol: tcp, ports: ["${port}"], action: drop }`;

const files = (ssh: string, web: string, more = '') =>
  desiredOf(`groups:
  - { name: engineers, from: identity_provider }
  - { name: contractors, from: identity_provider }
  - { name: servers }
  - { name: ops }
${more}policies:
  - name: p
    rules: [${rule('ssh', ssh, '22')}, ${rule('web', web, '443')}]
`);

async function stage() {
  const account = await startAccount({ dialect: 'netbird', signIn: 'external' });
  onTestFinished(() => account.close());
  const ada = { id: 'ada', name: 'Ada', email: 'ada@example.com', role: 'user' };
  await account.control('POST', '/emulator/users', ada);
  let base: ReturnType<typeof files> = [];
  return {
    signIn: (...groups: readonly string[]) =>
      account.control('POST', '/emulator/users/ada/groups', { groups }),
    /** Applies the files; returns the hazards of waiting, each with its action, and the policies afterwards. */
    apply: async (desired: ReturnType<typeof files>) => {
      const { plan, result } = await reconcile(account, desired, { base, prune: 'removed' });
      expect(result.outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
      base = desired;
      const hazards = plan.actions.flatMap(({ id, hazards }) =>
        hazards
          .filter(({ code }) => /_WAITS$/.test(code))
          .map(({ code, message }) => `${id}: ${code} ${message}`),
      );
      const live = (await account.call('GET', '/api/policies')) as unknown as LivePolicy[];
      const rules = live.flatMap(({ name, rules: [only] }) =>
        name.startsWith('p / ') && only
          ? `${name}: ${only.action} ${only.sources.map(one => one.name).sort()} ${only.ports}${only.enabled ? '' : ' off'}`
          : [],
      );
      return { hazards, rules: rules.sort() };
    },
  };
}

const waits = (part: string, group: string) =>
  `DROP_WAITS policy["p / ${part}"] denies access, but waits for group.${group}: until then it does not deny access to users who join`;

test('each of them is a hazard of its own, and each stays as wide as it is', async () => {
  const { apply, signIn } = await stage();
  expect(await apply(files('ops', 'ops'))).toEqual({
    hazards: [],
    rules: ['p / ssh: drop ops 22', 'p / web: drop ops 443'],
  });
  // The first action of the plan has the hazards of objects that do not change.
  const more = '  - { name: guests }\n';
  expect(await apply(files('engineers', 'contractors', more))).toEqual({
    hazards: [
      `create group.guests: ${waits('ssh', 'engineers')}`,
      `create group.guests: ${waits('web', 'contractors')}`,
    ],
    rules: ['p / ssh: drop ops 22', 'p / web: drop ops 443'],
  });
  // The update of one rule does not answer for the other.
  await signIn('engineers');
  expect(await apply(files('engineers', 'contractors', more))).toEqual({
    hazards: [`update policy["p / ssh"]: ${waits('web', 'contractors')}`],
    rules: ['p / ssh: drop engineers 22', 'p / web: drop ops 443'],
  });
  await signIn('engineers', 'contractors');
  expect(await apply(files('engineers', 'contractors', more))).toEqual({
    hazards: [],
    rules: ['p / ssh: drop engineers 22', 'p / web: drop contractors 443'],
  });
});

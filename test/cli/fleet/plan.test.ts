// `fleet plan`: each account by itself, and nothing that one account does costs another.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FLEET, inFleet } from './fleetFolder.ts';

const INDEX = 'plans/fleet.json';

const CHANNEL = `notification_channels:
  - type: generic_http
    target: { url: "https://hook.example/\${env:MSP_TOKEN}" }
`;

const indexOf = async (folder: string) =>
  JSON.parse(await readFile(join(folder, INDEX), 'utf8')) as {
    readonly digest: string;
    readonly accounts: readonly { readonly name: string; readonly content_digest: string }[];
    readonly unplanned: readonly string[];
  };

test('fleet plan plans every tenant with its layers, and saves the plans with one digest', async () => {
  await inFleet({}, async ({ fleet, folder, domain, write, msp }) => {
    await write({ [`customers/${domain(2)}/own.yaml`]: 'groups: [{ name: own }]\n' });
    const { code, stdout, stderr } = await fleet(['plan', '--out', 'plans']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { accounts, digest } = await indexOf(folder);
    expect(accounts.map(({ name }) => name)).toEqual([domain(1), domain(2), domain(3)]);
    expect(stdout).toContain(digest);
    expect(await readdir(join(folder, 'plans'))).toContain(`${domain(2)}.plan.json`);
    const plan = await readFile(join(folder, 'plans', `${domain(2)}.plan.json`), 'utf8');
    expect(plan).toContain('"own"');
    // Nothing is read in the account of the provider but its tenants and its own id.
    const own = msp.requestsOf().map(({ method, path }) => `${method} ${path}`);
    expect(new Set(own)).toEqual(new Set(['GET /api/integrations/msp/tenants', 'GET /api/groups']));
  });
});

describe('an account that cannot be planned', () => {
  test('fails if two entries name it, by its own token and by that of the provider', async () => {
    await inFleet({}, async ({ fleet, folder, domain, msp, env, write }) => {
      const [first] = msp.tenants;
      await writeFile(
        env.MESHFORM_FLEET_CREDENTIALS ?? '',
        `msp: { url: "${msp.url}", token_env: MSP_TOKEN }\nown: { url: "${msp.url}/", token_env: OWN }\n`,
      );
      await write({
        'fleet.yaml': `${FLEET}  - { name: acme, credentials: own, layers: [baseline] }\n`,
      });
      const words = ['plan', '--out', 'plans'];
      const { code, stdout } = await fleet(words, { env: { OWN: first?.token ?? '' } });
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
        `\`acme\` and \`${domain(1)}\` are the same account`,
      );
      expect(code).toBe(3);
      const { accounts, unplanned } = await indexOf(folder);
      expect(unplanned).toEqual(['acme', domain(1)]);
      expect(accounts.map(({ name }) => name)).toEqual([domain(2), domain(3)]);
    });
  });

  test('is skipped, and does not affect other accounts', async () => {
    await inFleet({}, async ({ fleet, folder, domain, msp }) => {
      await msp.fail(msp.tenants[0]?.id ?? '', 400);
      const { code } = await fleet(['plan', '--out', 'plans']);
      expect(code).toBe(1);
      const { accounts, unplanned } = await indexOf(folder);
      expect(unplanned).toEqual([domain(1)]);
      expect(accounts.map(({ name }) => name)).toEqual([domain(2), domain(3)]);
    });
  });

  test('fails because of faulty files with the exit code and the findings of these files', async () => {
    await inFleet({}, async ({ fleet, domain, write }) => {
      await write({ [`customers/${domain(1)}/own.yaml`]: 'groups: [{ nam: x }]\n' });
      const { code, stdout } = await fleet(['validate']);
      expect(code).toBe(3);
      expect(stdout).toContain(`customers/${domain(1)}/own.yaml:1:12`);
    });
  });
});

describe('a tenant that the token may not access', () => {
  for (const dialect of ['spec', 'netbird'] as const)
    test(`is not planned as the account of the token itself (${dialect})`, async () => {
      const tenants = [{ groups: [] }, {}];
      await inFleet({ tenants, dialect }, async ({ fleet, folder, domain }) => {
        const { code } = await fleet(['plan', '--out', 'plans']);
        const { accounts, unplanned } = await indexOf(folder);
        expect(code).not.toBe(0);
        expect(unplanned).toEqual([domain(1)]);
        expect(accounts.map(({ name }) => name)).toEqual([domain(2)]);
      });
    });
});

describe('a token is sent only to its own server:', () => {
  test('another address in a file that accounts share stops the run before any request', async () => {
    await inFleet({}, async ({ fleet, write, msp }) => {
      await write({ 'baseline/meshform.yaml': 'url: https://elsewhere.example\n' });
      const { code, stderr } = await fleet(['plan']);
      expect(code).toBe(3);
      expect(stderr).toContain('baseline/meshform.yaml:1:6 error SERVER_DIFFERS');
      expect(stderr).toContain('remove `url` from these files');
      expect(stderr).not.toContain('--url');
      expect(msp.requestsOf()).toEqual([]);
    });
  });

  test('another address in a file of one account stops only that account, before any request for it', async () => {
    await inFleet({}, async ({ fleet, folder, domain, write, msp }) => {
      const file = `customers/${domain(1)}/meshform.yaml`;
      await write({
        [file]: 'url: https://elsewhere.example\n',
        [`customers/${domain(1)}/own.yaml`]: 'groups: [{ name: own }]\n',
      });
      const validated = await fleet(['validate']);
      expect(validated.stdout).toContain(`${file}:1:6 warning SERVER_DIFFERS`);
      for (const words of [['plan', '--out', 'plans'], ['drift']]) {
        const { code, stdout } = await fleet(words);
        expect(code).toBe(3);
        expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
          `${file}:1:6: \`url\` differs from the address of this run`,
        );
      }
      const { accounts, unplanned } = await indexOf(folder);
      expect(unplanned).toEqual([domain(1)]);
      expect(accounts).toHaveLength(2);
      expect((await fleet(['list'])).code).toBe(0);
      expect(msp.requestsOf(msp.tenants[0]?.id)).toEqual([]);
    });
  });

  test('credentials in the checkout are refused', async () => {
    await inFleet({}, async ({ fleet, folder, msp }) => {
      await writeFile(join(folder, 'c.yaml'), `msp: { url: "${msp.url}", token_env: MSP_TOKEN }`);
      const env = { MESHFORM_FLEET_CREDENTIALS: join(folder, 'c.yaml') };
      const { code, stderr } = await fleet(['plan'], { env });
      expect(code).toBe(3);
      expect(stderr).toContain('is in the checkout of the fleet file');
    });
  });

  test('files read only the variables that the credentials list', async () => {
    await inFleet({}, async ({ fleet, domain, write, env, msp, home }) => {
      const own = `customers/${domain(1)}/own.yaml`;
      await write({ [own]: CHANNEL });
      const refused = await fleet(['plan', '--account', domain(1)]);
      expect(refused.stdout).toContain('MSP_TOKEN');
      expect(refused.stdout).not.toContain(env.MSP_TOKEN ?? '');
      expect(refused.code).toBe(3);
      expect(msp.requestsOf().length).toBeGreaterThan(0);
      expect(home).not.toBe('');
    });
  });
});

test('an unreadable list of tenants stops the run', async () => {
  await inFleet({}, async ({ fleet, msp }) => {
    const fault = {
      method: 'GET',
      path: '/api/integrations/msp/tenants',
      effect: 'status',
      status: 400,
      nth: 1,
      times: 9,
    };
    await msp.control(undefined, 'POST', '/emulator/faults', fault);
    const { code } = await fleet(['plan']);
    expect(code).toBe(1);
    for (const { id } of msp.tenants) expect(msp.requestsOf(id)).toEqual([]);
  });
});

test('an account name that matches nothing is an error, with a suggestion', async () => {
  await inFleet({}, async ({ fleet, domain }) => {
    const { code, stderr } = await fleet(['plan', '--account', `${domain(1)}x`]);
    expect(code).toBe(64);
    expect(stderr).toContain(`did you mean \`${domain(1)}\``);
  });
});

test('a discovered tenant and an entry for it are one account', async () => {
  const entry = (id: string) =>
    `${FLEET}  - { name: acme, credentials: msp, tenant: "${id}", layers: [baseline], labels: { size: big } }\n`;
  await inFleet({}, async ({ fleet, folder, msp, write, domain }) => {
    await write({ 'fleet.yaml': entry(msp.tenants[0]?.id ?? '') });
    await fleet(['plan', '--out', 'plans']);
    const { accounts } = await indexOf(folder);
    expect(accounts.map(({ name }) => name)).toEqual(['acme', domain(2), domain(3)]);
  });
});

test('the smallest `rate` in the files of an account applies to all accounts of the token', async () => {
  await inFleet({}, async ({ fleet, write, msp }) => {
    await write({ 'customers/meshform.yaml': 'rate: 60\n' });
    let time = 0;
    const sleep = async (milliseconds: number): Promise<void> => {
      time += milliseconds;
    };
    const clock = { now: () => time, sleep };
    expect((await fleet(['plan', '--concurrency', '1'], { clock })).code).toBe(0);
    // Before the first file is read, a few requests ask who the accounts are.
    expect(time).toBeGreaterThan((msp.requestsOf().length + 3) * 1000);
    const { stdout } = await fleet(['plan', '--format', 'json'], { clock });
    const { summary } = JSON.parse(stdout);
    expect(summary).toMatchObject({ rate: 60, seconds: summary.requests });
    expect((await fleet(['plan'], { clock })).stdout).toContain('with 60 requests a minute');
  });
});

describe('a rate in the files of one account', () => {
  // Each pause takes as long as it says.
  const clocked = () => {
    let time = 0;
    const sleep = (milliseconds: number) => {
      time += milliseconds;
      return Promise.resolve();
    };
    return { now: () => time, sleep };
  };

  test('does not hold a run beyond its --deadline', async () => {
    const clock = clocked();
    await inFleet({ tenants: 1 }, async ({ fleet, domain, write }) => {
      await write({ [`customers/${domain(1)}/meshform.yaml`]: 'rate: 1\n' });
      const { code, stdout } = await fleet(['plan', '--deadline', '5'], { clock });
      expect(clock.now()).toBeLessThan(5000);
      expect(stdout).toContain('the run reached its --deadline');
      expect(code).toBe(1);
    });
  });

  test('ends with the time limit of the account, and the other accounts are planned', async () => {
    const clock = clocked();
    await inFleet({ tenants: 2 }, async ({ fleet, folder, domain, write }) => {
      await write({ [`customers/${domain(1)}/meshform.yaml`]: 'rate: 1\n' });
      const words = ['plan', '--account-deadline', '120', '--out', 'plans'];
      const { code, stdout } = await fleet(words, { clock });
      expect(clock.now()).toBeLessThan(120_000);
      expect(stdout).toContain('the account reached its --account-deadline');
      expect(stdout).toContain('increase --account-deadline; 0 is no limit');
      expect(code).toBe(1);
      const { accounts, unplanned } = await indexOf(folder);
      expect(unplanned).toEqual([domain(1)]);
      expect(accounts.map(({ name }) => name)).toEqual([domain(2)]);
    });
  });

  test('slows down that account alone', async () => {
    const clock = clocked();
    await inFleet({}, async ({ fleet, domain, write }) => {
      await write({ [`customers/${domain(1)}/meshform.yaml`]: 'rate: 1\n' });
      const { code, stdout } = await fleet(['plan', '--at-once', '1'], { clock });
      expect(code).toBe(0);
      expect(stdout).not.toContain('1 request a minute');
      const own = clock.now();
      expect(own).toBeGreaterThan(60_000);
      await fleet(['plan', '--account', domain(2), '--account', domain(3)], { clock });
      expect(clock.now() - own).toBeLessThan(60_000);
    });
  });
});

// No token, no key and no secret of a file is in what a fleet prints, saves, or leaves at the remote.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CliOptions } from '../../support/cli.ts';
import { git } from '../../support/git.ts';
import { inFleet } from './fleetFolder.ts';

const HOOK = `notification_channels:
  - type: webhook
    target: { url: "https://hook.example/in", headers: { X-Key: "\${env:HOOK_KEY}" } }
    event_types: [user.join]
`;

test('no output, plan or base of a rollout contains a secret', async () => {
  await inFleet({ tenants: 2, files: { 'baseline/hook.yaml': HOOK } }, async fleet => {
    const { folder, remote, home, msp, env } = fleet;
    const secrets = [msp.token, String(env.MESHFORM_SIGNING_KEY), 'hook-key-of-the-fleet'];
    await writeFile(
      join(home, 'credentials.yaml'),
      `msp: { url: "${msp.url}", token_env: MSP_TOKEN, env: [HOOK_KEY] }\n`,
    );
    const given = { env: { HOOK_KEY: 'hook-key-of-the-fleet' } };
    const texts: string[] = [];
    for (const words of [
      ['list'],
      ['validate'],
      ['plan', '--base', 'auto', '--record-base', '--prune', 'removed', '--out', 'plans'],
      ['plan', '--format', 'json'],
      ['plan', '--format', 'html'],
      ['apply', 'plans', '--yes'],
      ['status', '--all'],
      ['drift'],
    ]) {
      const { code, stdout, stderr } = await fleet.fleet(words, given);
      expect(code, `${words.join(' ')}: ${stderr}`).toBe(0);
      texts.push(stdout, stderr);
    }
    for (const file of await readdir(join(folder, 'plans')))
      texts.push(await readFile(join(folder, 'plans', file), 'utf8'));
    texts.push(git(remote, 'log', '--all', '--patch', '--format=fuller'));
    // It was sent where it belongs.
    const { body } = await msp.call(
      msp.tenants[0]?.id,
      'GET',
      '/api/integrations/notifications/channels',
    );
    expect(JSON.stringify(body)).toContain('hook.example');
    for (const secret of secrets)
      expect(texts.filter(text => text.includes(secret)).length, 'a secret is shown').toBe(0);
  });
});

describe('a variable that the credentials do not list', () => {
  const WHY =
    'error INPUT_FORBIDDEN the variable `HOOK_KEY` is not in the list `env` of the credentials `msp`, so these files cannot read it hint: if these files may read it, add it to `env` of `msp`';

  test('is a fault of its account alone in plan and validate, whether or not it is set', async () => {
    await inFleet({ tenants: 2 }, async fleet => {
      await fleet.write({ [`customers/${fleet.domain(1)}/hook.yaml`]: HOOK });
      const given = { env: { HOOK_KEY: 'a-key-that-is-set' } };
      const said = async (words: readonly string[], options: CliOptions = given) => {
        const { code, stdout, stderr } = await fleet.fleet(words, options);
        return { code, text: `${stdout}${stderr}`.replaceAll(/\s+/g, ' ') };
      };
      const planned = await said(['plan']);
      expect(planned.text).toContain(WHY);
      expect(planned.text).toContain('2 accounts: 1 with one plan, 1 could not be planned');
      expect(planned.code).toBe(3);
      const validated = await said(['validate']);
      expect(validated.text).toContain(WHY);
      expect(validated.code).toBe(3);
      // A comparison needs no secret.
      const compared = await said(['drift', '--account', fleet.domain(1)]);
      expect(compared).toEqual({ code: 2, text: expect.stringContaining('1 with drift') });
      // Without the credentials, nothing is known about them.
      const blind = await said(['validate'], { env: { MESHFORM_FLEET_CREDENTIALS: '' } });
      expect(blind.text).toContain(
        'the variable `HOOK_KEY` is not read here, because only the credentials say what these files can read',
      );
      expect(blind.code).toBe(0);
      // Where the credentials are of no use, it says so.
      await writeFile(
        join(fleet.home, 'other.yaml'),
        'other: { url: "https://other", token: t }\n',
      );
      const other = join(fleet.home, 'other.yaml');
      const useless = await said(['validate'], { env: { MESHFORM_FLEET_CREDENTIALS: other } });
      expect(useless.text).toContain('warning FLEET_CREDENTIALS');
      expect(useless.text).toContain('of MESHFORM_FLEET_CREDENTIALS has no entry `msp`');
      expect(useless.code).toBe(0);
    });
  });

  test('a variable that was listed when the plan was made is not called unset by an apply, and the message says where to list it', async () => {
    await inFleet({ tenants: 1, files: { 'baseline/hook.yaml': HOOK } }, async fleet => {
      const file = join(fleet.home, 'credentials.yaml');
      const plain = await readFile(file, 'utf8');
      await writeFile(file, plain.replace(' }', ', env: [HOOK_KEY] }'));
      expect((await fleet.fleet(['plan', '--out', 'plans'])).code).toBe(0);
      await writeFile(file, plain);
      const { stdout } = await fleet.fleet(['apply', 'plans', '--yes']);
      const applied = stdout.replaceAll(/\s+/g, ' ');
      expect(applied).toContain('`HOOK_KEY` is not in the list `env` of the credentials `msp`');
      expect(applied).not.toContain('that folder does not exist here');
      expect(applied).not.toContain('`HOOK_KEY` is not set');
    });
  });
});

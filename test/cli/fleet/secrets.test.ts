// No token, no key and no secret of a file is in what a fleet prints, saves, or leaves at the remote.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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

test('a variable that the credentials do not list is not called unset, and the message says where to list it', async () => {
  await inFleet({ tenants: 1, files: { 'baseline/hook.yaml': HOOK } }, async fleet => {
    const given = { env: { HOOK_KEY: 'a-key-that-is-set' } };
    const said = async (words: readonly string[]) => {
      const { stdout, stderr } = await fleet.fleet(words, given);
      return `${stdout}${stderr}`.replaceAll(/\s+/g, ' ');
    };
    expect(await said(['validate'])).toContain(
      'the variable `HOOK_KEY` is not read here, because only the credentials say what these files can read',
    );
    const why =
      'the variable `HOOK_KEY` is not in the list `env` of the credentials `msp`, so these files cannot read it';
    const planned = await said(['plan', '--out', 'plans', '--format', 'text']);
    const applied = await said(['apply', 'plans', '--yes']);
    expect(applied).not.toContain('that folder does not exist here');
    expect(applied).toContain(why);
    expect(`${planned}${applied}`).not.toContain('`HOOK_KEY` is not set');
  });
});

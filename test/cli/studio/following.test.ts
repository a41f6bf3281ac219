// The page of a studio follows the files: what they say now, what was valid last, and what they change.
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inFolder } from '../../support/cli.ts';
import { git } from '../../support/git.ts';
import { shownIn, updatesOf, withStudio } from './studioRun.ts';

const GROUPS = 'groups: [{ name: staff }, { name: servers }]\n';
const SSH = `policies:
  - name: ssh
    rules: [{ name: ssh, sources: [staff], destinations: [servers], protocol: tcp, ports: ["22"] }]
`;

/** A folder `network/` with these files, and a way to write more of them. */
function inNetwork(
  files: Readonly<Record<string, string>>,
  use: (folder: string, write: (name: string, text: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  return inFolder(async folder => {
    const write = async (name: string, text: string) => {
      const path = join(folder, 'network', name);
      await mkdir(join(path, '..'), { recursive: true });
      await writeFile(path, text);
    };
    for (const [name, text] of Object.entries(files)) await write(name, text);
    await use(folder, write);
  });
}

test('the studio shows how an edit differs from the start, and keeps the last valid state on an error', async () => {
  await inNetwork({ 'a.yaml': GROUPS }, async (cwd, write) => {
    await withStudio(['network'], { cwd }, async studio => {
      const updates = updatesOf(studio);
      expect(await shownIn(updates, 'difference', text => text !== '')).toContain(
        'the files as they were when the studio started: 0 objects differ',
      );
      await write('b.yaml', SSH);
      const gained = await shownIn(updates, 'difference', text => text.includes('policy.ssh'));
      expect(gained).toContain('1 object differs');
      expect(gained).toContain(
        '<code>group/staff (future members)</code> → <code>group/servers</code>: tcp/22',
      );
      await write('b.yaml', SSH.replace('protocol', 'protocl'));
      const updatesAfter = await shownIn(updates, 'status', text => text.includes('Not valid'));
      expect(updatesAfter).toContain('The rest of the page shows the last valid state');
      // The findings came with the status, and the difference did not change.
      await write('b.yaml', SSH.replace('22', '2222'));
      expect(await shownIn(updates, 'difference', () => true)).toContain('tcp/2222');
    });
  });
});

test('the studio shows findings with their place, and updates lints and access tests too', async () => {
  const tests =
    'access_tests: [{ name: staff logs in, from: group/staff, allow: ["group/servers:tcp/22"] }]\n';
  await inNetwork({ 'a.yaml': GROUPS, 'b.yaml': SSH, 't.yaml': tests }, async (cwd, write) => {
    await withStudio(['network'], { cwd }, async studio => {
      const updates = updatesOf(studio);
      expect(await shownIn(updates, 'tests', text => text !== '')).toContain('1 passed, 0 failed');
      await write('b.yaml', SSH.replace('22', '23'));
      const failed = await shownIn(updates, 'tests', text => text.includes('1 failed'));
      expect(failed).toContain('network/t.yaml:1:');
      expect(failed).toContain('allow: group/servers:tcp/22 is not reached by all');
      await write('b.yaml', SSH.replace('[staff]', '[staf]'));
      const findings = await shownIn(updates, 'findings', text => text.includes('staf'));
      expect(findings).toContain('network/b.yaml:3:');
      await write('b.yaml', SSH.replace('protocol: tcp, ports: ["22"]', 'protocol: netbird-ssh'));
      const lint = await shownIn(updates, 'findings', text => text.includes('SSH_ALL_TCP'));
      expect(lint).toContain('warning');
    });
  });
});

test('the studio follows new folders, replaced files, layers and the project file', async () => {
  await inNetwork({ 'a.yaml': GROUPS }, async (cwd, write) => {
    await mkdir(join(cwd, 'base'));
    await writeFile(join(cwd, 'base/x.yaml'), 'groups: [{ name: shared }]\n');
    await withStudio(['base', 'network'], { cwd }, async studio => {
      const updates = updatesOf(studio);
      const declared = (count: number) =>
        shownIn(updates, 'status', text => text.includes(`${count} objects declared`));
      await declared(3);
      await write('new/deep/c.yaml', 'groups: [{ name: c }]\n');
      await declared(4);
      await write('new/deep/d.yaml', 'groups: [{ name: d }]\n');
      await declared(5);
      await writeFile(
        join(cwd, 'base/.x.yaml.swp'),
        'groups: [{ name: shared }, { name: more }]\n',
      );
      await rename(join(cwd, 'base/.x.yaml.swp'), join(cwd, 'base/x.yaml'));
      await declared(6);
      await write('meshform.yaml', 'exclude: [new/deep]\n');
      await declared(4);
      await rm(join(cwd, 'network/meshform.yaml'));
      await declared(6);
    });
  });
});

test('the studio compares with the last commit in a repository, or with the given base', async () => {
  await inNetwork({ 'a.yaml': GROUPS }, async (cwd, write) => {
    git(cwd, 'init', '-q');
    git(cwd, 'add', '-A');
    git(cwd, 'commit', '-q', '-m', 'groups');
    git(cwd, 'tag', 'first');
    await write('b.yaml', SSH);
    git(cwd, 'add', '-A');
    git(cwd, 'commit', '-q', '-m', 'ssh');
    await write('c.yaml', 'groups: [{ name: later }]\n');
    const differenceOf = (...argv: string[]) =>
      withStudio(argv, { cwd }, studio =>
        shownIn(updatesOf(studio), 'difference', text => text !== ''),
      );
    const toCommit = await differenceOf('network');
    expect(toCommit).toContain('Compared with the last commit: 1 object differs.');
    expect(toCommit).not.toContain('policy.ssh');
    const toFirst = await differenceOf('network', '--base', 'first');
    expect(toFirst).toContain('Compared with the base `first`: 2 objects differ.');
    expect(toFirst).toContain('policy.ssh');
  });
});

test('the studio shows hostile names as text', async () => {
  const name = '</script><img src=x onerror=alert(1)>';
  const text = `groups: [{ name: '${name}' }]\n`;
  await inNetwork({ 'a.yaml': GROUPS }, async (cwd, write) => {
    await withStudio(['network'], { cwd }, async studio => {
      const updates = updatesOf(studio);
      await write('b.yaml', text);
      const shown = await shownIn(updates, 'difference', part => part.includes('onerror'));
      expect(shown).not.toContain('<img');
      expect(shown).not.toContain('</script');
    });
  });
});

test('the studio reads no secret, neither from a variable nor from a file', async () => {
  const secret = 'hunter2-is-my-password';
  const text = `identity_providers:
  - { name: sso, type: oidc, issuer: "https://sso.example.com", client_id: x, client_secret: "\${env:SSO}" }
  - { name: two, type: oidc, issuer: "https://two.example.com", client_id: x, client_secret: "\${file:secret.txt}" }
`;
  await inNetwork({ 'a.yaml': text, 'secret.txt': secret }, async cwd => {
    await withStudio(['network'], { cwd, env: { SSO: secret } }, async studio => {
      const response = updatesOf(studio);
      const { value } = await response.next();
      expect(value?.['part-status']).toContain('2 objects declared');
      expect(JSON.stringify(value)).not.toContain(secret);
    });
  });
});

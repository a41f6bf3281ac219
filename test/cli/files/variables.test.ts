// `${var:NAME}` from the command line to the account: which verbs take it, what is said of the ways that it replaced, and
// that nothing else from outside is ever printed.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { type Ended, environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { git } from '../../support/git.ts';

const FILES = { 'network/groups.yaml': 'groups: [{ name: "team-${var:TEAM}" }]\n' };
const LEAK = 'hunter2-of-the-environment';

/** Runs commands one after the other in a folder with these files. */
const within = (
  files: Readonly<Record<string, string>>,
  use: (
    run: (argv: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Ended>,
    cwd: string,
  ) => Promise<void>,
): Promise<void> =>
  inFolder(async cwd => {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(cwd, name)), { recursive: true });
      await writeFile(join(cwd, name), text);
    }
    await use((argv, env = {}) => meshform(argv, { cwd, env }), cwd);
  });

async function environment(): Promise<Record<string, string>> {
  const account = await startAccount();
  onTestFinished(() => account.close());
  return environmentOf(account);
}

describe('a variable', () => {
  const GIVEN = ['--var', 'TEAM=web'];

  test.each([
    ['validate', ['validate', 'network'], 'Valid: 1 object declared.'],
    ['plan', ['plan', 'network'], 'group "team-web"'],
    ['apply', ['apply', 'network', '--yes'], 'group "team-web"'],
    ['drift', ['drift', 'network'], 'team-web'],
    ['export', ['export', '--check', 'network'], 'team-web'],
  ])('a variable from %s is used', async (_, argv, said) => {
    const env = await environment();
    await within(FILES, async run => {
      const missing = await run(argv, env);
      expect(missing.code).toBe(3);
      expect(missing.stderr + missing.stdout).toContain(
        'network/groups.yaml:1:18 error INPUT_UNDEFINED',
      );
      const first = await run(argv, { ...env, MESHFORM_VAR_TEAM: 'web' });
      const second = await run([...argv, ...GIVEN], { ...env, MESHFORM_VAR_TEAM: 'other' });
      for (const ended of [first, second]) expect([0, 2]).toContain(ended.code);
      expect(first.stdout).toContain(said);
      expect(first.stdout + second.stdout + second.stderr).not.toContain('other');
      expect(missing.stderr).not.toContain('INPUT_UNUSED');
    });
  });

  test('can be passed to an emulator that starts with desired state', () =>
    within(FILES, async (_, cwd) => {
      const argv = ['emulator', '--account', 'network', '--format', 'json'];
      const refused = await meshform(argv, { cwd });
      expect(refused.code).toBe(3);
      const started = await meshform([...argv, ...GIVEN], {
        cwd,
        onDocument: (_text, interrupt) => interrupt('SIGINT'),
      });
      expect(started.code).toBe(0);
    }));

  test('a variable that no file uses is a warning, and an error with --strict', () =>
    within(FILES, async run => {
      const argv = ['validate', 'network', ...GIVEN, '--var', 'TEAMS=x'];
      const warned = await run(argv);
      expect(warned.code).toBe(0);
      expect(warned.stdout).toContain('warning INPUT_UNUSED\n  no file uses the variable `TEAMS`');
      expect(warned.stdout).toContain('did you mean `TEAM`?');
      expect((await run([...argv, '--strict'])).code).toBe(3);
    }));

  test('a variable that no file can use, because no file is read, is a warning as well', async () => {
    const env = await environment();
    await within({}, async run => {
      const { code, stderr } = await run(['export', ...GIVEN], env);
      expect(code).toBe(0);
      expect(stderr).toContain('no file uses the variable `TEAM`');
    });
  });

  test.each([
    ['TEAM', '--var has a name but no value'],
    ['=web', '--var is not in the form NAME=VALUE'],
    ['my-team=hunter2', '--var is not in the form NAME=VALUE'],
    ['1st=hunter2', '--var is not in the form NAME=VALUE'],
    ['hunter2 ', '--var is not in the form NAME=VALUE'],
    ['', '--var is empty'],
  ])('cannot be passed as %j', async (text, said) => {
    const { code, stderr } = await meshform(['validate', '--var', text]);
    expect(code).toBe(64);
    expect(stderr).toContain(said);
    expect(stderr).not.toContain('hunter2');
  });
});

describe('the former syntax of variables', () => {
  test.each([
    [['--input', 'TEAM'], 'give --var TEAM=VALUE, and write ${var:TEAM} instead of ${env:TEAM}'],
    [['--input', `TEAM=${LEAK}`], 'write ${var:TEAM} instead of ${env:TEAM}'],
    [
      ['--input', 'team.txt', '--input', 'SITE'],
      '--var TEAM_TXT="$(cat team.txt)", and write ${var:TEAM_TXT} instead of ${file:team.txt}; set MESHFORM_VAR_SITE',
    ],
  ])('%j reports the new flag', async (flags, said) => {
    for (const verb of ['validate', 'plan', 'apply', 'drift', 'export', 'emulator']) {
      const { code, stderr } = await meshform([verb, ...flags]);
      expect(code, verb).toBe(64);
      expect(stderr.replaceAll(/\s+/g, ' ')).toContain(said);
      expect(stderr).not.toContain(LEAK);
    }
    expect((await meshform(['plan', '--help'])).stdout).not.toContain('--input');
  });

  test('the former syntax in files is reported with its line, and no value of the environment or of files is printed', async () => {
    const files = {
      'network/a.yaml': 'groups:\n  - name: ${env:SECRET}\n  - name: ${file:key.txt}\n',
      'network/key.txt': LEAK,
      'network/meshform.yaml': 'inputs: [SECRET, key.txt]\n',
    };
    await within(files, async run => {
      const env = { SECRET: LEAK };
      for (const argv of [['validate'], ['plan'], ['plan', '--format', 'json']]) {
        const { code, stdout, stderr } = await run([...argv, 'network'], env);
        const said = `${stdout}${stderr}`.replaceAll(/\s+/g, ' ');
        expect(code).toBe(3);
        expect(said).not.toContain(LEAK);
        expect(said).toContain('write ${var:SECRET}');
        expect(said).toContain('write ${var:KEY_TXT}');
      }
      const { stdout } = await run(['validate', 'network'], env);
      expect(stdout).toContain('network/a.yaml:2:11 error INPUT_NOT_ALLOWED');
      expect(stdout).toContain('network/meshform.yaml:1:10 error PROJECT_INVALID');
    });
  });

  test('the former syntax in a base is read as the new syntax, and never from the environment', () =>
    within(
      {
        'network/groups.yaml':
          'groups: [{ name: "team-${env:TEAM}" }, { name: b, peers: ["${file:peer.txt}"] }]\n',
        'network/peer.txt': LEAK,
      },
      async (run, cwd) => {
        git(cwd, 'init', '--quiet');
        git(cwd, 'add', '.');
        git(cwd, 'commit', '--quiet', '--message=before');
        const env = { ...(await environment()), TEAM: LEAK };
        await writeFile(join(cwd, 'network/groups.yaml'), FILES['network/groups.yaml']);
        const argv = ['plan', 'network', '--base', 'HEAD', '--prune', 'removed'];
        const refused = await run([...argv, '--var', 'TEAM=web'], env);
        expect(refused.code).toBe(3);
        expect(refused.stderr).toContain('error BASE_INVALID');
        expect(refused.stderr.replaceAll(/\s+/g, ' ')).toContain('set MESHFORM_VAR_PEER_TXT');
        const { code, stdout, stderr } = await run(
          [...argv, '--var', 'TEAM=web', '--var', 'PEER_TXT=p'],
          env,
        );
        expect(code, stderr).toBe(0);
        expect(stdout).toContain('group "team-web"');
        expect(stderr).not.toContain('INPUT_UNUSED');
        expect(refused.stderr + stdout + stderr).not.toContain(LEAK);
      },
    ));
});

test('a secret field accepts no variable, and no credential of meshform', async () => {
  const provider = (secret: string) =>
    `identity_providers: [{ type: oidc, name: s, issuer: "https://x.example.com", client_id: x, client_secret: "${secret}" }]\n`;
  const env = { MESHFORM_VAR_KEY: LEAK, MESHFORM_TOKEN: LEAK };
  for (const secret of [
    '${var:KEY}',
    '${env:MESHFORM_VAR_KEY}',
    '${env:MESHFORM_TOKEN}',
    'x${var:KEY}',
  ])
    await within({ 'a.yaml': provider(secret) }, async run => {
      const { code, stdout } = await run(['validate'], env);
      expect(code, secret).toBe(3);
      expect(stdout).toContain('error INPUT_FORBIDDEN');
      expect(stdout).not.toContain(LEAK);
    });
});

// Messages to a newcomer whose command cannot go on: a sentence and what to do next, never the words of a library.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { selfSigned } from '../../api/certificate.ts';
import { serve, serveTls } from '../../api/loopback.ts';
import { startAccount } from '../../support/account.ts';
import { type Ended, environmentOf, inFolder, meshform } from '../../support/cli.ts';

const GROUP = 'groups:\n  - name: engineers\n';
const TOKEN = 'nbp_secretOfThisTest';

/** Runs a command in a folder with one file. */
const inNetwork = (
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> =>
  inFolder(async cwd => {
    await mkdir(join(cwd, 'network'));
    await writeFile(join(cwd, 'network/groups.yaml'), GROUP);
    return meshform(argv, { cwd, env: { MESHFORM_TOKEN: TOKEN, ...env } });
  });

describe('a path that cannot be read is an error in plain words:', () => {
  test.each([
    ['a saved plan', ['show', 'lost.json'], 3, '`lost.json` cannot be read: it does not exist'],
    [
      'a saved plan of another name',
      ['show', 'lost.jsonl'],
      3,
      '`lost.jsonl` cannot be read: it does not exist',
    ],
    ['a folder for a plan', ['show', 'network'], 3, '`network` is not a saved plan'],
    [
      'a token',
      ['plan', 'network', '--url', 'http://127.0.0.1:1', '--token-file', 'lost'],
      64,
      '`lost` of --token-file cannot be read: it does not exist',
    ],
    [
      'certificates',
      ['plan', 'network', '--url', 'http://127.0.0.1:1', '--ca-file', 'network'],
      64,
      '`network` of --ca-file cannot be read: it is a folder',
    ],
  ])('%s', async (_, argv, code, said) => {
    const ended = await inNetwork(argv);
    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(said);
    expect(ended.stderr).not.toMatch(/ENOENT|EISDIR/);
  });
});

describe('a base', () => {
  test('a base that is neither a revision nor a folder is an error, also outside git', async () => {
    const ended = await inNetwork(['plan', 'network', '--base', 'nope']);
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('error BASE_INVALID');
    expect(ended.stderr).toContain('`nope` is neither a revision in this repository nor a folder');
  });

  test('a base with a faulty file is an error that says so', () =>
    inFolder(async cwd => {
      await mkdir(join(cwd, 'before'));
      await writeFile(join(cwd, 'before/groups.yaml'), 'groups:\n  - nam: engineers\n');
      await writeFile(join(cwd, 'groups.yaml'), GROUP);
      const ended = await meshform(['plan', 'groups.yaml', '--base', 'before'], { cwd });
      expect(ended.code).toBe(3);
      expect(ended.stderr).toContain('before/groups.yaml:2:5 error BASE_INVALID');
      expect(ended.stderr).toContain('the base: unknown field `nam`');
    }));

  test('must be given to delete objects that were removed from the files', async () => {
    const account = await startAccount();
    onTestFinished(account.close);
    const env = environmentOf(account);
    const ended = await inNetwork(['plan', 'network', '--prune', 'removed'], env);
    expect(ended.code).toBe(64);
    expect(ended.stderr).toContain('add --base');
    expect(account.requests).toEqual([]);
  });
});

describe('a server', () => {
  test('a server that does not respond is named in a hint', async () => {
    const { code, stderr } = await inNetwork(['plan', 'network', '--url', 'http://127.0.0.1:1']);
    expect(code).toBe(1);
    expect(stderr).toContain('hint: is http://127.0.0.1:1 the right address');
  });

  test('a server whose certificate is not trusted gets a hint to --ca-file', async () => {
    const certificate = selfSigned('localhost');
    const port = await serveTls((_, response) => response.end('[]'), certificate);
    const url = `https://localhost:${port}`;
    const { code, stderr } = await inNetwork(['plan', 'network', '--url', url]);
    expect(code).toBe(1);
    expect(stderr).toContain('its certificate is not trusted');
    expect(stderr).toContain('--ca-file FILE');
  });

  test('a server that echoes the request in its errors is not quoted during retries', async () => {
    let asked = 0;
    const port = await serve((request, response) => {
      asked += 1;
      if (asked > 2) response.end('[]');
      else response.writeHead(503).end(`cannot serve ${request.headers.authorization}`);
    });
    const url = `http://127.0.0.1:${port}`;
    const { code, stderr } = await inNetwork(['plan', 'network', '--url', url]);
    expect(code).toBe(0);
    expect(stderr.match(/GET \/api\/groups returned 503; trying again in/g)).toHaveLength(2);
    expect(stderr).not.toContain(TOKEN);
  });
});

describe('a token', () => {
  const WRONG: readonly [string, string, string][] = [
    ['two lines', 'nbp_first\nnbp_second', 'has more than one line'],
    ['two lines of Windows', 'nbp_first\r\nnbp_second', 'has more than one line'],
    [
      'a blank',
      'nbp_first nbp_second',
      'contains a space or a character that tokens cannot contain',
    ],
    ['an ellipsis', 'nbp_first…', 'contains a space or a character that tokens cannot contain'],
    ['a NUL', 'nbp_first\0', 'contains a space or a character that tokens cannot contain'],
  ];

  test.each(WRONG)(
    'a token with %s in it is reported before anything is sent',
    async (_, token, said) => {
      let asked = 0;
      const port = await serve((_request, response) => {
        asked += 1;
        response.end('[]');
      });
      const MESHFORM_URL = `http://127.0.0.1:${port}`;
      const asVariable = await inNetwork(['plan', 'network'], {
        MESHFORM_URL,
        MESHFORM_TOKEN: token,
      });
      const asFile = await inFolder(async cwd => {
        await writeFile(join(cwd, 'groups.yaml'), GROUP);
        await writeFile(join(cwd, 'token'), `${token}\n`);
        return meshform(['plan', '--token-file', 'token'], { cwd, env: { MESHFORM_URL } });
      });
      expect(asVariable.stderr).toContain(`the token of MESHFORM_TOKEN ${said}`);
      expect(asFile.stderr).toContain(`the token of --token-file ${said}`);
      for (const { code, stderr } of [asVariable, asFile]) {
        expect(code).toBe(64);
        expect(stderr).not.toMatch(/nbp_|right address/);
      }
      expect(asked).toBe(0);
    },
  );

  test('may have spaces and line breaks around it', async () => {
    const account = await startAccount();
    onTestFinished(account.close);
    const env = { ...environmentOf(account), MESHFORM_TOKEN: ` ${account.token}\r\n\n` };
    expect((await inNetwork(['plan', 'network'], env)).code).toBe(0);
  });
});

describe('a document in JSON', () => {
  const verbs = [
    ['validate'],
    ['plan'],
    ['plan', '--adopt', 'report'],
    ['drift'],
    ['apply', '--yes'],
  ];

  test.each(verbs)('reports invalid files: %s %s %s', async (...argv) => {
    const ended = await inFolder(async cwd => {
      await writeFile(join(cwd, 'groups.yaml'), 'groups: [{ name: a }, { nam: b }]\n');
      return meshform([...argv, '--format', 'json'], { cwd });
    });
    expect(ended.code).toBe(3);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      format_version: '1.0',
      valid: false,
      declared: 1,
      diagnostics: [
        { code: 'SCHEMA_UNKNOWN_FIELD', severity: 'error', at: { file: 'groups.yaml', line: 1 } },
      ],
    });
  });

  test.each([['plan'], ['drift'], ['apply', '--yes']])(
    'reports errors that only the account can show: %s %s',
    async (...argv) => {
      const account = await startAccount();
      onTestFinished(account.close);
      const ended = await inFolder(async cwd => {
        await writeFile(join(cwd, 'groups.yaml'), 'groups: [{ name: a, peers: [nobody] }]\n');
        return meshform([...argv, '--format', 'json'], { cwd, env: environmentOf(account) });
      });
      expect(ended.code).toBe(3);
      expect(JSON.parse(ended.stdout)).toMatchObject({
        valid: false,
        declared: 1,
        diagnostics: [{ code: 'REF_UNKNOWN', severity: 'error' }],
      });
    },
  );
});

test('a plan that cannot be written to its path is reported in one sentence', async () => {
  const account = await startAccount();
  onTestFinished(() => account.close());
  const argv = ['plan', 'network', '--out', 'nowhere/plan.json'];
  const { code, stderr } = await inNetwork(argv, environmentOf(account));
  expect(code).toBe(64);
  expect(stderr).toContain(
    'the plan cannot be saved as `nowhere/plan.json`: the folder `nowhere` does not exist',
  );
});

test('all errors of the command line have the same form', async () => {
  for (const argv of [['plann'], ['plan', '--dryrun'], ['init', 'a', 'b'], ['show']]) {
    const { code, stderr } = await meshform(argv);
    expect(code).toBe(64);
    expect(stderr).toMatch(/^Error: .*[^.]\n {2}hint: .*\n$/);
  }
});

describe('a misspelt argument', () => {
  test.each([
    [
      ['validate', 'netwrok'],
      '`netwrok` cannot be read: it does not exist\n  hint: did you mean `network`?',
    ],
    [['validate', 'network/grups.yaml'], 'hint: did you mean `network/groups.yaml`?'],
    [
      ['explain', 'policy.rules.port'],
      '`policy.rules` has no field `port`\n  hint: did you mean `ports`?',
    ],
    [['explain', 'polcy.rules'], 'unknown kind `polcy`\n  hint: did you mean `policy`?'],
  ])('%j gets the nearest word as a suggestion', async (argv, said) => {
    const { stdout, stderr } = await inNetwork(argv);
    expect(stdout + stderr).toContain(said);
  });

  test('unlike any word gets the list of valid words', async () => {
    const { stdout } = await inNetwork(['validate', 'somewhere/else']);
    expect(stdout).toContain(
      'hint: the path must be a readable folder of desired state, or one file',
    );
  });
});

test('the hint says, without a terminal too, how to review a saved plan', async () => {
  const { code, stderr } = await inNetwork(['apply', 'network']);
  expect(code).toBe(64);
  expect(stderr).toContain('or a saved plan with `meshform show`, then add --yes');
});

// Where the token goes is what --url or MESHFORM_URL says, whatever a file says: a project file must agree, and only a
// person at a terminal, who has agreed to it, may rely on it.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { present } from '../../../src/model/errors.ts';
import { serve } from '../../api/loopback.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';
import {
  type CliOptions,
  type Ended,
  environmentOf,
  inFolder,
  meshform,
} from '../../support/cli.ts';

const GROUP = 'groups: [{ name: engineers }]\n';

let account: TestAccount;
/** What a server was asked that nobody but a file ever named. */
let received: string[];
let elsewhere: string;

beforeEach(async () => {
  account = await startAccount();
  onTestFinished(() => account.close());
  received = [];
  const port = await serve(({ url }, response) => {
    received.push(String(url));
    response.end('[]');
  });
  elsewhere = `http://127.0.0.1:${port}`;
});

/** A folder with desired state, a saved plan of it, and the journal of an apply, made where no project file is. */
const ground = (use: (cwd: string) => Promise<void>): Promise<void> =>
  inFolder(async cwd => {
    const options = { cwd, env: { ...environmentOf(account), MESHFORM_JOURNALS: '' } };
    await mkdir(join(cwd, 'network'));
    await writeFile(join(cwd, 'network/groups.yaml'), GROUP);
    await meshform(['plan', 'network', '--out', 'plan.json'], options);
    const apply = ['apply', 'network', '--yes', '--journal', 'run.jsonl'];
    expect(await meshform(apply, options)).toMatchObject({ code: 0 });
    await use(cwd);
  });

/** Every verb that connects. */
const VERBS: Readonly<Record<string, readonly string[]>> = {
  plan: ['plan', 'network'],
  'plan --adopt': ['plan', 'network', '--adopt', 'report'],
  apply: ['apply', 'network', '--yes'],
  drift: ['drift', 'network'],
  'export --check': ['export', '--check', 'network'],
  'export --out': ['export', '--out', 'network'],
  'a saved plan': ['apply', 'plan.json', '--yes'],
  resume: ['apply', '--resume', 'run.jsonl', '--yes'],
  undo: ['apply', '--undo', 'run.jsonl', '--yes', '--allow', 'DELETES_OBJECT'],
};
/** Verbs that read no desired state: for them the project file of the folder counts in which they run. */
const HERE: typeof VERBS = {
  export: ['export'],
  events: ['events', 'audit'],
  'api call': ['api', 'call', 'listGroups'],
};

/** A user at a terminal, who agrees to the server. */
const AT_TERMINAL = { answer: 'yes', isTerminal: true };

interface Tried extends Ended {
  /** How many requests the account got. */
  readonly asked: number;
}

/** Runs a verb beside a project file that says this of the server. */
async function withUrl(url: string, name: string, options: CliOptions): Promise<Tried> {
  let tried: Tried | undefined;
  await ground(async cwd => {
    const folder = name in HERE ? '' : 'network';
    await writeFile(join(cwd, folder, 'meshform.yaml'), `url: ${url}\n`);
    const before = account.requests.length;
    const env = { MESHFORM_JOURNALS: '', MESHFORM_TOKEN: account.token, ...options.env };
    const argv = present({ ...VERBS, ...HERE }[name], name);
    const ended = await meshform(argv, { ...options, cwd, env });
    tried = { ...ended, asked: account.requests.length - before };
  });
  return present(tried, 'what the command did');
}

describe.each([...Object.keys(VERBS), ...Object.keys(HERE)])('%s', name => {
  test('refuses a project file that names another server, before any request', async () => {
    const env = { MESHFORM_URL: account.url };
    const ended = await withUrl(elsewhere, name, { env, answer: 'yes' });
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('meshform.yaml:1:6 error SERVER_DIFFERS');
    expect(ended.stderr).toContain(account.url);
    expect(ended.stderr).not.toContain(elsewhere);
    expect([ended.asked, received]).toEqual([0, []]);
  });

  test('sends nothing to the server in the file without an address and a terminal', async () => {
    const ended = await withUrl(elsewhere, name, {});
    expect(ended.code).toBe(64);
    expect(ended.stderr).toContain('set MESHFORM_URL, or add --url');
    expect([ended.asked, received]).toEqual([0, []]);
  });

  test('runs if project file and environment name the same server in different spellings', async () => {
    const env = { MESHFORM_URL: `${account.url}/` };
    const ended = await withUrl(`${account.url}/api/`, name, { env });
    expect([1, 3, 64]).not.toContain(ended.code);
    expect(ended.asked).toBeGreaterThan(0);
  });
});

describe('at a terminal', () => {
  test.each(
    Object.keys(VERBS)
      .filter(name => !/plan$|resume|undo|out/.test(name))
      .concat('plan'),
  )('%s uses the address of the project file, and says so', async name => {
    const ended = await withUrl(account.url, name, AT_TERMINAL);
    expect([0, 2]).toContain(ended.code);
    expect(ended.stderr).toContain(`using ${account.url}, which \`url\` in meshform.yaml names`);
  });

  // The plan says which folder it was made from, so the project file there is no better than the plan.
  test.each(['a saved plan', 'resume', 'undo'])(
    '%s does not use the address of the folder that the plan names',
    async name => {
      const ended = await withUrl(elsewhere, name, AT_TERMINAL);
      expect(ended.code).toBe(64);
      expect([ended.asked, received]).toEqual([0, []]);
    },
  );

  test.each(['a saved plan', 'resume', 'undo'])(
    '%s uses the address of the folder in which it runs',
    name =>
      ground(async cwd => {
        await writeFile(join(cwd, 'meshform.yaml'), `url: ${account.url}\n`);
        const env = { MESHFORM_JOURNALS: '', MESHFORM_TOKEN: account.token };
        const ended = await meshform(VERBS[name] ?? [], { cwd, env, ...AT_TERMINAL });
        expect(ended.stderr).toContain(`using ${account.url}`);
      }),
  );
});

test('the server in a saved plan or a journal is never used as the address', () =>
  ground(async cwd => {
    for (const file of ['plan.json', 'run.jsonl']) {
      const text = await readFile(join(cwd, file), 'utf8');
      await writeFile(join(cwd, file), text.replaceAll(account.url, elsewhere));
    }
    const env = { MESHFORM_JOURNALS: '', MESHFORM_TOKEN: account.token };
    for (const name of ['a saved plan', 'resume', 'undo']) {
      const ended = await meshform(VERBS[name] ?? [], { cwd, env, ...AT_TERMINAL });
      expect([3, 6, 64]).toContain(ended.code);
    }
    expect(received).toEqual([]);
  }));

test.each([
  ['url: "https://"\n', { answer: 'yes' }, 3, 'is not a web address'],
  ['url: ftp://example.com\n', { answer: 'yes' }, 3, 'SCHEMA_FORMAT'],
  ['url: https://a.example.com\n', { env: { MESHFORM_URL: '' } }, 64, 'set MESHFORM_URL'],
])('a plan with a project file of %j is refused', (text, options, code, said) =>
  inFolder(async cwd => {
    await writeFile(join(cwd, 'groups.yaml'), GROUP);
    await writeFile(join(cwd, 'meshform.yaml'), text);
    const ended = await meshform(['plan'], { cwd, ...options });
    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(said);
  }),
);

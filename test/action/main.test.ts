// The step of the action as a runner starts it: folders, outputs and the summary, and what a forge or a clone cannot give.
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, inject, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { startAccount } from '../support/account.ts';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));

async function openJob() {
  const folder = mkdtempSync(join(tmpdir(), 'meshform-test-'));
  const account = await startAccount();
  onTestFinished(async () => {
    rmSync(folder, { recursive: true });
    await account.close();
  });
  const at = (...path: string[]) => join(folder, ...path);
  mkdirSync(at('a b', 'network'), { recursive: true });
  mkdirSync(at('temp'));
  writeFileSync(at('a b', 'network', 'groups.yaml'), 'groups: [{ name: one }]\n');
  writeFileSync(at('event.json'), JSON.stringify({ pull_request: { number: 7 } }));
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    RUNNER_TEMP: at('temp'),
    GITHUB_OUTPUT: at('output'),
    GITHUB_STEP_SUMMARY: at('summary'),
    GITHUB_EVENT_PATH: at('event.json'),
    GITHUB_REPOSITORY: 'example/network',
    GITHUB_API_URL: 'http://127.0.0.1:1',
    GITHUB_TOKEN: 'token',
    MESHFORM_URL: account.url,
    MESHFORM_TOKEN: account.token,
  };
  const run = (command: string, args: readonly string[], more: NodeJS.ProcessEnv = {}) =>
    ended(spawn(command, args, { cwd: folder, env: { ...env, ...more } }));
  const action = (inputs: NodeJS.ProcessEnv) =>
    run(process.execPath, [join(CHECKOUT, 'action/main.ts')], inputs);
  return { at, run, action };
}

async function ended(child: ReturnType<typeof spawn>) {
  const code = new Promise<number | null>(settle => child.on('close', settle));
  const read = (stream: typeof child.stdout) => (stream ? text(stream) : '');
  const [stdout, stderr] = await Promise.all([read(child.stdout), read(child.stderr)]);
  return { code: await code, stdout, stderr };
}

test('a folder with spaces works, the path of the saved plan is absolute, and a failed comment is reported', async () => {
  const { at, action } = await openJob();
  const inputs = { INPUT_COMMAND: 'plan', INPUT_PATH: 'network', INPUT_PLAN: 'p.json' };
  const { code, stderr } = await action({ ...inputs, INPUT_WORKING_DIRECTORY: 'a b' });
  expect(code).toBe(0);
  expect(stderr).toContain('The comment was not written: GET /user failed');
  const summary = readFileSync(at('summary'), 'utf8');
  expect(summary).toContain('**Plan: 1 to add');
  expect(summary).toContain('The comment was not written');
  expect(readFileSync(at('output'), 'utf8')).toContain(`\n${at('a b', 'p.json')}\n`);
  expect(existsSync(at('a b', 'p.json'))).toBe(true);
});

test('the digest of the saved plan is an output, which the steps that check and apply it use', {
  tags: 'variation',
}, async () => {
  const { at, action } = await openJob();
  // As if it were a packed version, so that it is the program of these sources.
  mkdirSync(at('packed/node_modules'), { recursive: true });
  symlinkSync(inject('program'), at('packed/node_modules/meshform'));
  const inputs = {
    INPUT_VERSION: 'packed.tgz',
    MESHFORM_PACKED: at('packed'),
    INPUT_COMMENT: 'never',
    INPUT_WORKING_DIRECTORY: 'a b',
    INPUT_PLAN: 'p.json',
  };
  expect((await action({ ...inputs, INPUT_COMMAND: 'plan', INPUT_PATH: 'network' })).code).toBe(0);
  const { digest } = JSON.parse(readFileSync(at('a b', 'p.json'), 'utf8')).meshform;
  const outputs = () => readFileSync(at('output'), 'utf8');
  expect(outputs()).toMatch(new RegExp(`^digest<<\\S+\n${digest}$`, 'm'));
  rmSync(at('output'));
  for (const command of ['check', 'apply']) {
    const args = { INPUT_COMMAND: command, INPUT_ARGS: `--digest ${digest}` };
    const { code, stderr } = await action({ ...inputs, ...args });
    expect(code, stderr).toBe(0);
  }
  expect(outputs()).toMatch(new RegExp(`^digest<<\\S+\n${digest}$`, 'm'));
});

test('the findings of tighten are written to a file for a later step, and the files are edited', async () => {
  const { at, action } = await openJob();
  writeFileSync(
    at('a b', 'network', 'policies.yaml'),
    ['one', 'two']
      .map(
        name =>
          `- { name: ${name}, rules: [{ name: r, protocol: all, sources: [one], destinations: [one] }] }\n`,
      )
      .reduce((text, policy) => text + policy, 'policies:\n'),
  );
  const inputs = { INPUT_COMMAND: 'tighten', INPUT_PATH: 'network', INPUT_ARGS: '--write' };
  const { code, stderr } = await action({ ...inputs, INPUT_WORKING_DIRECTORY: 'a b' });
  expect(code, stderr).toBe(0);
  const [, file = ''] = /^report-file<<\S+\n(.*)$/m.exec(readFileSync(at('output'), 'utf8')) ?? [];
  expect(dirname(dirname(file))).toBe(at('temp'));
  expect(readFileSync(file, 'utf8')).toContain('### meshform tighten');
  expect(readFileSync(at('summary'), 'utf8')).toContain('1 finding: 1 certain');
  expect(readFileSync(at('a b', 'network', 'policies.yaml'), 'utf8')).not.toContain('two');
});

test('observe fails without a store', async () => {
  const { action } = await openJob();
  const { code, stderr } = await action({ INPUT_COMMAND: 'observe' });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('`observe` needs the input `store`'),
  });
});

test('stderr of the program reaches the log of the runner, and its output does not', async () => {
  const { at, action } = await openJob();
  const program = at('packed/node_modules/meshform/bin/meshform.js');
  mkdirSync(dirname(program), { recursive: true });
  const printed =
    "process.stderr.write('::add-mask::a-key-shown-once\\nError: a-key-shown-once\\n');";
  for (const report of ['', 'a-key-shown-once', '{"key":"a-key-shown-once"}']) {
    rmSync(at('summary'), { force: true });
    writeFileSync(
      program,
      `${printed} console.log(${JSON.stringify(report)}); process.exitCode = 4;`,
    );
    const ended = await action({
      INPUT_COMMAND: 'apply',
      INPUT_PATH: 'network',
      INPUT_VERSION: 'packed.tgz',
      INPUT_WORKING_DIRECTORY: 'a b',
      MESHFORM_PACKED: at('packed'),
    });
    expect(ended).toMatchObject({ code: 4 });
    expect(ended.stderr).toMatch(/^::add-mask::a-key-shown-once$/m);
    const summary = readFileSync(at('summary'), 'utf8');
    expect(summary).toContain('> ❌ `apply` ended with exit code 4. The log of the job says why.');
    expect(summary).not.toContain('a-key-shown-once');
  }
});

test('the error for a missing folder names it', async () => {
  const { action } = await openJob();
  const { code, stderr } = await action({
    INPUT_COMMAND: 'validate',
    INPUT_WORKING_DIRECTORY: 'a\n::error::b',
  });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^Error: the input `working-directory` is not a folder: .*a ::error::b\n$/,
  );
});

test('a plan fails if a shallow clone lacks its base', async () => {
  const { at, run, action } = await openJob();
  const git = async (...args: string[]) => {
    const who = ['-c', 'user.name=Mia', '-c', 'user.email=mia@example.com'];
    const { code, stdout, stderr } = await run('git', [...who, ...args]);
    expect(code, stderr).toBe(0);
    return stdout.trim();
  };
  await git('init', '--quiet', 'a b');
  const inside = ['-C', 'a b'];
  await git(...inside, 'add', '--all');
  await git(...inside, 'commit', '--quiet', '--message', 'A change');
  const base = await git(...inside, 'rev-parse', 'HEAD');
  await git(...inside, 'commit', '--quiet', '--allow-empty', '--message', 'Another');
  await git('clone', '--quiet', '--depth', '1', `file://${at('a b')}`, 'shallow');
  const { code, stderr } = await action({
    INPUT_COMMAND: 'plan',
    INPUT_PATH: 'network',
    INPUT_BASE: base,
    INPUT_ARGS: '--prune removed',
    INPUT_WORKING_DIRECTORY: 'shallow',
  });
  expect(code).toBe(3);
  expect(stderr).toContain('shallow clone');
});

test('a signal to the shell of the step reaches the action', async () => {
  const { at } = await openJob();
  const { runs } = parse(readFileSync(join(CHECKOUT, 'action.yml'), 'utf8'));
  const script: string = runs.steps.at(-1).run;
  mkdirSync(at('checkout/action'), { recursive: true });
  writeFileSync(at('step.sh'), script);
  // Stands in for the action: it ends by itself only where the signal never arrives.
  const waiting = "process.on('SIGINT', () => process.exit(7)); setTimeout(() => {}, 20_000);";
  writeFileSync(at('checkout/action/main.ts'), `${waiting} console.log('ready');`);
  const { PATH } = process.env;
  const child = spawn('bash', ['--noprofile', '--norc', '-e', at('step.sh')], {
    env: { PATH, MESHFORM_ACTION: at('checkout') },
  });
  child.stdout.once('data', () => child.kill('SIGINT'));
  expect((await ended(child)).code).toBe(7);
});

// What a command with `--format comment` prints if it fails: its findings and its error for reviewers, and nothing that is not theirs.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { factsOf } from '../../../action/report.ts';
import { errorText } from '../../../src/cli/errorText.ts';
import { withFailureComment } from '../../../src/cli/failureComments.ts';
import { printFindings } from '../../../src/cli/findings.ts';
import type { Io } from '../../../src/cli/io.ts';
import { Stop } from '../../../src/cli/stop.ts';
import { KnownSecrets } from '../../../src/model/secrets/knownSecrets.ts';
import { bytesOf, COMMENT_BYTES } from '../../../src/report/comment/budget.ts';
import { failureComment } from '../../../src/report/comment/failureComment.ts';
import { PLAIN } from '../../../src/report/text/style.ts';
import { faultsOf, markdownSkeleton } from '../../hostile/verdict.ts';
import { startAccount } from '../../support/account.ts';
import { type CliOptions, environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { hostileText } from '../../support/hostile.ts';
import { fc } from '../../support/seeded.ts';

const COMMANDS = ['plan', 'drift', 'apply'] as const;

/** Runs a command on these files, with a comment as its document. */
const commented = (
  command: string,
  files: Readonly<Record<string, string>>,
  options: CliOptions = {},
) =>
  inFolder(async cwd => {
    await mkdir(join(cwd, 'network'));
    for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
    const flags = command === 'apply' ? ['--yes'] : [];
    const args = [command, 'network', ...flags, '--format', 'comment'];
    return meshform(args, { cwd, ...options });
  });

async function anAccount() {
  const account = await startAccount();
  onTestFinished(account.close);
  return environmentOf(account);
}

test.each(COMMANDS)('the comment of %s with an invalid file says where and why', async command => {
  const files = { 'network/groups.yaml': 'groups: [{ nam: one }]\n' };
  const { code, stdout, stderr } = await commented(command, files, { env: await anAccount() });
  expect(code).toBe(3);
  const lines = stdout.split('\n');
  expect(lines.slice(0, 4)).toEqual([
    `<!-- meshform {"report":"failure","command":"${command}","errors":1} -->`,
    `### meshform ${command}`,
    '',
    `**The ${command} failed: 1 error.**`,
  ]);
  expect(stdout).toContain('network/groups.yaml:1:');
  expect(stdout).toContain('Error: stopped because of 1 error\n```\n');
  expect(stderr).toContain('Error: stopped because of 1 error\n');
  // Nothing is known about drift: an issue is neither opened nor closed.
  expect(factsOf(stdout)).toBeNull();
});

test.each(COMMANDS)('the comment of %s without a server says what is missing', async command => {
  const files = { 'network/groups.yaml': 'groups: [{ name: one }]\n' };
  const env = { MESHFORM_URL: 'http://127.0.0.1:1', MESHFORM_TOKEN: 'nbp_a-token-of-the-test' };
  const { code, stdout } = await commented(command, files, { env });
  expect(code).toBe(1);
  expect(stdout).toContain(`**The ${command} failed.**`);
  expect(stdout).toContain('Error: GET /api/groups failed: connection refused\n');
  expect(stdout).not.toContain(env.MESHFORM_TOKEN);
});

test('the comment of a refused apply says which hazards to allow', async () => {
  const files = {
    'network/groups.yaml': 'groups: [{ name: one }]\n',
    'network/keys.yaml': 'setup_keys: [{ name: ci, type: reusable, expires_in: 86400 }]\n',
  };
  const { code, stdout } = await commented('apply', files, { env: await anAccount() });
  expect(code).toBe(6);
  expect(stdout).toContain('Error: the plan has hazards that are not allowed:');
  expect(stdout).toContain('hint: add --secrets-to');
});

/** What a command prints that prints these texts, and then fails with this error. */
async function printed(
  format: string,
  fail: (io: Io) => void,
): Promise<{ readonly stdout: string; readonly error: unknown }> {
  let stdout = '';
  const sink = { write: () => {}, isTerminal: false };
  const secrets = new KnownSecrets();
  secrets.add(SECRET);
  const io = {
    env: {},
    secrets,
    stderr: sink,
    stdout: {
      isTerminal: false,
      write: (text: string) => {
        stdout += text;
      },
    },
  };
  const running = withFailureComment({ command: 'plan', format }, io as unknown as Io, async own =>
    fail(own),
  );
  const error = await running.then(
    () => null,
    (failure: unknown) => failure,
  );
  return { stdout, error };
}

const SECRET = 'a-secret-of-this-run';
const REFUSED = new Stop(6, `refused ${SECRET}`, `ask ${SECRET}`, [`line ${SECRET}`]);

test('a comment redacts secrets in findings and errors', async () => {
  const { stdout, error } = await printed('comment', io => {
    const at = { file: `${SECRET}.yaml`, line: 1, column: 1 };
    const finding = { code: 'REF_NOT_DECLARED', severity: 'error', message: SECRET } as const;
    printFindings([{ ...finding, hint: SECRET, at }], io);
    throw REFUSED;
  });
  expect(error).toBe(REFUSED);
  expect(stdout).toContain('Error: refused ');
  expect(stdout).toContain('error REF_NOT_DECLARED');
  expect(stdout).not.toContain(SECRET);
});

test('the stack trace of an unexpected error is printed in the log, not in the comment', async () => {
  const { stdout } = await printed('comment', () => {
    throw new TypeError('x is undefined');
  });
  expect(stdout).toContain(
    'Error: an unexpected error occurred; the log of the job has its text\n',
  );
  expect(stdout).not.toContain('x is undefined');
});

test('a secret of several lines is redacted in the stack trace of the log', () => {
  const secrets = new KnownSecrets();
  const lines = ['-----BEGIN KEY-----', 'MIIB short', '-----END KEY-----'];
  secrets.add(lines.join('\n'));
  const text = errorText(new TypeError(`not a key: ${lines.join('\n')}`), { secrets }, PLAIN);
  expect(text).toContain('An unexpected error occurred');
  expect(text).not.toContain('MIIB short');
});

test('a failed command that has printed its comment prints no second one, and other formats print none', async () => {
  const after = await printed('comment', io => {
    io.stdout.write('the plan\n');
    throw REFUSED;
  });
  expect(after.stdout).toBe('the plan\n');
  const text = await printed('text', () => {
    throw REFUSED;
  });
  expect(text).toEqual({ stdout: '', error: REFUSED });
});

test('no text ends the code fence of a comment, and the largest comment stays within the limit', () => {
  const plain = failureComment({ command: 'plan', findings: [], error: 'Error: x\n' });
  fc.assert(
    fc.property(hostileText, text => {
      const finding = { code: 'REF_NOT_DECLARED', severity: 'error', message: text } as const;
      const failure = { command: 'plan', findings: [finding], error: `Error: ${text}\n` } as const;
      const comment = failureComment(failure);
      expect(faultsOf(comment).filter(fault => !fault.startsWith('a command'))).toEqual([]);
      expect(markdownSkeleton(comment).filter(line => line === 'fence')).toHaveLength(1);
      expect(markdownSkeleton(comment)).toContain('closed');
    }),
    { numRuns: 200 },
  );
  expect(markdownSkeleton(plain)).toContain('closed');
  const message = 'x'.repeat(500);
  const finding = { code: 'REF_NOT_DECLARED', severity: 'warning', message } as const;
  const findings = [
    ...Array.from({ length: 500 }, () => finding),
    { ...finding, severity: 'error' },
  ] as const;
  const large = failureComment({ command: 'plan', findings, error: 'Error: x\n' });
  expect(bytesOf(large)).toBeLessThanOrEqual(COMMENT_BYTES);
  // Warnings are cut before errors.
  expect(large).toContain('error REF_NOT_DECLARED');
});

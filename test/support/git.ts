// Git in a test: commits of somebody who is nobody.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { fileURLToPath } from 'node:url';

const IDENTITY = ['user.name=Test', 'user.email=test@example.com', 'commit.gpgsign=false'];
/** Otherwise each commit starts a second process, which finds nothing to tidy up. */
const NO_UPKEEP = ['maintenance.auto=false', 'gc.auto=0'];

/** What git answers in a folder. */
export function git(folder: string, ...args: string[]): string {
  return asked(folder, args, process.env);
}

/** The same, at a time in milliseconds since 1970: commits and logs of refs have this date. */
export function gitAt(folder: string, time: number, ...args: string[]): string {
  const date = `@${Math.floor(time / 1000)} +0000`;
  const dates = { GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date };
  return asked(folder, args, { ...process.env, ...dates });
}

/** The applied revision that the base at a ref names; empty if there is no such base. */
export function appliedRevision(folder: string, ref: string): string {
  const [base = ''] = git(folder, 'for-each-ref', '--format=%(objectname)', ref).split('\n');
  return base === '' ? '' : git(folder, 'rev-parse', `${base}^1`).trim();
}

function asked(folder: string, args: readonly string[], env: NodeJS.ProcessEnv): string {
  const settings = [...IDENTITY, ...NO_UPKEEP].flatMap(setting => ['-c', setting]);
  const { status, stdout, stderr } = answerTo({ args: ['-C', folder, ...settings, ...args], env });
  if (status === 0) return stdout;
  throw Object.assign(new Error(`git ${args.join(' ')} failed: ${stderr}`), { status, stderr });
}

/** A command of git for the process that starts it. */
export interface GitRequest {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

export interface GitAnswer {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The files to and from the process that starts git, which lives as long as this one. */
let starter: { readonly requests: number; readonly answers: number } | undefined;

function answerTo(request: GitRequest): GitAnswer {
  starter ??= newStarter();
  writeSync(starter.requests, `${JSON.stringify(request)}\n`);
  let answer = '';
  const part = Buffer.alloc(65_536);
  const decoder = new StringDecoder();
  while (!answer.endsWith('\n'))
    answer += decoder.write(part.subarray(0, readSync(starter.answers, part)));
  return JSON.parse(answer) as GitAnswer;
}

function newStarter() {
  const folder = mkdtempSync(join(tmpdir(), 'meshform-git-'));
  const requests = join(folder, 'requests');
  const answers = join(folder, 'answers');
  execFileSync('mkfifo', [requests, answers]);
  const script = fileURLToPath(new URL('gitStarter.ts', import.meta.url));
  spawn(process.execPath, [script, requests, answers], { stdio: 'inherit' }).unref();
  // Each waits until the process has opened the other side.
  const open = { answers: openSync(answers, 'r'), requests: openSync(requests, 'w') };
  rmSync(folder, { recursive: true });
  return open;
}

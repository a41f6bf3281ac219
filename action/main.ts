// The action: runs meshform, and reports its output to the log, the summary of the job, and a comment or an issue.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandLine, isSuccess, readsBase, recordsBase } from './commandLine.ts';
import { pullIn } from './event.ts';
import { type Forge, ForgeError, forgeAt } from './forge.ts';
import { fetchBases, gitEnv, pushBases } from './git.ts';
import { appendTo, outputLines } from './outputs.ts';
import { jobFolder, programOf, runProgram } from './program.ts';
import {
  bodyOf,
  commentStep,
  factsOf,
  issueStep,
  markerOf,
  type Outcome,
  ownPost,
} from './report.ts';
import { type Settings, settingsFrom } from './settings.ts';

const { env } = process;
const CHECKOUT = fileURLToPath(new URL('..', import.meta.url));
/** Commands that print a report for a forge. */
const REPORTING: ReadonlySet<Settings['command']> = new Set(['plan', 'apply', 'drift']);

async function main(settings: Settings): Promise<number> {
  const cwd = resolve(settings.workingDirectory);
  const planFile = settings.plan || join(jobFolder(env), planName(settings.label));
  if (readsBase(settings)) await fetchBases(cwd, env);
  const isReporting = REPORTING.has(settings.command);
  const { code, stdout, stderr } = await runProgram(
    process.execPath,
    [programOf(env, CHECKOUT), ...commandLine(settings, planFile)],
    { cwd, env: { ...(readsBase(settings) ? gitEnv(env) : env), GITHUB_TOKEN: '' } },
  );
  if (code === 0 && settings.command === 'apply' && recordsBase(settings))
    await pushBases(cwd, env);
  const outcome: Outcome = { code, stderr, report: isReporting ? stdout : '' };
  await appendTo(env.GITHUB_OUTPUT, outputLines(outputsOf(settings, outcome, planFile)));
  const body = bodyOf(settings, outcome, { run: runUrl(), revision: env.GITHUB_SHA ?? '' });
  await appendTo(env.GITHUB_STEP_SUMMARY, body);
  if (isReporting) await post(settings, outcome, body);
  return isSuccess(settings, code) ? 0 : code;
}

function planName(label: string): string {
  return label === '' ? 'plan.json' : `plan-${label.replaceAll(/[^\p{L}\p{N}._-]/gu, '-')}.json`;
}

function outputsOf(
  { command, plan }: Settings,
  { code, report }: Outcome,
  planFile: string,
): Readonly<Record<string, string>> {
  const facts = factsOf(report);
  const isSaved = command === 'plan' && (code === 0 || code === 2);
  return {
    changes: facts ? String(facts.changes) : '',
    hazards: facts ? facts.hazards.join(',') : '',
    'access-gained': facts ? String(facts.accessGained) : '',
    'access-lost': facts ? String(facts.accessLost) : '',
    'plan-file': isSaved ? planFile : plan,
    'exit-code': String(code),
  };
}

function runUrl(): string {
  return `${env.GITHUB_SERVER_URL ?? ''}/${env.GITHUB_REPOSITORY ?? ''}/actions/runs/${env.GITHUB_RUN_ID ?? ''}`;
}

// A comment that cannot be written does not fail the job, because its summary has the same text. An issue about drift must be
// written: it is the alarm.
async function post(settings: Settings, outcome: Outcome, body: string): Promise<void> {
  const { GITHUB_TOKEN: token, GITHUB_API_URL: api, GITHUB_REPOSITORY: repository } = env;
  if (settings.comment === 'never' || !token || !api || !repository) return;
  const forge = forgeAt({ api, repository, token });
  if (settings.command === 'drift') return postIssue(settings, outcome, { forge, body });
  try {
    await postComment(settings, outcome, { forge, body });
  } catch (error) {
    if (!(error instanceof ForgeError) && !(error instanceof TypeError)) throw error;
    console.error(
      `The comment was not written: ${error.message}. The summary of the job has its text.`,
    );
  }
}

interface Post {
  readonly forge: Forge;
  readonly body: string;
}

async function postComment(
  { comment, label }: Settings,
  { code, report }: Outcome,
  { forge, body }: Post,
): Promise<void> {
  const pull = pullIn(await eventOfJob()) ?? (await pullOfPush(forge));
  if (pull === null) return;
  const marker = markerOf('comment', label);
  const own = ownPost(await forge.comments(pull), { marker, author: await forge.author() });
  const isWorthPosting = code !== 0 || (factsOf(report)?.changes ?? 0) > 0;
  const step = commentStep(comment, own, isWorthPosting);
  if (step === 'create') await forge.createComment(pull, `${marker}\n${body}`);
  if (step === 'update' && own) await forge.updateComment(own.id, `${marker}\n${body}`);
}

function pullOfPush(forge: Forge): Promise<number | null> {
  return env.GITHUB_EVENT_NAME === 'push' && env.GITHUB_SHA
    ? forge.pullOf(env.GITHUB_SHA)
    : Promise.resolve(null);
}

async function eventOfJob(): Promise<unknown> {
  const { GITHUB_EVENT_PATH: file } = env;
  return file ? JSON.parse(await readFile(file, 'utf8')) : {};
}

async function postIssue(
  { comment, label }: Settings,
  { report }: Outcome,
  { forge, body }: Post,
): Promise<void> {
  const facts = factsOf(report);
  // After a failed command, nothing is known about drift.
  if (facts === null) return;
  const marker = markerOf('drift', label);
  const own = ownPost(await forge.openIssues(), { marker, author: await forge.author() });
  const title = `meshform: drift${label === '' ? '' : ` (${label})`}`;
  const step = issueStep(comment, own, facts.changes);
  if (step === 'create') await forge.createIssue(title, `${marker}\n${body}`);
  if (step === 'update' && own) await forge.updateIssue(own.id, `${marker}\n${body}`);
  if (step === 'close' && own) await forge.closeIssue(own.id, `${marker}\n${body}`);
}

try {
  process.exitCode = await main(settingsFrom(env));
} catch (error) {
  console.error(`Error: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}

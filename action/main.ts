// The action: runs meshform, and reports its output to the log, the summary of the job, and a comment or an issue.
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fenced } from '../src/report/text/markdown.ts';
import { asksRemote, commandLine, fetching, isSuccess, recordsBase } from './commandLine.ts';
import { eventOfJob } from './event.ts';
import { freshFolder, writeNewFile } from './folders.ts';
import { inLine } from './forgeError.ts';
import { fetchBases, hasOrigin, pushBases } from './git.ts';
import { listenToInterrupts } from './interrupts.ts';
import { withGitToken, withoutJobTokens } from './jobTokens.ts';
import { withJournals } from './journals.ts';
import { mayLockInFile } from './lockPlace.ts';
import { appendTo, outputLines } from './outputs.ts';
import { post } from './posting.ts';
import { programOf, runProgram } from './program.ts';
import { bodyOf, factsOf, type Outcome } from './report.ts';
import { revisionText } from './revision.ts';
import { InputError, planNameOf, type Settings, settingsFrom } from './settings.ts';

const { env } = process;
const CHECKOUT = fileURLToPath(new URL('..', import.meta.url));
const interrupts = listenToInterrupts();
const job = { env, signal: interrupts.signal };
/** Commands whose report becomes a comment or an issue. */
const POSTED: ReadonlySet<Settings['command']> = new Set(['plan', 'apply', 'drift']);
/** Commands that print a report for a forge. The output of `tighten` is for the pull request that a later step opens. */
const REPORTING: ReadonlySet<Settings['command']> = new Set([...POSTED, 'tighten']);

async function main(settings: Settings): Promise<number> {
  const cwd = resolve(settings.workingDirectory);
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory())
    throw new InputError(`the input \`working-directory\` is not a folder: ${cwd}`);
  const planFile = resolve(cwd, settings.plan || newPlanFile(settings));
  const folder = resolve(cwd, settings.path);
  const start = (given: NodeJS.ProcessEnv) =>
    runProgram(process.execPath, [programOf(env, CHECKOUT), ...commandLine(settings, planFile)], {
      cwd,
      env: withJournals(given),
      interrupts,
    });
  const isInFile = await mayLockInFile(settings, cwd);
  const { mayFetch, mustFetch } = fetching(settings, isInFile);
  if (mustFetch || (mayFetch && (await hasOrigin(folder, withoutJobTokens(env)))))
    await fetchBases(folder, job);
  const { code, stdout } = asksRemote(settings)
    ? await withGitToken(env, start)
    : await start(withoutJobTokens(env));
  const outcome: Outcome = { code, report: REPORTING.has(settings.command) ? stdout : '' };
  const files = { planFile, reportFile: reportFileOf(settings, outcome) };
  await appendTo(env.GITHUB_OUTPUT, outputLines(outputsOf(settings, outcome, files)));
  const isRecorded = code === 0 && settings.command === 'apply' && recordsBase(settings);
  const unpushed = isRecorded && isInFile ? await pushBases(folder, job) : null;
  const ended: Outcome = unpushed === null ? outcome : { ...outcome, code: 1, isUnpushed: true };
  await report(settings, ended, folder);
  if (unpushed !== null) throw new Error(unpushed);
  return isSuccess(settings, code) ? 0 : code;
}

async function report(settings: Settings, outcome: Outcome, folder: string): Promise<void> {
  const place = { folder, host: { env: withoutJobTokens(env) } };
  const revision = await revisionText(place, await eventOfJob(env).catch(() => ({})));
  const body = bodyOf(settings, outcome, { run: runUrl(), revision });
  await appendTo(env.GITHUB_STEP_SUMMARY, body);
  if (!POSTED.has(settings.command)) return;
  const unsaid = await post({ settings, outcome, body }, job);
  if (unsaid === null) return;
  console.error(unsaid);
  await appendTo(env.GITHUB_STEP_SUMMARY, `\n${fenced(unsaid)}\n`);
}

const newPlanFile = ({ command, label }: Settings): string =>
  command === 'plan' ? join(freshFolder(env), planNameOf(label)) : '';

// Writes the report to a file outside the checkout, so that no commit can put a link there. Only text that was rendered for a
// forge is written.
function reportFileOf({ command }: Settings, { code, report }: Outcome): string {
  if (command !== 'tighten' || code !== 0 || factsOf(report) === null) return '';
  const file = join(freshFolder(env), 'report.md');
  writeNewFile(file, report);
  return file;
}

function outputsOf(
  { command, plan }: Settings,
  { code, report }: Outcome,
  { planFile, reportFile }: { readonly planFile: string; readonly reportFile: string },
): Readonly<Record<string, string>> {
  const facts = factsOf(report);
  const isThere = command === 'plan' ? code === 0 || code === 2 : plan !== '';
  return {
    changes: facts ? String(facts.changes) : '',
    hazards: facts ? facts.hazards.join(',') : '',
    'access-gained': facts ? String(facts.accessGained) : '',
    'access-lost': facts ? String(facts.accessLost) : '',
    'plan-file': isThere ? planFile : '',
    digest: facts?.digest ?? '',
    'report-file': reportFile,
    'exit-code': String(code),
  };
}

function runUrl(): string {
  return `${env.GITHUB_SERVER_URL ?? ''}/${env.GITHUB_REPOSITORY ?? ''}/actions/runs/${env.GITHUB_RUN_ID ?? ''}`;
}

try {
  const code = await main(settingsFrom(env));
  process.exitCode = interrupts.exitCode() ?? code;
} catch (error) {
  console.error(`Error: ${inLine(error instanceof Error ? error.message : String(error))}`);
  process.exitCode = interrupts.exitCode() ?? 1;
}

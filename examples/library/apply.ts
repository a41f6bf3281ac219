// A program that applies as safely as the command line: one lock, preconditions, a journal, and a way to go on after a cut.
//   apply FOLDER | save FOLDER PLAN | saved PLAN | resume JOURNAL | undo JOURNAL
import { readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Applied,
  type ApplyRequest,
  accountBehind,
  applySaved,
  type DesiredState,
  dispatcher,
  isRefusal,
  loadDesired,
  loadSchemas,
  openFingerprints,
  openJournal,
  openPlan,
  otherSecrets,
  PLAIN,
  type Plan,
  planAndApply,
  planDesired,
  planDocument,
  planText,
  projectSettings,
  type Refusal,
  readTransport,
  resumeApply,
  secretSources,
  undoApply,
} from 'meshform';

const { MESHFORM_URL: url = '', MESHFORM_TOKEN: token = '' } = process.env;
const [verb = 'apply', path = '.', file = 'plan.json'] = process.argv.slice(2);

const FINGERPRINTS = 'fingerprints.json';
const hasKey = process.env.MESHFORM_FINGERPRINT_KEY !== undefined;
const surroundings = { cwd: process.cwd(), env: process.env, token };

const tools = loadSchemas();
const { kinds } = tools;
const connection = {
  url,
  token,
  dispatcher: dispatcher({}),
  now: Date.now,
  random: Math.random,
  sleep: (milliseconds: number) => sleep(milliseconds),
};
const request: ApplyRequest = {
  kinds,
  connection,
  concurrency: 4,
  host: {
    now: Date.now,
    cwd: process.cwd(),
    env: process.env,
    self: { pid: process.pid, host: hostname(), isAlive },
    sleep: (milliseconds, signal) =>
      sleep(milliseconds, undefined, signal && { signal }).catch(() => {}),
    signingKey: process.env.MESHFORM_SIGNING_KEY,
    tell: note => console.error(`note: ${note.note}`),
  },
  secrets: {
    sources: folder => secretSources(folder, surroundings),
    // Stores which values are sent, if there is a key for it.
    ...(hasKey && { fingerprints: () => openFingerprints(FINGERPRINTS, surroundings) }),
  },
  // What would be asked at a terminal. Every precondition holds by now, and every hazard is accepted.
  confirm: async plan => plan.changes.every(({ type }) => type !== 'delete'),
};

/**
 * The plan for the files in a folder, without access that has ended, and with the guards of their project file, of other folders of
 * the account, and their access tests. `left`: what unfinished applies created.
 */
async function planFor(folder: string, left?: DesiredState['left']): Promise<Plan> {
  const env = (name: string) => process.env[name];
  const shownAs = (file: string) => file;
  const place = { cwd: process.cwd(), host: { env: process.env }, shownAs };
  const load = { path: folder, strict: false, isPlanned: true, env, now: Date.now(), ...place };
  const state = await loadDesired(tools, { ...load, accountBehind: account });
  const faults = state.diagnostics.filter(({ severity }) => severity === 'error');
  if (faults.length > 0) throw new Error(faults.map(({ message }) => message).join('\n'));
  if (state.project.lock === 'git')
    throw new Error('the project file has `lock: git`, and this program takes no lock in Git');
  const guards = projectSettings(state);
  const settings = { ...guards, concurrency: 4, now: Date.now(), isWritten: true };
  const compared = hasKey && { isOtherSecret: await comparison(state) };
  const reading = readTransport(connection);
  return planDesired(tools, { ...state, ...(left && { left }) }, reading, {
    ...settings,
    ...compared,
  });
}

/** The id of the account, for files that do not name it: other folders of the account may guard it too. */
async function account(): Promise<string | undefined> {
  return (await accountBehind(readTransport(connection), kinds)).account;
}

/** Finds the secrets whose value is not the one that was sent last. */
async function comparison({ folder, desired }: DesiredState) {
  const fingerprints = await openFingerprints(FINGERPRINTS, surroundings);
  if (isRefusal(fingerprints)) throw new Error(JSON.stringify(fingerprints));
  const isOther = await otherSecrets(fingerprints, desired, secretSources(folder, surroundings));
  if (isRefusal(isOther)) throw new Error(JSON.stringify(isOther));
  return isOther;
}

async function save(folder: string, to: string): Promise<string> {
  const plan = { ...(await planFor(folder)), server: url, madeAt: new Date().toISOString() };
  const hazards = plan.actions.flatMap(action => action.hazards);
  for (const { code, message, allowed } of hazards)
    console.error(`${code}${allowed ? ' (accepted)' : ''}: ${message}`);
  await writeFile(to, JSON.stringify(planDocument(plan, kinds)));
  return planText(plan, kinds, PLAIN);
}

async function saved(from: string): Promise<Applied | Refusal> {
  const plan = openPlan(await readFile(from, 'utf8'), { file: from, kinds });
  return isRefusal(plan) ? plan : applySaved(plan, request);
}

async function resume(from: string): Promise<Applied | Refusal> {
  const journal = await openJournal(from, kinds, { ...request.host, token });
  return isRefusal(journal) ? journal : resumeApply(journal, request);
}

async function undo(from: string): Promise<Applied | Refusal> {
  const journal = await openJournal(from, kinds, { ...request.host, token });
  if (isRefusal(journal)) return journal;
  const settings = { prune: 'none', allow: [], thresholds: {}, concurrency: 4 } as const;
  return undoApply(
    journal,
    {
      plan: ({ dialect, desired, base, folder }) =>
        planDesired(tools, { desired, folder, base }, readTransport(connection), {
          ...settings,
          dialect,
          now: Date.now(),
        }),
    },
    { ...request, allow: [{ code: 'DELETES_OBJECT' }], confirm: async () => true },
  );
}

/** The result in a line, as a program would store it. */
function report(applied: Applied | Refusal): string {
  if (isRefusal(applied)) return JSON.stringify(applied);
  const { result, journal, isAlreadyApplied } = applied;
  const outcomes = result.outcomes.map(outcome => [
    outcome.address,
    outcome.status,
    ...('fault' in outcome ? [outcome.fault.code] : []),
  ]);
  return JSON.stringify({ outcomes, isAlreadyApplied, journal });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It runs, and belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

switch (verb) {
  case 'save':
    console.log(await save(path, file));
    break;
  case 'saved':
    console.log(report(await saved(path)));
    break;
  case 'resume':
    console.log(report(await resume(path)));
    break;
  case 'undo':
    console.log(report(await undo(path)));
    break;
  default:
    console.log(
      report(await planAndApply({ path, plan: (_, left) => planFor(path, left) }, request)),
    );
}
await connection.dispatcher.close();

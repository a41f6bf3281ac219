// How long commands take that do almost nothing, against Node with nothing to do.
import { fileURLToPath } from 'node:url';
import type { Ground } from './extent.ts';
import { type Figure, figure } from './figures.ts';
import { type Command, paired } from './processes.ts';
import { LAUNCHER } from './servers.ts';

const QUICKSTART = fileURLToPath(new URL('../../examples/quickstart', import.meta.url));

const MEASURES = [
  { name: '`--version`', words: ['--version'], target: '≤ 1.3' },
  { name: '`plan --help`', words: ['plan', '--help'], target: '≤ 1.9' },
  { name: '`validate examples/quickstart`', words: ['validate', QUICKSTART], target: '≤ 4.2' },
];

/** Node with nothing to do. */
export const nothing = (cwd: string): Command => ({ argv: ['-e', '0'], cwd });

/** Measures the start of commands. */
export async function startUp({ folder, extent }: Ground): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const { name, words, target } of MEASURES) {
    const command = { argv: [LAUNCHER, ...words], cwd: folder };
    const { ratio, time } = await paired(command, nothing(folder), extent.pairs);
    figures.push(figure(`${name} ÷ \`node -e 0\``, ratio, { unit: 'ratio', target }));
    figures.push(figure(name, time, { unit: 'ms' }));
  }
  return figures;
}

// `npm run bless`: everything generated is written anew, in the one right order. Read the difference like any other change.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { BLESSED } from './blessed.ts';

const VITEST = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));

for (const step of BLESSED) {
  const files = step.map(name => `test/${name}.test.ts`);
  const { status } = spawnSync(process.execPath, [VITEST, 'run', '--reporter=dot', ...files], {
    stdio: 'inherit',
    env: { ...process.env, BLESS: '1' },
  });
  if (status !== 0) process.exit(status ?? 1);
}

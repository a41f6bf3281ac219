// The contract passes a linter that is not ours, with its recommended rules.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const LINTER = fileURLToPath(
  new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url),
);
const DOCUMENT = fileURLToPath(new URL('../../schemas/openapi.yaml', import.meta.url));

/** Where the linter finds two paths hard to tell apart: that is how the specification has them. */
const AMBIGUOUS = '#/paths/~1api~1users~1invites~1{invite}';

interface Problem {
  readonly ruleId: string;
  readonly location: readonly { readonly pointer: string }[];
}

it('schemas/openapi.yaml passes the linter, except two paths that the specification has', () => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [LINTER, 'lint', DOCUMENT, '--format', 'json', '--extends', 'recommended'],
    {
      encoding: 'utf8',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  );
  expect(stdout, stderr).toMatch(/^\{/);
  const { totals, problems } = JSON.parse(stdout);
  expect(totals.errors, stdout).toBe(0);
  const found = (problems as readonly Problem[]).map(({ ruleId, location }) => [
    ruleId,
    ...location.map(({ pointer }) => pointer),
  ]);
  // The linter does not read extensions; document.test.ts holds that every component is used.
  expect(found.filter(([rule]) => rule !== 'no-unused-components')).toEqual([
    ['no-ambiguous-paths', AMBIGUOUS],
  ]);
}, 30_000);

// The same drawn pull requests in the jobs of the action and of the GitLab component: nothing is given away in a log, a comment, a
// summary, an output or an artifact, and no process is started that is not ours.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { present } from '../../src/model/errors.ts';
import { inFolder } from '../support/cli.ts';
import { type Extent, patience, proof } from '../support/proof.ts';
import { fc } from '../support/seeded.ts';
import { canaries } from './pulls/canaries.ts';
import { drawnPull, plannedPull } from './pulls/drawnPull.ts';
import { openPipelines } from './pulls/pipelines.ts';
import { openRange, type Range, tryPull } from './pulls/trial.ts';

const EXTENT: Extent = { slice: 2, full: 1_000 };

const DRAWN = fc.tuple(drawnPull, canaries);
/** The first request has a plan, however few there are. */
const FIRST = fc.tuple(plannedPull, canaries);

let range: Range;

beforeAll(async () => {
  range = await openRange();
});

afterAll(() => range.close());

test('no pull request obtains a secret from a pipeline', {
  timeout: patience(EXTENT, 60_000),
}, async () => {
  const { count, seed, found } = proof('pull requests: what they get from pipelines', EXTENT);
  const pipelines = await openPipelines();
  const figures = { searched: 0, plans: 0 };
  try {
    const requests = [
      ...fc.sample(FIRST, { seed, numRuns: 1 }),
      ...fc.sample(DRAWN, { seed, numRuns: count }).slice(1),
    ];
    for (const [number, [pull, values]] of requests.entries()) {
      // Other settings of git are the job's.
      const planted = pull.planted && { ...pull.planted, settings: ['embedded' as const] };
      const request = { ...pull, planted };
      const trial = await tryPull(request, { canaries: values, number }, range, pipelines);
      expect(trial.faults, `request ${number} of seed ${seed}`).toEqual([]);
      figures.searched += trial.searched;
      if (trial.isPlanned) figures.plans += 1;
    }
  } finally {
    await pipelines.close();
  }
  const { searched, plans } = figures;
  expect(plans).toBeGreaterThan(0);
  found(
    `${plans} were planned; no secret in ${searched} logs, comments, files and packets, and no program or connection of theirs`,
  );
});

/** A program that gives away what it has, by every way out of a job. */
const MUTANT = `
const { VAULT_TOKEN = '', SSH_AUTH_SOCK = '' } = process.env;
console.log('<!-- meshform {"report":"plan","changes":1} -->\\n### meshform plan\\n' + VAULT_TOKEN);
require('node:child_process').spawn('env');
require('node:net').connect(SSH_AUTH_SOCK).on('error', () => {}).end('x');
`;

test('the proof fails with a program that leaks its variables', async () => {
  const [drawn, values] = present(fc.sample(DRAWN, { seed: 1, numRuns: 1 })[0], 'a request');
  await inFolder(async program => {
    await mkdir(join(program, 'bin'));
    await writeFile(join(program, 'bin/meshform.js'), MUTANT);
    const pipelines = await openPipelines(program);
    const { faults } = await tryPull(drawn, { canaries: values, number: 0 }, range, pipelines);
    await pipelines.close();
    for (const fault of [
      /^a secret is in: stdout of action plan net: VAULT_TOKEN$/,
      /^a secret is in: stdout of component plan net: VAULT_TOKEN$/,
      /^a secret is in: file job\/summary: VAULT_TOKEN$/,
      /^a secret is in: file checkout\/meshform-18\/plan\.md: VAULT_TOKEN$/,
      // The comment.
      /^a secret is in: requests to 127\.0\.0\.1:\d+: VAULT_TOKEN$/,
      /^action plan net started: env$/,
      /^component plan net started: env$/,
      /^action plan net connected to: .*agent\.sock$/,
      /^the agent was asked$/,
    ])
      expect(faults).toContainEqual(expect.stringMatching(fault));
  });
});

// A process: the stages of a plan of one account, one after the other, each timed alone. Prints the milliseconds of each as JSON.
import { readFileSync } from 'node:fs';
import { fetchAndWiden } from '../../src/api/account/fetch.ts';
import type { ReadTransport } from '../../src/api/transport/transport.ts';
import { planned } from '../../src/engine/plan/plan.ts';
import { readScope } from '../../src/engine/scope/readScope.ts';
import type { PlanSettings } from '../../src/engine/types/settings.ts';
import type { Json } from '../../src/model/value.ts';
import { withAccess } from '../../src/pipeline/access/withAccess.ts';
import { inputsFor } from '../../src/pipeline/loading/externalInputs.ts';
import { loadSchemas } from '../../src/pipeline/schemas.ts';
import { readFolder } from '../../src/read/files/folder.ts';
import { planDocument } from '../../src/report/plan/planDocument.ts';
import { planText } from '../../src/report/plan/planText.ts';
import { PLAIN } from '../../src/report/text/style.ts';
import { parseDocuments } from '../../src/source/yaml/document.ts';

const [folder = '', answers = ''] = process.argv.slice(2);
const times: Record<string, number> = {};
const recorded: Record<string, string> = JSON.parse(readFileSync(answers, 'utf8'));
const { kinds, reader } = loadSchemas();

async function stage<T>(name: string, work: () => T | Promise<T>): Promise<T> {
  const begun = performance.now();
  const result = await work();
  times[name] = performance.now() - begun;
  return result;
}

/** A transport that parses the recorded bytes. */
const transport: ReadTransport = {
  get: path => Promise.resolve((JSON.parse(recorded[path] ?? '[]') ?? []) as Json),
  requests: () => 0,
};

const texts = await readFolder(folder, { projectFile: 'meshform.yaml', exclude: [] }, path => path);
const shownAs = (path: string): string => path;
const place = { cwd: folder, host: { env: {} }, shownAs };
const request = { path: folder, strict: false, env: () => undefined, ...place };
await stage('parse YAML', () => texts.files.map(parseDocuments));
const { desired } = await stage('read and check files', () =>
  reader.read(texts.files, inputsFor(request)),
);
const scope = readScope(kinds, desired, [], 'none');
const options = { concurrency: 4, dialect: 'netbird' } as const;
const account = await stage('decode the account', () =>
  fetchAndWiden(transport, kinds, scope, options),
);
const settings: PlanSettings = {
  dialect: 'netbird',
  now: 0,
  prune: 'none',
  allow: [],
  thresholds: {},
};
const made = await stage('plan', () =>
  planned({ kinds, desired, base: [], snapshot: account.snapshot, settings, folder }),
);
const plan = await stage('access', () =>
  withAccess(
    { ids: [], meant: new Map(), ...made },
    { kinds, widen: account.widen },
    {
      desired,
      tests: [],
      areTestsJudged: true,
      allowances: { byFlag: [], byProject: [] },
    },
  ),
);
await stage('write text', () => planText(plan, kinds, PLAIN));
await stage('write JSON', () => JSON.stringify(planDocument(plan, kinds)));
process.stdout.write(JSON.stringify(times));

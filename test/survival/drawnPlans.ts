// Saved plans of generated accounts. Beside what is generated, each has secrets of every source, hazards, guards, access tests, a
// rename, a delete and a policy of several rules, as far as its server offers them.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HAZARD_CODES } from '../../src/model/codes.ts';
import type { Desired } from '../../src/model/object.ts';
import { isObject, type Json, type JsonObject } from '../../src/model/value.ts';
import { ENROLLED, type Journey } from '../properties/generators/accounts.ts';
import { fileText } from '../properties/generators/fileText.ts';
import { renamed } from '../properties/generators/renamed.ts';
import { SECRET } from '../properties/generators/values.ts';
import { type Ended, meshform } from '../support/cli.ts';
import { appear, appearing } from '../support/servers/appear.ts';
import { offeredKinds, type Server } from '../support/servers/servers.ts';
import { type Story, withEqualAccount } from './observedApply.ts';

/** A saved plan, and what an apply of it starts from. */
export interface DrawnPlan {
  readonly story: Story;
  readonly document: JsonObject;
}

const ENV = {
  [SECRET]: 'a secret',
  PART: 'two',
  WHOLE: 'https://hooks.example.com/services/three',
  MESHFORM_VAR_ROOM: 'four',
};

const DEFAULT = `
  - { name: Default, enabled: false, rules: [{ name: Default, sources: [All], destinations: [All], protocol: all }] }`;
const rule = (name: string, port: number): string =>
  `{ name: ${name}, sources: [own a], destinations: [own b], protocol: tcp, ports: ["${port}"] }`;
const BEFORE = `
groups: [{ name: own a }, { name: own b }, { name: own old }, { name: own gone }]
policies: ${DEFAULT}
  - { name: own policy, rules: [${rule('x', 1)}, ${rule('y', 2)}] }
`;
const AFTER = `
groups: [{ name: own a }, { name: own b }, { name: own new, lifecycle: { was: own old } }]
policies: ${DEFAULT}
  - { name: own policy, rules: [${rule('x', 1)}, ${rule('y', 3)}] }
`;

const channel = (url: string, isEnabled = true): string => `
  - type: webhook
    event_types: [user.join]
    enabled: ${isEnabled}
    target: { url: "${url}", headers: { X-Key: "\${file:key.txt}", Authorization: "Bearer \${env:PART}" } }`;
const ONE = 'https://hooks.example.com/services/one';
const CHANNELS_BEFORE = `notification_channels:${channel(ONE, false)}\n`;
const CHANNELS_AFTER = `notification_channels:${[
  channel('https://hooks.example.com/services/${env:PART}'),
  channel(ONE),
  channel('${env:WHOLE}'),
  channel('https://hooks.example.com/services/${var:ROOM}'),
].join('')}\n`;

const TESTS: readonly JsonObject[] = [
  { name: 'allow', from: 'group/own a', allow: ['group/own b:tcp/1'], with: { os: 'linux' } },
  { name: 'deny', from: 'group/own b', deny: ['group/own a:tcp/1', 'group/own new:udp/9'] },
  { name: 'only from', to: 'group/own b:tcp/3', only_from: ['group/own a'] },
];

const GUARDED = 'group/own b';
const PROJECT = `access_thresholds: { gained: 0, lost: 0 }\nguarded: [${GUARDED}]\n`;

const CODES = Object.keys(HAZARD_CODES);
const OF_ACCESS = [
  'WIDENS_ACCESS',
  'NARROWS_ACCESS',
  'WIDENS_GUARDED_ACCESS',
  'NARROWS_GUARDED_ACCESS',
  'CUTS_GUARDED_ACCESS',
];
const ALLOWED = [...CODES, ...OF_ACCESS.map(code => `${code}=${GUARDED}`)].flatMap(hazard => [
  '--allow',
  hazard,
]);

/** A saved plan for a journey in a folder; null if the server or a guard refuses it, which other laws judge. */
export function drawnPlan(journey: Journey, folder: string): Promise<DrawnPlan | null> {
  const { server, from, random } = journey;
  const to = random.chance(0.4) ? (renamed(from, random, server) ?? journey.to) : journey.to;
  return withEqualAccount({ server }, async (own, controls) => {
    const owner = await controls('GET', '/api/users/current');
    const user = isObject(owner) ? (owner.id ?? '') : '';
    for (const kind of appearing(offeredKinds(server)))
      for (const name of ENROLLED) await appear(controls, kind, name, { user_id: user });
    const run = (...words: string[]): Promise<Ended> =>
      meshform([...words, '--dialect', server.dialect, '--concurrency', '1'], {
        env: { ...own, ...ENV },
        cwd: folder,
      });
    await written(join(folder, 'before'), filesOf(server, from, [BEFORE, CHANNELS_BEFORE]));
    await written(join(folder, 'after'), filesOf(server, to, [AFTER, CHANNELS_AFTER]));
    const kept = ['--secrets-to', 'file:first.jsonl', '--journal', 'first-run.jsonl'];
    const begun = await run('apply', 'before', '--yes', ...ALLOWED, ...kept);
    if (begun.code !== 0) return null;
    const snapshot = await controls('GET', '/emulator/snapshot');
    const plan = ['plan', 'after', '--base', './before', '--prune', 'removed', ...ALLOWED];
    if (!(await hasPassingTests(() => run(...plan, '--format', 'json'), folder))) return null;
    if (random.chance(0.2)) plan.push('--no-tests');
    const saved = await run(...plan, '--out', 'plan.json');
    if (saved.code !== 0) return null;
    const document = JSON.parse(await readFile(join(folder, 'plan.json'), 'utf8')) as JsonObject;
    return { document, story: { server, snapshot, folder, env: ENV } };
  });
}

function filesOf(
  server: Server,
  desired: readonly Desired[],
  [own, channels]: readonly [string, string],
): Readonly<Record<string, string>> {
  const kinds = offeredKinds(server);
  const hasChannels = [...kinds].some(kind => kind === 'notification_channel');
  return {
    'network.yaml': fileText(desired),
    'own.yaml': own,
    'key.txt': 'the key of the channels',
    'meshform.yaml': PROJECT,
    ...(hasChannels && { 'channels.yaml': channels }),
  };
}

async function written(home: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(home, { recursive: true });
  for (const [file, text] of Object.entries(files)) await writeFile(join(home, file), text);
}

/** Writes the access tests that pass. Whether there is a plan with them. */
async function hasPassingTests(planned: () => Promise<Ended>, folder: string): Promise<boolean> {
  const write = (tests: readonly Json[]) =>
    writeFile(join(folder, 'after/tests.yaml'), JSON.stringify({ access_tests: tests }));
  await write(TESTS);
  const { code, stdout } = await planned();
  if (code !== 0 && code !== 6) return false;
  const { tests = [] } = JSON.parse(stdout).meshform.access_tests ?? {};
  const passed = new Set(tests.flatMap((one: JsonObject) => (one.passed ? [one.name] : [])));
  await write(TESTS.filter(({ name }) => passed.has(name)));
  return passed.size > 0;
}

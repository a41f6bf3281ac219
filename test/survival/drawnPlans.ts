// Saved plans of generated accounts, with everything that a plan can hold: secrets of every source, hazards, gates, access tests,
// renames, objects in parts and a base.
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
import { offeredKinds } from '../support/servers/servers.ts';
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

const channel = (path: string, event: string): string => `
  - type: webhook
    event_types: [${event}]
    target: { url: "${path}", headers: { X-Key: "\${file:key.txt}", Authorization: "Bearer \${env:PART}" } }`;
const ONE = 'https://hooks.example.com/services/one';
const CHANNELS_BEFORE = `notification_channels:${channel(ONE, 'user.block')}\n`;
const CHANNELS_AFTER = `notification_channels:${[
  channel('https://hooks.example.com/services/${env:PART}', 'user.join'),
  channel(ONE, 'user.join'),
  channel('${env:WHOLE}', 'user.join'),
  channel('https://hooks.example.com/services/${var:ROOM}', 'user.join'),
].join('')}\n`;

/** A saved plan for a journey in a folder; null if the server or a guard refuses it, which other laws judge. */
export function drawnPlan(journey: Journey, folder: string): Promise<DrawnPlan | null> {
  const { server, from, random } = journey;
  const to = random.chance(0.4) ? (renamed(from, random, server) ?? journey.to) : journey.to;
  return withEqualAccount({ server }, async (own, controls) => {
    const owner = await controls('GET', '/api/users/current');
    const user = isObject(owner) ? (owner.id ?? '') : '';
    for (const name of ENROLLED)
      await controls('POST', '/emulator/peers', { name, groups: [], user_id: user });
    const run = (...words: string[]): Promise<Ended> =>
      meshform([...words, '--dialect', server.dialect, '--concurrency', '1'], {
        env: { ...own, ...ENV },
        cwd: folder,
      });
    const offers = [...offeredKinds(server.edition)].some(kind => kind === 'notification_channel');
    await written(folder, 'before', { desired: from, channels: offers ? CHANNELS_BEFORE : '' });
    await written(folder, 'after', { desired: to, channels: offers ? CHANNELS_AFTER : '' });
    const kept = ['--secrets-to', 'file:first.jsonl', '--journal', 'first-run.jsonl'];
    const begun = await run('apply', 'before', '--yes', ...ALLOWED, ...kept);
    if (begun.code !== 0) return null;
    const snapshot = await controls('GET', '/emulator/snapshot');
    const [group] = groupsOf(to);
    const plan = [
      'plan',
      'after',
      '--base',
      './before',
      '--prune',
      'removed',
      ...allowedFor(group),
    ];
    const tests = await passingTests(() => run(...plan, '--format', 'json'), to, folder);
    if (tests === null) return null;
    if (random.chance(0.2)) plan.push('--no-tests');
    const saved = await run(...plan, '--out', 'plan.json');
    if (saved.code !== 0) return null;
    const document = JSON.parse(await readFile(join(folder, 'plan.json'), 'utf8')) as JsonObject;
    return { document, story: { server, snapshot, folder, env: ENV, flags: [] } };
  });
}

const ALLOWED = Object.keys(HAZARD_CODES).flatMap(code => ['--allow', code]);

const allowedFor = (group: string | undefined): readonly string[] => {
  const guarded = ['WIDENS_ACCESS', 'NARROWS_ACCESS', 'CUTS_GUARDED_ACCESS'];
  return [
    ...ALLOWED,
    ...(group === undefined ? [] : guarded.flatMap(code => ['--allow', `${code}=${group}`])),
  ];
};

/** Groups by the names that selectors have for them. */
const groupsOf = (desired: readonly Desired[]): readonly string[] =>
  desired.flatMap(({ kind, key }) =>
    kind === 'group' ? [`group/${key.replaceAll('/', '\\/')}`] : [],
  );

async function written(
  folder: string,
  name: string,
  { desired, channels }: { readonly desired: readonly Desired[]; readonly channels: string },
): Promise<void> {
  const home = join(folder, name);
  const [guarded] = groupsOf(desired);
  const limits = 'access_thresholds: { gained: 0, lost: 0 }\n';
  const files = {
    'network.yaml': fileText(desired),
    'key.txt': `key of ${name}`,
    'meshform.yaml': `${limits}${guarded === undefined ? '' : `guarded: [${JSON.stringify(guarded)}]\n`}`,
    ...(channels !== '' && { 'channels.yaml': channels }),
  };
  await mkdir(home, { recursive: true });
  for (const [file, text] of Object.entries(files)) await writeFile(join(home, file), text);
}

/** Writes access tests that pass; null if there is no plan. */
async function passingTests(
  planned: () => Promise<Ended>,
  desired: readonly Desired[],
  folder: string,
): Promise<readonly Json[] | null> {
  const groups = groupsOf(desired);
  const all = groups.flatMap((from, i): JsonObject[] => {
    const to = groups[i + 1] ?? from;
    return [
      { name: `deny ${i}`, from, deny: [`${to}:udp/9`, `${from}:tcp/1`], with: { os: 'linux' } },
      { name: `only ${i}`, to: `${to}:tcp/22`, only_from: [from] },
    ];
  });
  const file = join(folder, 'after/tests.yaml');
  if (all.length === 0) return (await planned()).code === 0 ? [] : null;
  await writeFile(file, JSON.stringify({ access_tests: all }));
  const { code, stdout } = await planned();
  if (code !== 0 && code !== 6) return null;
  const { tests } = JSON.parse(stdout).meshform.access_tests;
  const passed = new Set(tests.flatMap((one: JsonObject) => (one.passed ? [one.name] : [])));
  const passing = all.filter(({ name }) => passed.has(name));
  await writeFile(file, passing.length === 0 ? '' : JSON.stringify({ access_tests: passing }));
  return passing;
}

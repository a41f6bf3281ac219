// `tighten` and `access used` over a month of traffic in an account with a thousand rules, which has another state on each day.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { seededRandom } from '../../src/emulator/index.ts';
import type { JsonObject } from '../../src/model/value.ts';
import { collectMonth } from './collectMonth.ts';
import type { Way } from './drawnRecords.ts';
import type { Ground } from './extent.ts';
import type { Figure } from './figures.ts';
import { timed, useOf } from './processes.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/meshform.js', import.meta.url));
const MACHINES = 1_000;
const GROUPS = 200;
const RULES = 1_000;
const WAYS = 20_000;

interface DrawnRule {
  readonly name: string;
  readonly source: number;
  readonly destination: number;
  readonly ports: readonly number[];
}

/** What somebody changes every day: one rule, or so many that nearly every flow is put to a state of its own on each day. */
const CHANGES = [
  { what: 'a rule changes every day', isChanged: (at: number, day: number) => at === day },
  { what: '33 rules change every day', isChanged: (at: number, day: number) => at % 30 === day },
] as const;

type Change = (typeof CHANGES)[number];

/** Measures both commands. */
export async function tightening(ground: Ground): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const change of CHANGES) figures.push(...(await measured(ground, change)));
  return figures;
}

async function measured(
  { folder, extent }: Ground,
  { what, isChanged }: Change,
): Promise<readonly Figure[]> {
  const records = extent.isQuick ? 100_000 : 5_000_000;
  const cwd = mkdtempSync(join(folder, 'tighten-'));
  const rules = drawnRules();
  writeFileSync(join(cwd, 'network.yaml'), filesOf(rules));
  const machines = Array.from({ length: MACHINES }, (_, at) => machineName(at));
  const on = (day: number) => answersOf(rules, at => day > 0 && isChanged(at, day));
  const store = join(cwd, 'traffic');
  await collectMonth(store, { ways: waysOf(rules), records, account: { on, machines } });
  const figures: Figure[] = [];
  for (const words of COMMANDS) {
    const command = { argv: [PROGRAM, ...words, '--store', store, '--format', 'json'], cwd };
    const name = words.join(' ');
    const objects = records;
    const time = { objects, unit: 'ms', target: '≤ 60,000' } as const;
    const elapsed = await timed(command);
    const { memory, processor } = await useOf(command);
    figures.push(
      { ...time, measure: `${name}, 1,000 rules, ${what}`, value: elapsed },
      { ...time, measure: `${name}, ${what}, processor time`, value: processor },
      {
        measure: `${name}, ${what}, peak memory`,
        objects,
        value: memory,
        unit: 'MB',
        target: '≤ 1,000',
      },
    );
  }
  return figures;
}

const COMMANDS = [['tighten'], ['access', 'used']] as const;

const machineName = (at: number): string => `machine-${at}`;

function drawnRules(): readonly DrawnRule[] {
  const random = seededRandom(3);
  const whole = (below: number): number => Math.floor(random() * below);
  return Array.from({ length: RULES }, (_, at) => ({
    name: `p${at}`,
    source: whole(GROUPS),
    destination: whole(GROUPS),
    ports: [1_000 + at, 3_000 + at],
  }));
}

/** The machines of a group: each machine is in four. */
const membersOf = (group: number): readonly number[] =>
  Array.from({ length: 4 * (MACHINES / GROUPS) }, (_, at) => (group * 5 + at * 37) % MACHINES);

// A tenth of the rules is unused, and every second port.
function waysOf(rules: readonly DrawnRule[]): readonly Way[] {
  const random = seededRandom(4);
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const used = rules.slice(0, RULES * 0.9);
  return Array.from({ length: WAYS }, () => {
    const { name, source, destination, ports } = one(used);
    const from = membersOf(source);
    const to = membersOf(destination);
    return { source: one(from), destination: one(to), port: ports[0] ?? 0, policy: name };
  });
}

const groupName = (group: number): string => `g${group}`;

function filesOf(rules: readonly DrawnRule[]): string {
  const groups = Array.from({ length: GROUPS }, (_, at) => `  - { name: ${groupName(at)} }\n`);
  const policies = rules.map(({ name, source, destination, ports }) => {
    const sides = `sources: [${groupName(source)}], destinations: [${groupName(destination)}]`;
    const list = ports.map(port => `"${port}"`).join(', ');
    return `  - { name: ${name}, rules: [{ name: r, protocol: tcp, ports: [${list}], ${sides} }] }\n`;
  });
  return `groups:\n${groups.join('')}policies:\n${policies.join('')}`;
}

// A rule that was changed has one port more.
function answersOf(rules: readonly DrawnRule[], isChanged: (at: number) => boolean): JsonObject {
  const peers = Array.from({ length: MACHINES }, (_, at) => ({
    id: machineName(at),
    name: machineName(at),
    ip: `100.64.${at >> 8}.${at & 255}`,
  }));
  const groups = Array.from({ length: GROUPS }, (_, at) => ({
    id: groupName(at),
    name: groupName(at),
    peers: membersOf(at).map(machine => ({ id: machineName(machine) })),
  }));
  const policies = rules.map(({ name, source, destination, ports }, at) => ({
    id: name,
    name,
    enabled: true,
    source_posture_checks: [],
    rules: [
      {
        id: `${name}-r`,
        name: 'r',
        enabled: true,
        action: 'accept',
        bidirectional: false,
        protocol: 'tcp',
        ports: [...ports, ...(isChanged(at) ? [9] : [])].map(String),
        sources: [{ id: groupName(source) }],
        destinations: [{ id: groupName(destination) }],
      },
    ],
  }));
  return { peers, groups, policies, posture_checks: [], networks: [], routes: [] };
}

// Drawn zones, records and network resources with a name: guards, tests and lines agree on what the name reaches, and so does a
// resolution of its own that follows records, wildcards and short names.
import { expect, test } from 'vitest';
import { checkedSelector } from '../../../src/access/ask/selector.ts';
import { accessChanges } from '../../../src/access/diff/accessChanges.ts';
import { reachesOf } from '../../../src/access/flows/reaches.ts';
import type { Target } from '../../../src/access/flows/targets.ts';
import { movedAccess } from '../../../src/access/gates/movedAccess.ts';
import { rowPool } from '../../../src/access/sets/rowPool.ts';
import { denyFailures } from '../../../src/access/tests/testLines.ts';
import { worldsOf } from '../../../src/access/world/world.ts';
import { type RandomSource, randomSources } from '../../properties/generators/randomSource.ts';
import { type Extent, patience, proof } from '../../support/proof.ts';
import { fc } from '../../support/seeded.ts';
import { recordOf, resourceAt, routeTo, stateWith, zoneOf } from './roads.ts';

const EXTENT: Extent = { slice: 300, full: 5_000 };

/** What may be guarded, with its addresses. An overlay address is the machine that has it. */
const GUARDED = [
  ['peer/admin', ['100.64.0.3', 'fd00::3']],
  ['100.64.0.3', ['100.64.0.3', 'fd00::3']],
  ['100.64.0.2/31:tcp/5432', ['100.64.0.2', '100.64.0.3', 'fd00::2', 'fd00::3']],
  ['network_resource/production/orders-db', ['10.20.0.5']],
  ['10.20.0.5', ['10.20.0.5']],
] as const;

const LABELS = ['x', 'y', 'admin', 'mia'] as const;
const DOMAINS = ['a.test', 'b.test'] as const;
const OF_MACHINES = 'netbird.selfhosted';
const MACHINES: Readonly<Record<string, readonly string[]>> = {
  mia: ['100.64.0.1', 'fd00::1'],
  gateway: ['100.64.0.2', 'fd00::2'],
  admin: ['100.64.0.3', 'fd00::3'],
  ops: ['100.64.0.3', 'fd00::3'],
};

interface DrawnRecord {
  readonly name: string;
  readonly type: string;
  readonly content: string;
}

interface DrawnZone {
  readonly domain: string;
  readonly isSearched: boolean;
  readonly records: readonly DrawnRecord[];
}

function drawnName(random: RandomSource): string {
  const label = random.pick(LABELS);
  const within = random.pick(['', '', '.a', `.${random.pick(DOMAINS)}`, `.${OF_MACHINES}`]);
  return random.pick([`${label}${within}`, `${label.toUpperCase()}${within}`]);
}

function drawnZone(domain: string, random: RandomSource): DrawnZone {
  const labels = [...LABELS, '*', 'x.a', '*.x'].filter(() => random.chance(0.4));
  const records = labels.map((label): DrawnRecord => {
    const name = `${label}.${domain}`;
    if (random.chance(0.6)) return { name, type: 'CNAME', content: drawnName(random) };
    const content = random.pick(['10.20.0.5', '100.64.0.3', '10.9.9.9', 'fd00::3']);
    return { name, type: content.includes(':') ? 'AAAA' : 'A', content };
  });
  return { domain, isSearched: random.chance(0.4), records };
}

/** The addresses that a name may lead to. */
function resolved(start: string, zones: readonly DrawnZone[]): ReadonlySet<string> {
  const names = new Set([start.toLowerCase()]);
  const found = new Set<string>();
  for (const name of names) {
    const machine = name.endsWith(`.${OF_MACHINES}`) ? name.slice(0, -OF_MACHINES.length - 1) : '';
    for (const address of MACHINES[machine] ?? []) found.add(address);
    const isShort = !name.includes('.');
    if (isShort || MACHINES[name]) names.add(`${name}.${OF_MACHINES}`);
    for (const { domain, isSearched, records } of zones) {
      const whole = `${name}.${domain}`;
      if ((isShort && isSearched) || records.some(one => one.name === whole)) names.add(whole);
      for (const { type, content } of answersIn(name, records))
        if (type === 'CNAME') names.add(content.toLowerCase());
        else found.add(content);
    }
  }
  return found;
}

// Each type of address is asked for on its own: the name itself comes before the wildcards above it.
function answersIn(name: string, records: readonly DrawnRecord[]): readonly DrawnRecord[] {
  const parts = name.split('.');
  const asked = [name, ...parts.slice(1).map((_, at) => `*.${parts.slice(at + 1).join('.')}`)];
  return ['A', 'AAAA'].flatMap(type => {
    const answers = asked.map(one =>
      records.filter(own => own.name === one && (own.type === type || own.type === 'CNAME')),
    );
    return answers.find(list => list.length > 0) ?? [];
  });
}

test(
  'guards, tests and lines agree on what a name reaches',
  () => {
    const { count, seed, found } = proof('what a name reaches', EXTENT);
    let opened = 0;
    for (const random of fc.sample(randomSources, { numRuns: count, seed })) {
      const zones = DOMAINS.map(domain => drawnZone(domain, random));
      const name = drawnName(random);
      const isRoute = random.chance(0.3);
      const isNewName = random.chance(0.5);
      const offered = isRoute
        ? { routes: [routeTo({ domains: [name] })] }
        : { resources: [resourceAt('r2', 'copy', name, 'g5')] };
      const all = zones.map(({ domain, isSearched, records }) =>
        zoneOf(
          domain,
          random.pick([undefined, [], ['g1']]),
          records.map(one => recordOf(one.name, one.type, one.content)),
          { enable_search_domain: isSearched },
        ),
      );
      // Either the name is new, or what it leads to.
      const states = isNewName
        ? [stateWith({ zones: all }), stateWith({ zones: all, ...offered })]
        : [stateWith(offered), stateWith({ zones: all, ...offered })];
      const pool = rowPool();
      const [before, after] = worldsOf(states).map(world => reachesOf(world, pool));
      if (before === undefined || after === undefined) throw new Error('two worlds');
      const places = resolved(name, zones);
      const known = isNewName ? new Set<string>() : resolved(name, []);
      const { changes } = accessChanges(before, after, () => []);
      for (const [text, addresses] of GUARDED) {
        const selector = checkedSelector(text);
        const isOpen = addresses.some(one => places.has(one));
        const isOpened = addresses.some(one => places.has(one) && !known.has(one));
        const line = {
          line: 'deny',
          selector,
          text,
          at: { file: '', line: 1, column: 1 },
        } as const;
        const tested = { reaches: after, isAssumed: false, except: { isLeftOut: () => false } };
        const sources = after.world.inGroups(['laptops']);
        const leads = (target: Target) =>
          target.type !== 'machine' &&
          [target.address, ...target.also].some(place =>
            addresses.some(one => one === place.replace(/[/](32|128)$/, '')),
          );
        const said = {
          guard: movedAccess({ before, after }, 'gained', { to: selector }).length > 0,
          test: denyFailures(tested, sources, line).length > 0,
          line: changes.some(({ gains, targets }) => gains && targets.some(leads)),
        };
        const drawn = JSON.stringify({ name, zones, isRoute, isNewName, text });
        // Where a second way to the same machine counts as a gain, the guard and the line agree.
        const gained = isOpened || (isOpen && said.line);
        expect(said, drawn).toEqual({ guard: gained, test: isOpen, line: gained });
        if (isOpened) opened++;
      }
    }
    found(`${count} names: ${opened} of what they lead to is refused and shown, nothing else is`);
  },
  patience(EXTENT, 60),
);

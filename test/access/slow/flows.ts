// The flows of an account, as the slow evaluator has them: which sources have the same traffic to which destinations, and what
// posture checks decide for each of them. A pair at a time; what has the same is joined at the end.
import type { Account } from './account.ts';
import { reaches } from './between.ts';
import type { Someone } from './everyone.ts';
import { BOUNDS, type Bound } from './moved.ts';
import { passes } from './routed.ts';
import { passagesIn, points, portsWorthAsking } from './rows.ts';
import { type Protocol, type Reading, type World, worldOf } from './world.ts';

type Point = readonly [Protocol, number];

/** What some sources have at a destination. */
interface Having {
  readonly traffic: string;
  readonly verdict: 'plain' | 'pass' | 'unknown' | 'fail';
}

/** A text for each flow. Two flows with the same text are the same: parties, traffic, and the verdict on each source. */
export function slowFlows(account: Account, both: readonly Account[]): ReadonlySet<string> {
  const worlds = BOUNDS.map(bound => worldOf(account, bound as Bound & Reading, both));
  const [{ everyone } = { everyone: [] }] = worlds;
  const at = [...points(portsWorthAsking(both))];
  const found = new Map<string, Set<string>>();
  for (const { names, rowOf } of destinationsIn(worlds, at)) {
    const row = everyone.flatMap(source => {
      const having = havingOf(rowOf(source));
      const isItself = source.peer !== null && names.length === 1 && names[0] === source.name;
      return having === undefined || isItself ? [] : [[source.name, having] as const];
    });
    for (const [traffic, some] of Map.groupBy(row, ([, having]) => having.traffic)) {
      const sources = some.map(([name, { verdict }]) => `${name} ${verdict}`).sort();
      const place = names.every(isMember) ? 'members' : names.join();
      const flow = `${place} | ${traffic} | ${sources.join()}`;
      found.set(flow, new Set([...(found.get(flow) ?? []), ...names]));
    }
  }
  return new Set([...found].map(([flow, names]) => `${flow} | ${[...names].sort().join()}`));
}

const isMember = (name: string): boolean => /^(machine|group|setup_key|user) /.test(name);

/** Destinations that the same sources reach alike, with the points that a source may use under each bound. */
interface Destination {
  readonly names: readonly string[];
  readonly rowOf: (source: Someone) => readonly (readonly string[])[];
}

function destinationsIn(worlds: readonly World[], at: readonly Point[]): readonly Destination[] {
  const [{ everyone } = { everyone: [] }] = worlds;
  const open = (isOpen: (world: World, point: Point) => boolean) =>
    worlds.map(world => at.filter(point => isOpen(world, point)).map(point => point.join(' ')));
  // More than one machine may join in the same way, and of several destinations each is a source for the others.
  const members = everyone.map(target => {
    const other = { ...target, name: `another ${target.name}` };
    const row = new Map(
      everyone.map(source => [
        source.name,
        open((world, one) => reaches(world, source, other, one)),
      ]),
    );
    return { name: target.name, row };
  });
  const alike = Map.groupBy(members, ({ row }) => JSON.stringify([...row]));
  const passages = worlds.map(passagesIn);
  const routed = new Set(passages.flat(2).map(({ destination }) => destination));
  return [
    ...[...alike.values()].map(same => ({
      names: same.map(({ name }) => name),
      rowOf: ({ name }: Someone) => same[0]?.row.get(name) ?? [],
    })),
    ...[...routed].map(destination => ({
      names: [destination],
      rowOf: (source: Someone) =>
        open((world, one) =>
          (passages[worlds.indexOf(world)] ?? [])
            .filter(here => here.some(offer => offer.destination === destination))
            .some(here => passes(here, source, one, destination)),
        ),
    })),
  ];
}

// A source that fails the check of one rule keeps what other rules grant it.
function havingOf(allowed: readonly (readonly string[])[]): Having | undefined {
  const [unconditional = '', certain = '', possible = '', granted = ''] = allowed.map(one =>
    one.join(),
  );
  if (granted === '') return undefined;
  const verdictFor = (most: string) => {
    if (certain === most) return 'pass';
    return possible === most ? 'unknown' : 'fail';
  };
  const isPartial = verdictFor(granted) === 'fail' && possible !== '';
  const most = isPartial ? possible : granted;
  const verdict = unconditional === most ? 'plain' : verdictFor(most);
  return { traffic: `${unconditional} of ${most}`, verdict };
}

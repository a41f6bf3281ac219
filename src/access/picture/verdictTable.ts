// The contents of the cells of a matrix. Each distinct content is stored once, and cells refer to
// it by number.
import type { MatrixVerdict } from '../../model/access/accessPicture.ts';
import { lastingId } from '../../model/access/planAccess.ts';
import { checksOf, namedGrants } from '../ask/answerNames.ts';
import { GRANTING, LAYERS, verdictOf, withoutDenied } from '../ask/flows.ts';
import { type Grant, grantsOf } from '../ask/grants.ts';
import { grantObjects } from '../ask/ids.ts';
import type { Reaches } from '../flows/reaches.ts';
import { rowAt, type Target } from '../flows/targets.ts';
import { bitsOf, has } from '../sets/bits.ts';
import { type Row, trafficFrom } from '../sets/row.ts';
import { overlap, type Traffic } from '../sets/traffic.ts';
import { trafficWords } from '../sets/trafficText.ts';

/** Verdicts by number. */
export interface VerdictTable {
  readonly list: readonly MatrixVerdict[];
  readonly numberOf: (verdict: MatrixVerdict) => number;
}

/** A table without verdicts. */
export function verdictTable(): VerdictTable {
  const list: MatrixVerdict[] = [];
  const known = new Map<string, number>();
  return {
    list,
    numberOf: verdict => {
      const text = JSON.stringify(verdict);
      const number = known.get(text) ?? list.push(verdict) - 1;
      known.set(text, number);
      return number;
    },
  };
}

/** Returns the access of a source at `target`; undefined if the source has none. */
export function columnOf(
  reaches: Reaches,
  target: Target,
  table: VerdictTable,
): (source: number) => number | undefined {
  const rows = LAYERS.map(reading => rowAt(reaches.under(reading), target));
  const grants = grantsAt(reaches, target);
  const known = new Map<string, number | undefined>();
  return source => {
    if (!rows.some(row => row.some(({ sources }) => has(sources, source)))) return undefined;
    const granting = grants(source);
    const name = `${rows.map(row => segmentsWith(row, source)).join(';')}|${granting.name}`;
    if (known.has(name)) return known.get(name);
    const allowed = withoutDenied(rows.map(row => trafficFrom(row, source)));
    const verdict = verdictAt(reaches, allowed, granting.of);
    const number = verdict && table.numberOf(verdict);
    known.set(name, number);
    return number;
  };
}

function verdictAt(
  reaches: Reaches,
  allowed: readonly Traffic[],
  grantsFor: Granting['of'],
): MatrixVerdict | undefined {
  const [unconditional = [], , , granted = []] = allowed;
  if (granted.length === 0) return undefined;
  const ports = trafficWords(granted);
  const isCertain = ports.join() === trafficWords(unconditional).join();
  const verdict = isCertain ? 'pass' : verdictOf(allowed);
  const grants = grantsFor(granted, GRANTING[verdict]);
  return {
    status: isCertain ? 'reaches' : verdict,
    ports,
    via: namedGrants(reaches, grants),
    via_ids: grantObjects(grants).map(lastingId),
    checks: isCertain ? [] : checksOf(reaches, grants).toSorted(),
  };
}

interface Granting {
  /** A string that is the same for sources with the same grants. */
  readonly name: string;
  /** Returns the grants for one way to evaluate posture. */
  readonly of: (traffic: Traffic, reading: GrantingReading) => readonly Grant[];
}

type GrantingReading = (typeof GRANTING)[keyof typeof GRANTING];

function grantsAt(reaches: Reaches, target: Target): (source: number) => Granting {
  if (target.type !== 'machine') {
    const deliveries = reaches.under('granted').deliveriesOf(target.id);
    return source => ({
      name: `${deliveries.map(one => Number(has(one.receivers, source))).join('')} ${source}`,
      of: (traffic, reading) =>
        grantsOf(reaches.under(reading), target, { sources: bitsOf([source]), traffic }),
    });
  }
  const inbound = Object.values(GRANTING).map(reading => {
    const all = reaches.under(reading).machines.inboundAt(target.index);
    return { reading, rules: all.filter(({ entry }) => !entry.isDrop) };
  });
  return source => {
    const own = inbound.map(({ reading, rules }) => ({
      reading,
      rules: [...rules.entries()].filter(([, { entry }]) => has(entry.sources, source)),
    }));
    return {
      name: own.map(({ rules }) => rules.map(([at]) => at).join()).join(';'),
      of: (traffic, reading) =>
        own
          .flatMap(one => (one.reading === reading ? one.rules : []))
          .filter(([, { entry }]) => overlap(entry.traffic, traffic))
          .map(([, { compiled, isReverse }]) => ({ compiled, isReverse, routers: [] })),
    };
  };
}

function segmentsWith(row: Row, source: number): string {
  let name = '';
  for (const [at, { sources }] of row.entries()) if (has(sources, source)) name += `${at},`;
  return name;
}

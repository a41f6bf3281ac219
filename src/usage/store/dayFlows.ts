// The flows of one day, and the signs of machines on it. In a file, each column is a separate list:
// equal neighbours compress best, and a column of numbers is parsed fast.
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import { DAY_MS, type Day, type Direction, type Endpoint, type Time } from '../observed.ts';
import type { StatesOfTime } from '../records/statesOfTime.ts';
import { endpointOf, endpointText } from './endpointText.ts';

/** What identifies a flow of a day. */
export interface FlowKey {
  readonly source: Endpoint;
  readonly destination: Endpoint;
  readonly protocol: number;
  readonly port: number | null;
  readonly direction: Direction;
  readonly touched: StatesOfTime | null;
}

/** The counts of a flow on a day. */
export interface FlowSum {
  readonly first: Time;
  readonly last: Time;
  readonly starts: number;
  readonly drops: number;
  readonly reporters: readonly string[];
  readonly policies: readonly string[];
}

/** The signs of machines on a day, as flags that are combined. */
export const SIGN = { connected: 1, reported: 2, userSpace: 4, kernel: 8 } as const;

/** The signs of each machine, by its id. */
export type Signs = ReadonlyMap<string, number>;

const DIRECTIONS: readonly Direction[] = ['in', 'out', 'unknown'];

interface Row {
  readonly key: FlowKey;
  first: Time;
  last: Time;
  starts: number;
  drops: number;
  readonly reporters: Set<string>;
  readonly policies: Set<string>;
}

/** Collects the flows of a day. */
export class DayFlows {
  readonly day: Day;
  readonly #rows = new Map<string, Row>();
  readonly #signs = new Map<string, number>();

  constructor(day: Day) {
    this.day = day;
  }

  get signs(): Signs {
    return this.#signs;
  }

  /** Adds to the counts of a flow. */
  add(key: FlowKey, sum: FlowSum): void {
    const { source, destination, protocol, port, direction, touched } = key;
    const text = `${endpointText(source)}\n${endpointText(destination)}\n${protocol},${port},${direction},${touched?.before},${touched?.after}`;
    const row = this.#rows.get(text);
    if (row === undefined) {
      const reporters = new Set(sum.reporters);
      this.#rows.set(text, { ...sum, key, reporters, policies: new Set(sum.policies) });
      return;
    }
    row.first = Math.min(row.first, sum.first);
    row.last = Math.max(row.last, sum.last);
    row.starts += sum.starts;
    row.drops += sum.drops;
    for (const reporter of sum.reporters) row.reporters.add(reporter);
    for (const policy of sum.policies) row.policies.add(policy);
  }

  /** Adds a sign of a machine. */
  sign(machine: string, sign: number): void {
    this.#signs.set(machine, (this.#signs.get(machine) ?? 0) | sign);
  }

  /** Adds everything in a document, except the traffic of one machine. */
  addAll(document: DayDocument, except?: string): void {
    for (const [machine, sign] of document.signs) if (machine !== except) this.sign(machine, sign);
    for (const { key, sum } of flowsIn(document)) {
      if (except === undefined) this.add(key, sum);
      else if (!isOf(key.source, except) && !isOf(key.destination, except)) {
        const reporters = sum.reporters.filter(reporter => reporter !== except);
        if (reporters.length > 0) this.add(key, { ...sum, reporters });
      }
    }
  }

  /** The flows as a document. */
  document(): DayDocument {
    const names = new Interned<string>(name => name);
    const sets = new Interned<readonly number[]>(set => set.join(' '));
    const setOf = (texts: ReadonlySet<string>) =>
      sets.of([...texts].sort().map(text => names.of(text)));
    const rows = [...this.#rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
    const start = this.day * DAY_MS;
    const seconds = (time: Time) => Math.floor((time - start) / 1000);
    const columns: Record<Column, number[]> = Object.fromEntries(
      COLUMNS.map(column => [column, []]),
    ) as unknown as Record<Column, number[]>;
    for (const { key, ...sum } of rows) {
      columns.source.push(names.of(endpointText(key.source)));
      columns.destination.push(names.of(endpointText(key.destination)));
      columns.protocol.push(key.protocol);
      columns.port.push(key.port ?? -1);
      columns.direction.push(DIRECTIONS.indexOf(key.direction));
      columns.before.push(key.touched?.before ?? -1);
      columns.more.push(key.touched ? key.touched.after - key.touched.before : 0);
      columns.first.push(seconds(sum.first));
      columns.lasted.push(seconds(sum.last) - seconds(sum.first));
      columns.starts.push(sum.starts);
      columns.drops.push(sum.drops);
      columns.reporters.push(setOf(sum.reporters));
      columns.named.push(setOf(sum.policies));
    }
    return { day: this.day, names: names.all, sets: sets.all, columns, signs: this.#signs };
  }
}

const isOf = (end: Endpoint, machine: string): boolean =>
  end.type === 'machine' && end.id === machine;

/** Whether a document has anything about a machine. */
export const isAbout = ({ names, signs }: DayDocument, machine: string): boolean =>
  signs.has(machine) ||
  names.includes(machine) ||
  names.includes(endpointText({ type: 'machine', id: machine }));

class Interned<T> {
  readonly #places = new Map<string, number>();
  readonly all: T[] = [];
  readonly #textOf: (value: T) => string;

  constructor(textOf: (value: T) => string) {
    this.#textOf = textOf;
  }

  of(value: T): number {
    const text = this.#textOf(value);
    const known = this.#places.get(text);
    if (known !== undefined) return known;
    this.#places.set(text, this.all.length);
    return this.all.push(value) - 1;
  }
}

const COLUMNS = [
  'source',
  'destination',
  'protocol',
  'port',
  'direction',
  'before',
  'more',
  'first',
  'lasted',
  'starts',
  'drops',
  'reporters',
  'named',
] as const;

type Column = (typeof COLUMNS)[number];

/** The flows of a day as plain data. */
export interface DayDocument {
  readonly day: Day;
  /** The ends, and the ids of machines and policies; columns contain positions in this list. */
  readonly names: readonly string[];
  /** Reporters and policies, as positions in `names`. */
  readonly sets: readonly (readonly number[])[];
  readonly columns: Readonly<Record<Column, readonly number[]>>;
  readonly signs: Signs;
}

/** The document as JSON. */
export const dayJson = ({ day, names, sets, columns, signs }: DayDocument): JsonObject => ({
  day,
  names,
  sets,
  columns: COLUMNS.map(column => columns[column]),
  signs: Object.fromEntries(signs),
});

/** Reads what `dayJson` returned; null if it is something else. */
export function dayDocument(json: Json | undefined): DayDocument | null {
  if (!isObject(json)) return null;
  const { day, names, sets, columns, signs } = json;
  const isWhole =
    Number.isSafeInteger(day) &&
    isList(names) &&
    names.every(name => typeof name === 'string') &&
    isList(sets) &&
    sets.every(isNumbers) &&
    isList(columns) &&
    columns.length === COLUMNS.length &&
    columns.every(isNumbers) &&
    new Set(columns.map(column => (isList(column) ? column.length : -1))).size === 1 &&
    isObject(signs);
  if (!isWhole) return null;
  const found = COLUMNS.map((column, at) => [column, columns[at]] as const);
  return {
    day,
    names,
    sets,
    columns: Object.fromEntries(found),
    signs: new Map(Object.entries(signs)),
  } as unknown as DayDocument;
}

const isNumbers = (value: Json): boolean =>
  isList(value) && value.every(item => typeof item === 'number');

/** The flows in a document. */
export function* flowsIn(
  document: DayDocument,
): Generator<{ readonly key: FlowKey; readonly sum: FlowSum }> {
  const { day, names, sets, columns } = document;
  const ends = new Map<number, Endpoint>();
  const endAt = (place: number): Endpoint => {
    const known = ends.get(place);
    if (known !== undefined) return known;
    const end = endpointOf(names[place] ?? '') ?? { type: 'address', address: '' };
    ends.set(place, end);
    return end;
  };
  const texts = sets.map(set => set.map(place => names[place] ?? ''));
  for (let row = 0; row < columns.source.length; row++) {
    const of = (column: Column): number => columns[column][row] ?? 0;
    const before = of('before');
    const first = day * DAY_MS + of('first') * 1000;
    const port = of('port');
    yield {
      key: {
        source: endAt(of('source')),
        destination: endAt(of('destination')),
        protocol: of('protocol'),
        port: port < 0 ? null : port,
        direction: DIRECTIONS[of('direction')] ?? 'unknown',
        touched: before < 0 ? null : { before, after: before + of('more') },
      },
      sum: {
        first,
        last: first + of('lasted') * 1000,
        starts: of('starts'),
        drops: of('drops'),
        reporters: texts[of('reporters')] ?? [],
        policies: texts[of('named')] ?? [],
      },
    };
  }
}

// A traffic log that changes while it is read: it rolls over, its records come late, repeat and share pages with others, its number of
// pages is wrong, and some of its pages are empty. It knows from when to when it showed each record.
import type { ReadTransport } from '../../src/api/transport/transport.ts';
import { ApiError } from '../../src/model/errors.ts';
import type { Json, JsonObject } from '../../src/model/value.ts';

type Random = () => number;

const MINUTE = 60_000;

/** A record, and when it is shown. */
export interface ShownRecord {
  readonly port: number;
  readonly start: number;
  readonly arrives: number;
  readonly leaves: number;
  /** When its end is added to it, if it is a flow with events. */
  readonly ends: number | null;
}

/** How a log misbehaves. */
interface Faults {
  readonly pageSize: number;
  readonly pages: number;
  readonly repeats: number;
  readonly blanks: number;
  /** Of a request, that it fails. */
  readonly failing: number;
}

/** A log of so many minutes from a time on. */
export class ChangingLog {
  now: number;
  readonly records: readonly ShownRecord[];
  readonly #faults: Faults;
  readonly #random: Random;
  #requests = 0;
  #pagesRead = 0;

  constructor(from: number, minutes: number, random: Random) {
    this.now = from;
    this.#random = random;
    const whole = (least: number, most: number) =>
      least + Math.floor(random() * (most - least + 1));
    this.#faults = {
      pageSize: whole(2, 30),
      pages: whole(-3, 3),
      repeats: random() < 0.5 ? whole(2, 9) : 0,
      blanks: random() < 0.5 ? whole(2, 9) : 0,
      failing: random() < 0.5 ? 0.05 : 0,
    };
    this.records = recordsFrom(from, minutes, whole, random);
  }

  /** The transport of a client. Everything else of the account is empty. */
  readonly transport: ReadTransport = {
    requests: () => this.#requests,
    get: async path => {
      this.#requests += 1;
      this.now += Math.floor(this.#random() * 300);
      if (this.#random() < this.#faults.failing) throw failed(path);
      const url = new URL(path, 'http://localhost');
      return url.pathname.endsWith('/network-traffic') ? this.#page(url) : [];
    },
  };

  #page({ searchParams }: URL): Json {
    const { pageSize, pages, repeats, blanks } = this.#faults;
    const since = Date.parse(searchParams.get('start_date') ?? '1970-01-01T00:00:00Z');
    const page = Number(searchParams.get('page'));
    const shown = this.records
      .filter(
        ({ start, arrives, leaves }) => arrives <= this.now && leaves > this.now && start >= since,
      )
      .sort((a, b) => b.start - a.start || b.port - a.port);
    this.#pagesRead += 1;
    const isBlank = blanks > 0 && this.#pagesRead % blanks === 0;
    const rows = isBlank ? [] : shown.slice((page - 1) * pageSize, page * pageSize);
    const data = rows.flatMap((record, at) => {
      const body = this.#body(record);
      return repeats > 0 && at % repeats === 0 ? [body, body] : [body];
    });
    return {
      data,
      page,
      page_size: pageSize,
      total_records: shown.length,
      total_pages: Math.max(0, Math.ceil(shown.length / pageSize) + pages),
    };
  }

  #body({ port, start, ends }: ShownRecord): JsonObject {
    const time = (at: number) => new Date(at).toISOString();
    const common = {
      flow_id: `f${port}`,
      reporter_id: 'm1',
      source: { id: 'm1', type: 'PEER', address: '100.64.0.1:0' },
      destination: { id: 'm2', type: 'PEER', address: `100.64.0.2:${port}` },
      protocol: 6,
      direction: 'EGRESS',
    };
    if (ends === null)
      return {
        ...common,
        id: `r${port}`,
        window_start: time(start),
        window_end: time(start + MINUTE),
        num_of_starts: 1,
        num_of_ends: 1,
        num_of_drops: 0,
      };
    const events = [
      { type: 'TYPE_START', timestamp: time(start) },
      ...(ends <= this.now ? [{ type: 'TYPE_END', timestamp: time(ends) }] : []),
    ];
    return { ...common, events };
  }
}

// A record leaves when as many came after it as the log has room for, or when it is too old.
function recordsFrom(
  from: number,
  minutes: number,
  whole: (least: number, most: number) => number,
  random: Random,
): readonly ShownRecord[] {
  const room = whole(5, 150);
  const kept = whole(5, 120) * MINUTE;
  const perMinute = whole(0, 15);
  const late = random() < 0.7 ? 10 * MINUTE : 0;
  const count = perMinute * minutes;
  const drawn = Array.from({ length: count }, (_, at) => {
    const start = from + whole(-20 * MINUTE, minutes * MINUTE);
    const ends = random() < 0.5 ? start + whole(0, 30 * MINUTE) : null;
    return { port: at + 1, start, arrives: start + whole(0, late), ends };
  });
  const inOrder = drawn.sort((a, b) => a.arrives - b.arrives);
  return inOrder.map((record, at) => ({
    ...record,
    leaves: Math.min(
      record.arrives + kept,
      inOrder[at + room]?.arrives ?? Number.POSITIVE_INFINITY,
    ),
  }));
}

function failed(path: string): ApiError {
  return new ApiError({
    code: 'API_NETWORK',
    request: { method: 'GET', path },
    message: `GET ${path} was reset`,
    retryable: true,
    mayHaveHappened: false,
  });
}

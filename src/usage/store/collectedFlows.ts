// The flows of many days. A flow occurs once for each list of states. There may be a million flows,
// so equal parts share one object.
import type { Day, Endpoint, ObservedFlow, Time } from '../observed.ts';
import type { FlowKey, FlowSum } from './dayFlows.ts';
import { endpointText } from './endpointText.ts';
import { FewDays } from './fewDays.ts';

interface CollectedFlow extends ObservedFlow {
  first: Time;
  last: Time;
  readonly days: FewDays;
  reporters: readonly string[];
  policies: readonly string[];
}

/** Collects flows. */
export class CollectedFlows {
  readonly all: CollectedFlow[] = [];
  /** Flows by the index of their pair of ends and the index of the other values that distinguish them. */
  readonly #flows = new Map<number, CollectedFlow>();
  readonly #ends = new Numbered<Endpoint>();
  /** The numbers of ends: a document has one object for each end. */
  readonly #endNumbers = new WeakMap<Endpoint, number>();
  readonly #pairs = new Map<number, number>();
  readonly #kinds = new Numbered<readonly number[]>();

  /** Adds the counts of a flow on a day. */
  add(
    key: FlowKey,
    sum: FlowSum,
    of: { readonly day: Day; readonly states: readonly number[] },
  ): void {
    const { source, destination, protocol, port, direction } = key;
    const kind = this.#kinds.of(`${protocol} ${port} ${direction} ${of.states.join()}`, of.states);
    const number = this.#pairOf(source, destination) * MOST + kind;
    const known = this.#flows.get(number);
    if (known === undefined) {
      const { first, last, reporters, policies } = sum;
      const flow = {
        source: this.#endOf(source),
        destination: this.#endOf(destination),
        protocol,
        port,
        direction,
        first,
        last,
        days: new FewDays(of.day, sum),
        reporters,
        states: this.#kinds.at(kind) ?? of.states,
        policies,
      };
      this.#flows.set(number, flow);
      this.all.push(flow);
      return;
    }
    known.first = Math.min(known.first, sum.first);
    known.last = Math.max(known.last, sum.last);
    known.days.add(of.day, sum);
    known.reporters = withAll(known.reporters, sum.reporters);
    known.policies = withAll(known.policies, sum.policies);
  }

  #pairOf(source: Endpoint, destination: Endpoint): number {
    const name = this.#numberOf(source) * MOST + this.#numberOf(destination);
    const number = this.#pairs.get(name) ?? this.#pairs.size;
    this.#pairs.set(name, number);
    return number;
  }

  #endOf(end: Endpoint): Endpoint {
    return this.#ends.at(this.#numberOf(end)) ?? end;
  }

  #numberOf(end: Endpoint): number {
    const number = this.#endNumbers.get(end) ?? this.#ends.of(endpointText(end), end);
    this.#endNumbers.set(end, number);
    return number;
  }
}

/** Two numbers below this fit into one safe integer. */
const MOST = 2 ** 26;

/** Values by their texts, with a number for each. */
class Numbered<T> {
  readonly #numbers = new Map<string, number>();
  readonly #all: T[] = [];

  of(text: string, one: T): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#all.length);
    return this.#all.push(one) - 1;
  }

  at(number: number): T | undefined {
    return this.#all[number];
  }
}

function withAll(list: readonly string[], more: readonly string[]): readonly string[] {
  if (list === more || more.every(text => list.includes(text))) return list;
  return [...new Set([...list, ...more])];
}

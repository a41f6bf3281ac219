// Sends deliveries, one after another for each target, with retries up to a limit. Pending deliveries are in the store, so that
// they are sent after a restart.

import type { Clock, Schedule } from '../environment.ts';
import type { DeliveryRecord } from '../records/account.ts';
import { openAccount, openInstallation } from '../store/account.ts';
import type { Rows, Store } from '../store/store.ts';
import { SECOND, timestamp, timestampAfter } from '../time/times.ts';
import { isLoopback, type Sender } from './post.ts';

export interface Postman {
  /** Wakes the postman, because there may be deliveries to send. */
  wake(): void;
  /** Stops the postman; running deliveries are aborted. */
  stop(): void;
}

export interface PostmanOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly schedule: Schedule;
  readonly send: Sender;
  /** Whether deliveries may leave this machine. */
  readonly isFree: boolean;
  readonly onFault: (error: unknown) => void;
}

/** The maximum number of attempts of a delivery, and the longest pause between two attempts. */
const TRIES = 8;
const LONGEST = 60 * SECOND;

/** A postman that sends nothing until it is woken. */
export const newPostman = (options: PostmanOptions): Postman => new Rounds(options);

/** Rounds in which the postman sends what is due. */
class Rounds implements Postman {
  readonly #options: PostmanOptions;
  readonly #broken = new AbortController();
  /** Targets with a running delivery. */
  readonly #busy = new Set<string>();
  #callOff = () => {};

  constructor(options: PostmanOptions) {
    this.#options = options;
  }

  wake(): void {
    try {
      if (!this.#broken.signal.aborted) this.#round();
    } catch (error) {
      this.#options.onFault(error);
    }
  }

  stop(): void {
    this.#broken.abort();
    this.#callOff();
  }

  #round(): void {
    this.#callOff();
    const { store, clock, schedule, isFree } = this.#options;
    const now = timestamp(clock);
    const waiting = store.transaction(rows => {
      if (!isFree) withhold(rows, clock);
      return heads(openInstallation(rows).deliveries.all());
    });
    const free = waiting.filter(delivery => !this.#busy.has(targetOf(delivery)));
    for (const delivery of free) if (delivery.due <= now) this.#carry(delivery);
    const later = free.map(({ due }) => due).filter(due => due > now);
    const [next] = later.toSorted();
    if (next === undefined) return;
    this.#callOff = schedule(Date.parse(next) - clock().getTime(), () => this.wake());
  }

  #carry(delivery: DeliveryRecord): void {
    const { send, onFault } = this.#options;
    this.#busy.add(targetOf(delivery));
    isAccepted(delivery, send, this.#broken.signal)
      .catch(() => false)
      .then(hasArrived => this.#settle(delivery, hasArrived))
      .catch(onFault);
  }

  #settle(delivery: DeliveryRecord, hasArrived: boolean): void {
    const { store, clock } = this.#options;
    this.#busy.delete(targetOf(delivery));
    if (this.#broken.signal.aborted) return;
    store.transaction(rows => close(rows, delivery, { hasArrived, clock }));
    this.#round();
  }
}

/** Sends a delivery. Resolves to whether its target accepted it. */
async function isAccepted(
  { url, id, body, headers: own }: DeliveryRecord,
  send: Sender,
  signal: AbortSignal,
): Promise<boolean> {
  const headers = { 'Content-Type': 'application/json', 'X-Delivery-Id': id, ...own };
  const status = await send({ url, headers, body }, signal);
  return status >= 200 && status < 300;
}

function targetOf({ account, to }: DeliveryRecord): string {
  return `${account} ${to}`;
}

/** The first delivery for each target; later deliveries wait for it. */
function heads(all: readonly DeliveryRecord[]): readonly DeliveryRecord[] {
  const first = new Map<string, DeliveryRecord>();
  for (const one of all) if (!first.has(targetOf(one))) first.set(targetOf(one), one);
  return [...first.values()];
}

/** Moves deliveries that must not leave this machine to the outbox, where a control can read them. */
function withhold(rows: Rows, clock: Clock): void {
  for (const one of openInstallation(rows).deliveries.all())
    if (!isLoopback(one.url)) putAway(rows, one, 'withheld', clock);
}

function close(
  rows: Rows,
  delivery: DeliveryRecord,
  { hasArrived, clock }: { readonly hasArrived: boolean; readonly clock: Clock },
): void {
  const { deliveries } = openInstallation(rows);
  // If a snapshot or a reset removed the delivery in the meantime, it is dropped.
  if (deliveries.get(delivery.id) === undefined) return;
  const attempts = delivery.attempts + 1;
  if (hasArrived) deliveries.remove(delivery.id);
  else if (attempts >= TRIES) putAway(rows, delivery, 'given up', clock);
  else {
    const pause = Math.min(LONGEST, SECOND * 2 ** (attempts - 1));
    deliveries.put({ ...delivery, attempts, due: timestampAfter(clock, pause) });
  }
}

function putAway(
  rows: Rows,
  { id, account, url, body }: DeliveryRecord,
  kind: 'withheld' | 'given up',
  clock: Clock,
): void {
  openInstallation(rows).deliveries.remove(id);
  const letter = { id, kind, at: timestamp(clock), to: [url], subject: '', text: body };
  openAccount(rows, account).outbox.put(letter);
}

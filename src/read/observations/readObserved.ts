// Reads the observed traffic of a window from a store, even while the store is being written.
import type { Day, Observed, Span } from '../../usage/observed.ts';
import { dayOf } from '../../usage/observed.ts';
import type { DayDocument } from '../../usage/store/dayFlows.ts';
import { journalled } from '../../usage/store/journalled.ts';
import type { Manifest } from '../../usage/store/manifest.ts';
import { firstState, observedIn, oldestIn } from '../../usage/store/observedIn.ts';
import { unprovenJournal } from '../../usage/store/unproven.ts';
import {
  existingManifest,
  MissingFile,
  readDay,
  readJournal,
  readStates,
  unprovenStore,
  writableByAll,
} from './storeFolder.ts';

/** The traffic in a store for a window, and the manifest of the store. */
export interface ReadStore {
  readonly observed: Observed;
  readonly manifest: Manifest;
  /** The files that every user of the machine can write; `.` for the folder. */
  readonly writable: readonly string[];
}

/**
 * The maximum number of attempts. A compaction takes only moments, so if files are still missing after that many attempts, they
 * were lost.
 */
const ATTEMPTS = 5;

/** The window to read. */
export interface AskedWindow extends Span {
  /** Limits the window to this duration before the last observation, in milliseconds; the whole window if absent. */
  readonly since?: number;
}

/** Reads the traffic of a window. Throws a `StoreFault` if there is no store, or if it is damaged. */
export async function readObserved(folder: string, asked: AskedWindow): Promise<ReadStore> {
  for (let attempt = 1; ; attempt++) {
    const manifest = await existingManifest(folder);
    try {
      const observed = await observedOf(folder, manifest, asked);
      return { observed, manifest, writable: await writableByAll(folder, manifest) };
    } catch (error) {
      if (!(error instanceof MissingFile) || attempt >= ATTEMPTS) throw error;
    }
  }
}

async function observedOf(
  folder: string,
  manifest: Manifest,
  { since, ...window }: AskedWindow,
): Promise<Observed> {
  const { observations } = await readJournal(folder, manifest);
  const states = await readStates(folder, manifest);
  if (unprovenJournal(manifest, states, observations) !== null) throw unprovenStore();
  const { forgotten } = manifest;
  const stored = { ...journalled(manifest, states, observations), forgotten };
  const end = Math.min(stored.window?.to ?? window.to, window.to);
  const asked = since === undefined ? window : { ...window, from: end - since };
  const isAsked = (day: Day) => day >= dayOf(asked.from) && day <= dayOf(asked.to);
  // Yields one day at a time, because all days together would need more memory than the result.
  async function* documents(): AsyncGenerator<DayDocument> {
    yield* observations.flatMap(({ days }) => days).filter(({ day }) => isAsked(day));
    for (const { day, flows } of manifest.days) if (isAsked(day)) yield readDay(folder, flows);
  }
  let began = firstState(stored, asked) ?? Number.POSITIVE_INFINITY;
  if (began === Number.POSITIVE_INFINITY)
    for await (const document of documents()) began = Math.min(began, oldestIn(document, asked));
  const collected = observedIn(stored, asked, began);
  for await (const document of documents()) collected.add(document);
  return collected.observed();
}

// A store → the observed traffic of a window, also while it is written.
import type { Observed, Span } from '../../usage/observed.ts';
import { dayOf } from '../../usage/observed.ts';
import type { DayDocument } from '../../usage/store/dayFlows.ts';
import { journalled } from '../../usage/store/journalled.ts';
import type { Manifest } from '../../usage/store/manifest.ts';
import { observedIn } from '../../usage/store/observedIn.ts';
import {
  MissingFile,
  readDay,
  readJournal,
  readManifest,
  readStates,
  StoreFault,
} from './storeFolder.ts';

/** What a store has of a window. */
export interface ReadStore {
  readonly observed: Observed;
  readonly manifest: Manifest;
}

/** A compaction takes moments: more attempts than this mean that files are missing. */
const ATTEMPTS = 5;

/** Reads the traffic of a window. Throws a `StoreFault` if there is no store, or if it is damaged. */
export async function readObserved(folder: string, asked: Span): Promise<ReadStore> {
  for (let attempt = 1; ; attempt++) {
    const manifest = await readManifest(folder);
    if (manifest === null)
      throw new StoreFault('it has no observations', 'collect some with `meshform observe`');
    try {
      return { observed: await observedOf(folder, manifest, asked), manifest };
    } catch (error) {
      if (!(error instanceof MissingFile) || attempt >= ATTEMPTS) throw error;
    }
  }
}

async function observedOf(folder: string, manifest: Manifest, asked: Span): Promise<Observed> {
  const { looks } = await readJournal(folder, manifest);
  const states = await readStates(folder, manifest);
  const documents: DayDocument[] = looks.flatMap(({ days }) => days);
  for (const { day, flows } of manifest.days)
    if (day >= dayOf(asked.from) && day <= dayOf(asked.to))
      documents.push(await readDay(folder, flows));
  return observedIn({ ...journalled(manifest, states, looks), days: documents }, asked);
}

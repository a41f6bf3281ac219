// The folders of `scenarios`.
import { readdirSync } from 'node:fs';

export const SCENARIOS = new URL('../../scenarios/', import.meta.url);

/** The names of the scenarios. */
export const SCENARIO_NAMES: readonly string[] = readdirSync(SCENARIOS).sort();

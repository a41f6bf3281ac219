// The folders of `scenarios`, and the plan documents among their expected files.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { JsonObject } from '../../../src/model/value.ts';
import { formsOf } from './planForms.ts';

export const SCENARIOS = new URL('../../scenarios/', import.meta.url);

/** The names of the scenarios. */
export const SCENARIO_NAMES: readonly string[] = readdirSync(SCENARIOS).sort();

/** Where the plan document of a story is, if it has one. */
export const goldenOf = (story: string): URL => new URL(`${story}/plan.json`, SCENARIOS);

/** The scenarios that have a plan document, and the forms that it shows. */
export function goldenForms(): ReadonlyMap<string, ReadonlySet<string>> {
  const kept = SCENARIO_NAMES.filter(story => existsSync(goldenOf(story)));
  return new Map(
    kept.map(story => [story, formsOf(JSON.parse(readFileSync(goldenOf(story), 'utf8')))]),
  );
}

let shown: ReadonlySet<string> | undefined;

/** The forms of a document that no golden document shows. */
export function formsNobodyShows(document: JsonObject): readonly string[] {
  shown ??= new Set([...goldenForms().values()].flatMap(forms => [...forms]));
  return [...formsOf(document).difference(shown)];
}

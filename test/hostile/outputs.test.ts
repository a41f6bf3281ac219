// Hostile names in every place that a name can have go through every verb in every format: no output has a character that
// a terminal obeys or nobody sees, no line is a command of a pipeline, JSON and YAML give back the exact names, and the
// structure of documents is the one that harmless names have.
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { DIALECTS, type Dialect } from '../../src/kinds/traits.ts';
import { present } from '../../src/model/errors.ts';
import { isList, isObject, type Json, type JsonObject } from '../../src/model/value.ts';
import { inFolder } from '../support/cli.ts';
import { hostileText } from '../support/hostile.ts';
import { type Extent, patience, proof } from '../support/proof.ts';
import { fc } from '../support/seeded.ts';
import { type Disguise, disguiseOf, PLAINLY, textsIn } from './disguise.ts';
import { fixtureFor, NAMES } from './fixture.ts';
import { mistakes } from './mistakes.ts';
import { REFUSALS, type Refusal, rowsOf } from './server.ts';
import { BY_HAND, type Story, story } from './story.ts';
import {
  graphSkeleton,
  htmlSkeleton,
  markdownSkeleton,
  textSkeleton,
  xmlSkeleton,
} from './verdict.ts';

const EXTENT: Extent = { slice: 1, full: 40 };
const ALL_NAMES: ReadonlySet<string> = new Set([...NAMES, ...BY_HAND, 'nobody']);

interface Told extends Story {
  readonly looked: number;
}

/** The story under a disguise, and how many outputs and files were looked at; nothing is wrong with any of them. */
function reported(
  disguise: Disguise,
  dialect: Dialect,
  wrong: readonly string[],
  refusals: readonly Refusal[],
  codes?: ReadonlyMap<string, number>,
): Promise<Told> {
  return inFolder(async home => {
    const fixture = await fixtureFor(home, disguise, ALL_NAMES, dialect);
    try {
      const heard = await story(fixture, disguise.on, refusals, codes);
      for (const text of wrong) await mistakes(fixture, text);
      expect((await fixture.faults()).slice(0, 10)).toEqual([]);
      return { ...heard, looked: fixture.looked() };
    } finally {
      await fixture.account.close();
    }
  });
}

const output = ({ ended }: Story, label: string): string => ended.get(label)?.stdout ?? label;
const json = (one: Story, label: string): JsonObject => JSON.parse(output(one, label));

/** What a document of a plan or of drift says of objects. */
function sidesOf(document: JsonObject): Json {
  return ['resource_changes', 'resource_drift'].flatMap(list => {
    const changes = document[list];
    return (isList(changes) ? changes : []).flatMap(entry => {
      const change = isObject(entry) ? entry.change : undefined;
      return isObject(change) ? [change.before ?? null, change.after ?? null] : [];
    });
  });
}

const codesOf = ({ ended }: Story): ReadonlyMap<string, number> =>
  new Map([...ended].map(([label, { code }]) => [label, code]));

const isOneName = (text: string): boolean => !/^\$\{|\//.test(text);

function compare(hostile: Story, plain: Story, disguise: Disguise): void {
  for (const label of ['plan', 'show', 'prune', 'drift']) {
    const skeletons = (of: (text: string) => unknown, format: string) =>
      expect(of(output(hostile, `${label} ${format}`)), label).toEqual(
        of(output(plain, `${label} ${format}`)),
      );
    skeletons(markdownSkeleton, 'markdown');
    skeletons(markdownSkeleton, 'comment');
    skeletons(textSkeleton, 'text');
    const texts = (one: Story, how: Disguise) =>
      textsIn(sidesOf(json(one, `${label} json`)), ALL_NAMES, how);
    expect(texts(hostile, PLAINLY), label).toEqual(texts(plain, disguise));
  }
  for (const label of ['page', 'page of a plan', 'graph svg'])
    expect(htmlSkeleton(output(hostile, label)), label).toEqual(htmlSkeleton(output(plain, label)));
  for (const label of ['graph mermaid', 'graph dot'])
    expect(graphSkeleton(output(hostile, label)), label).toEqual(
      graphSkeleton(output(plain, label)),
    );
  const xml = xmlSkeleton(output(hostile, 'drift junit'));
  expect(xml).not.toBeNull();
  expect(xml).toEqual(xmlSkeleton(output(plain, 'drift junit')));
  for (const [operation, answer] of hostile.answered)
    expect(JSON.parse(output(hostile, `${operation} json`)), operation).toEqual(rowsOf(answer));
  for (const label of ['events audit jsonl', 'apply jsonl'])
    for (const line of output(hostile, label).trimEnd().split('\n')) JSON.parse(line);
  for (const label of ['apply json', 'validate json', 'adopt json']) json(hostile, label);
  // What a variable is called follows from a name, and a path of names is a list where one of them has a slash.
  const exported = (one: Story, how: Disguise) =>
    new Set(textsIn(parse(output(one, 'export')), ALL_NAMES, how).filter(isOneName));
  expect(exported(hostile, PLAINLY)).toEqual(exported(plain, disguise));
  expect(output(hostile, 'export plan')).toMatch(/^No changes\.$/m);
}

test('no name of an object forges a part of an output', {
  timeout: patience(EXTENT, 180_000),
}, async () => {
  const { count, seed, found } = proof('hostile names through every output', EXTENT);
  const plain = new Map<Dialect, Told>();
  const cases = fc.sample(
    fc.tuple(
      fc.array(hostileText, { minLength: 30, maxLength: 60 }),
      fc.array(hostileText, { minLength: 1, maxLength: 1 }),
    ),
    { numRuns: count, seed },
  );
  let looked = 0;
  for (const [i, [texts, wrong]] of cases.entries()) {
    const dialect = DIALECTS[i % DIALECTS.length] ?? 'spec';
    const harmless = plain.get(dialect) ?? (await reported(PLAINLY, dialect, [], []));
    plain.set(dialect, harmless);
    const disguise = disguiseOf(ALL_NAMES, texts);
    const refusals = [0, 1].map(n => present(REFUSALS[(2 * i + n) % REFUSALS.length], 'a refusal'));
    const hostile = await reported(disguise, dialect, wrong, refusals, codesOf(harmless));
    compare(hostile, harmless, disguise);
    looked += hostile.looked;
  }
  found(
    `${looked} outputs and files held, and JSON, YAML, Markdown, XML, HTML and graphs with them`,
  );
});

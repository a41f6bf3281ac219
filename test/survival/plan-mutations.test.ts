// A saved plan that somebody changed in one place: it is refused, or an apply of it does, says, asks and reads the same.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openPlan } from '../../src/apply/preconditions/openPlan.ts';
import { isRefusal } from '../../src/apply/refusal.ts';
import { isObject, type JsonObject } from '../../src/model/value.ts';
import { journeys } from '../properties/generators/accounts.ts';
import { inFolder } from '../support/cli.ts';
import { KINDS } from '../support/files.ts';
import { patience, proof } from '../support/proof.ts';
import { SERVERS, type Server } from '../support/servers/servers.ts';
import { type DrawnPlan, drawnPlan } from './drawnPlans.ts';
import { mutations } from './mutations.ts';
import { observedApply } from './observedApply.ts';

const PLANS = { slice: 3, full: 40 };
/** A slice reads one mutation in so many, besides those of places, and applies so many of those that are accepted. */
const SAMPLE = { read: 71, applied: 3 };

/** The servers of the cloud, which offer everything, come first: a slice has these. */
const SERVERS_IN_TURN = SERVERS.toSorted(
  (one, other) => Number(other.edition === 'cloud') - Number(one.edition === 'cloud'),
);
const generated = (server: Server) =>
  journeys(server).filter(({ from, to }) => from.length > 0 && to.length > 0);

test(
  'a change of any one value of a saved plan is refused, or changes nothing that an apply does',
  async () => {
    const { count, seed, found } = proof('mutations of saved plans', PLANS);
    const isWhole = count > PLANS.slice;
    const figures = { plans: 0, refused: 0, applied: 0, unplanned: 0 };
    const features = new Map<string, number>();
    const drawn = fc.sample(fc.tuple(...SERVERS_IN_TURN.map(generated)), { numRuns: count, seed });
    for (const journey of drawn.flat()) {
      if (figures.plans === count) break;
      await inFolder(async folder => {
        const plan = await drawnPlan(journey, folder);
        if (plan === null) {
          figures.unplanned += 1;
          return;
        }
        figures.plans += 1;
        for (const feature of featuresOf(plan.document))
          features.set(feature, (features.get(feature) ?? 0) + 1);
        const about = `seed ${seed}: ${fc.stringify(journey)}`;
        const { refused, applied } = await mutated(plan, { about, isWhole });
        figures.refused += refused;
        figures.applied += applied;
      });
    }
    expect(figures.plans).toBe(count);
    expect(figures.applied).toBeGreaterThan(0);
    expect([...features.keys()].sort()).toEqual(FEATURES.map(([name]) => name).sort());
    const held = [...features].sort().map(([name, number]) => `${number} with ${name}`);
    found(
      `${figures.refused} changed documents were refused, ${figures.applied} were applied like the unchanged one; of the plans ${held.join(', ')}; ${figures.unplanned} journeys had no plan`,
    );
  },
  patience(PLANS, 180_000),
);

/** Tries the mutations of one plan: each by itself, and all other values that are read together in one document. */
async function mutated(
  { document, story }: DrawnPlan,
  { about, isWhole }: { readonly about: string; readonly isWhole: boolean },
): Promise<{ readonly refused: number; readonly applied: number }> {
  const expected = await observedApply(story, document);
  expect([0, 4], `${about}\n${expected.stdout}\n${expected.stderr}`).toContain(expected.code);
  const tried = [...mutations(document)].filter(
    (mutation, i) => isWhole || PLACES.test(mutation.about) || i % SAMPLE.read === 0,
  );
  const read = tried.filter(({ of }) => isRead(of(document)));
  const singly = read.filter(
    (_, i) => isWhole || i % Math.ceil(read.length / SAMPLE.applied) === 0,
  );
  const together = read.filter(({ isOtherValue }) => isOtherValue);
  const documents = [
    ['all other values', together.reduce((whole, { of }) => of(whole), document)] as const,
    ...singly.map(one => [one.about, one.of(document)] as const),
  ];
  for (const [what, changed] of documents)
    expect(await observedApply(story, changed), `${what}; ${about}`).toEqual(expected);
  return { refused: tried.length - read.length, applied: documents.length };
}

const isRead = (document: JsonObject): boolean =>
  !isRefusal(openPlan(JSON.stringify(document), { file: 'plan.json', kinds: KINDS }));

/** Mutations of what is known to be outside of the digest are never left out. */
const PLACES = /meshform\.origins|\bat$|\.at\b/;

const own = ({ meshform }: JsonObject): JsonObject => (isObject(meshform) ? meshform : {});
const texts = (document: JsonObject): string => JSON.stringify(own(document));

/** What a plan can hold that decides an apply. */
const FEATURES: readonly (readonly [string, (document: JsonObject) => boolean])[] = [
  ['a base', document => own(document).base !== undefined || texts(document).includes('"since"')],
  ['access guards', document => own(document).access_guards !== undefined],
  ['access tests', document => own(document).access_tests !== undefined],
  ['deletes', document => texts(document).includes('"verb":"delete"')],
  ['hazards', document => /"hazards":\[\{/.test(texts(document))],
  ['parts', document => texts(document).includes('"part_of"')],
  ['renames', document => texts(document).includes('"was"')],
  ['secrets in files', document => own(document).secret_sources !== undefined],
  ['secrets of variables', document => texts(document).includes('${env:')],
  ['updates', document => texts(document).includes('"verb":"update"')],
];

const featuresOf = (document: JsonObject): readonly string[] =>
  FEATURES.flatMap(([name, has]) => (has(document) ? [name] : []));

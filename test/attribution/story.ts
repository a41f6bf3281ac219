// A story: what people and runs of meshform do to the policies of an account, with the log that a server writes of it, and
// who set what, kept beside it. A write sends the whole object, as the API's PUT does.
import fc from 'fast-check';
import type { AuditEntry } from '../../src/model/audit/entry.ts';

const PEOPLE = ['ada', 'bob', 'cyd', 'ci'] as const;
type Person = (typeof PEOPLE)[number];
/** Whose events are of runs of meshform. */
export const OWN: Person = 'ci';
export const FIELDS = ['description', 'enabled'] as const;
type Field = (typeof FIELDS)[number];
const NAMES = ['p1', 'p2', 'p3'] as const;

export type Step =
  | { readonly type: 'add'; readonly name: string; readonly value: number }
  | { readonly type: 'delete' | 'again'; readonly name: string; readonly value: number }
  | { readonly type: 'rename'; readonly name: string; readonly to: string }
  | { readonly type: 'edit'; readonly name: string; readonly field: Field; readonly value: number };

/** A policy, and who gave each field its present value, by the step's number. */
export interface Held {
  readonly id: string;
  name: string;
  readonly values: Record<Field, number>;
  readonly setBy: Record<Field, Person>;
  /** Who made it be called as it is, and when our own runs wrote it last. */
  named: Person;
  ownAt: number;
  /** Who wrote it since the last write of our own. */
  since: Person[];
  readonly changedAt: Record<Field, number>;
}

export interface Story {
  readonly held: readonly Held[];
  readonly entries: readonly AuditEntry[];
  /** By name that is gone, who took it away last. */
  readonly goneBy: ReadonlyMap<string, Person>;
}

const person = fc.constantFrom(...PEOPLE);
const name = fc.constantFrom(...NAMES);
const value = fc.integer({ min: 0, max: 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constant('add' as const), name, value }),
  fc.record({ type: fc.constantFrom('delete' as const, 'again' as const), name, value }),
  fc.record({ type: fc.constant('rename' as const), name, to: name }),
  fc.record({ type: fc.constant('edit' as const), name, field: fc.constantFrom(...FIELDS), value }),
);

/** Steps, each with who takes it. */
export const steps = fc.array(fc.tuple(person, step), { minLength: 1, maxLength: 12 });

/** Tells a story of an account in which a run of meshform made `p1` and `p2`. */
export function storyOf(taken: readonly (readonly [Person, Step])[]): Story {
  const story: Open = { held: [], entries: [], goneBy: new Map() };
  for (const one of ['p1', 'p2']) add(story, OWN, one, 0);
  for (const [who, what] of taken) take(story, who, what);
  return story;
}

interface Open extends Story {
  readonly held: Held[];
  readonly entries: AuditEntry[];
  readonly goneBy: Map<string, Person>;
}

function take(story: Open, who: Person, what: Step): void {
  const found = story.held.find(one => one.name === what.name);
  if (what.type === 'add') {
    if (!found) add(story, who, what.name, what.value);
  } else if (found && what.type === 'rename') {
    if (!story.held.some(one => one.name === what.to)) rename(story, who, found, what.to);
  } else if (found && what.type === 'edit') edit(story, who, found, what.field, what.value);
  else if (found) {
    remove(story, who, found);
    if (what.type === 'again') add(story, who, what.name, 'value' in what ? what.value : 0);
  }
}

function add(story: Open, who: Person, called: string, given: number): void {
  const at = story.entries.length;
  story.held.push({
    id: `id${at}`,
    name: called,
    named: who,
    ownAt: who === OWN ? at : -1,
    since: who === OWN ? [] : [who],
    values: { description: given, enabled: given },
    setBy: { description: who, enabled: who },
    changedAt: { description: at, enabled: at },
  });
  log(story, 'policy.add', who, `id${at}`, called);
}

function remove(story: Open, who: Person, found: Held): void {
  story.held.splice(story.held.indexOf(found), 1);
  story.goneBy.set(found.name, who);
  log(story, 'policy.delete', who, found.id, found.name);
}

function rename(story: Open, who: Person, found: Held, to: string): void {
  story.goneBy.set(found.name, who);
  found.name = to;
  found.named = who;
  written(story, who, found);
}

function edit(story: Open, who: Person, found: Held, field: Field, given: number): void {
  if (found.values[field] !== given) {
    found.values[field] = given;
    found.setBy[field] = who;
    found.changedAt[field] = story.entries.length;
  }
  written(story, who, found);
}

function written(story: Open, who: Person, found: Held): void {
  if (who === OWN) found.ownAt = story.entries.length;
  found.since = who === OWN ? [] : [...found.since, who];
  log(story, 'policy.update', who, found.id, found.name);
}

function log(story: Open, code: string, who: Person, target: string, called: string): void {
  const at = story.entries.length;
  story.entries.push({
    id: String(at),
    moment: BigInt(at) * 1_000_000_000n,
    time: `T${at}`,
    code,
    target,
    by: { id: who, name: who, email: '' },
    meta: { name: called },
  });
}

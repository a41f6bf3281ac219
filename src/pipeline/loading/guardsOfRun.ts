// The guards that count in a run: the guards of its files, of its bases, and of other folders of
// the account.

import { guardsElsewhere, type IsReadable } from '../../base/guards/guardsElsewhere.ts';
import { joinedGuards } from '../../base/guards/joined.ts';
import { strictestGuards } from '../../base/guards/recordedGuards.ts';
import type { AccessTest } from '../../model/access/accessTest.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Guards, GuardsElsewhere } from '../../model/guards.ts';
import type { OtherFolder } from '../../model/otherFolder.ts';
import type { RecordedGuards } from '../../model/recordedBase.ts';
import type { Bases } from '../../read/git/loadBases.ts';
import { guardsOf } from '../../source/project/guardsOf.ts';
import type { ReadProject } from '../../source/project/project.ts';

/** The guards of a folder, both as they are in the files and as they were in the last apply. */
export interface GuardsOfRun {
  /** The guards of the project files, and the access tests. */
  readonly declared: Guards;
  /** The guards of the last apply, from the bases; absent without a base. */
  readonly applied: Guards | undefined;
  /** The stricter of the guards in the files and in the recorded base, if that base has guards. */
  readonly strictest: RecordedGuards | undefined;
}

/** The guards of a folder, from its project files, its access tests, and its bases. */
export function guardsOfRun(
  { project, places }: ReadProject,
  accessTests: readonly AccessTest[],
  bases: Pick<Bases, 'guards' | 'recordedGuards'>,
): GuardsOfRun {
  const declared = guardsOf(project, accessTests, places);
  const applied = joinedGuards(bases.guards);
  const strictest = bases.recordedGuards && strictestGuards(bases.recordedGuards, declared);
  return { declared, applied, strictest };
}

/** Errors for selectors in guards that cannot be parsed. */
export async function unreadableSelectors({
  declared,
  applied,
}: GuardsOfRun): Promise<readonly Diagnostic[]> {
  const own = await selectorFindings(declared);
  return [...own, ...ofBase(applied ? await selectorFindings(applied) : [])];
}

async function selectorFindings({ accessTests, guarded }: Guards): Promise<readonly Diagnostic[]> {
  if (accessTests.length + guarded.length === 0) return [];
  const { writtenFindings } = await import('../../access/gates/guardSelectors.ts');
  return writtenFindings(accessTests, guarded);
}

const ofBase = (found: readonly Diagnostic[]): readonly Diagnostic[] =>
  found.map(one => ({ ...one, code: 'BASE_INVALID', message: `the base: ${one.message}` }));

/** The guards of other folders of the account. */
export interface OtherGuards {
  /** The guards that count in this run; undefined if there are none. */
  readonly elsewhere: GuardsElsewhere | undefined;
  /** Returns whether a guard of another folder can be parsed. */
  readonly isReadable: IsReadable;
}

/** The guards of other folders that can be parsed. */
export async function guardsOfOthers(others: readonly OtherFolder[]): Promise<OtherGuards> {
  const isReadable = await readableGuards(others);
  return { elsewhere: guardsElsewhere(others, isReadable), isReadable };
}

// If there are no other folders, the code for access is not loaded.
async function readableGuards(others: readonly OtherFolder[]): Promise<IsReadable> {
  const isSome = others.some(({ guards = [] }) =>
    guards.some(({ guarded, accessTests }) => guarded.length + accessTests.length > 0),
  );
  if (!isSome) return () => true;
  const { writtenFindings } = await import('../../access/gates/guardSelectors.ts');
  return ({ guarded = [], accessTests = [] }) => writtenFindings(accessTests, guarded).length === 0;
}

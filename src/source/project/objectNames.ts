// The object names of the project file: converts every form of an address to `kind/key`, and finds names without a kind.
import type { KindTable } from '../../kinds/kind.ts';
import { kindNamedIn } from '../../kinds/lookup.ts';
import { ACCESS_HAZARDS } from '../../model/access/accessGates.ts';
import { allowance, allowanceText } from '../../model/allowance.ts';
import type { Acknowledgement } from '../../model/change.ts';
import {
  canonicalFieldName,
  canonicalName,
  type KindNamed,
  kindWord,
  objectNamed,
} from '../../model/objectName.ts';
import type { Path } from '../../model/value.ts';
import { named } from '../sentenceWords.ts';

/** The entries of a project file that name objects. */
interface Naming {
  readonly allow?: readonly string[];
  readonly protect?: readonly string[];
  readonly acknowledge?: readonly Acknowledgement[];
}

/** The project with every object as `kind/key`. */
export function withNames<T extends Naming>(project: T, kinds: KindTable): T {
  const kindNamed = kindNamedIn(kinds);
  const { allow, protect, acknowledge } = project;
  return {
    ...project,
    ...(allow && { allow: allow.map(text => allowed(text, kindNamed)) }),
    ...(protect && { protect: protect.map(text => canonicalName(text, kindNamed)) }),
    ...(acknowledge && {
      acknowledge: acknowledge.map(entry => ({
        ...entry,
        object: canonicalFieldName(entry.object, kindNamed),
      })),
    }),
  };
}

// A hazard of access names a target instead of an object, so its text stays as it is.
function allowed(text: string, kindNamed: KindNamed): string {
  const found = allowance(text);
  if (found?.object === undefined || ACCESS_HAZARDS.some(code => code === found.code)) return text;
  return allowanceText({ ...found, object: canonicalName(found.object, kindNamed) });
}

/** A name that does not begin with a kind. */
export interface NameOfNoKind {
  readonly path: Path;
  /** The word that stands in place of a kind. */
  readonly word: string;
  /** The beginning of a sentence about it. */
  readonly what: string;
}

/** Every entry of `protect` and `acknowledge` that does not begin with a kind. */
export function namesOfNoKind(
  { protect = [], acknowledge = [] }: Naming,
  kinds: KindTable,
): readonly NameOfNoKind[] {
  const kindNamed = kindNamedIn(kinds);
  const entries = [
    ...protect.map((text, i) => {
      const path = ['protect', String(i)];
      return { text, path, what: named(path) };
    }),
    ...acknowledge.map(({ object }, i) => {
      const path = ['acknowledge', String(i), 'object'];
      return { text: object, path, what: '`object`' };
    }),
  ];
  return entries.flatMap(({ text, ...entry }) =>
    objectNamed(text, kindNamed) === null && canonicalFieldName(text, kindNamed) === text
      ? [{ ...entry, word: kindWord(text) }]
      : [],
  );
}

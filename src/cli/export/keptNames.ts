// Finds the places that still use the former name of a renamed object after an export: declarations that it leaves out, access
// tests, and guards.
import { selectorOf } from '../../access/ask/selector.ts';
import { type Comparison, declaredOf } from '../../export/adoption/compare.ts';
import { formerRefs, type Renamed } from '../../export/adoption/renamed.ts';
import type { Exported } from '../../export/model.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { type Diagnostic, type Span, spanText } from '../../model/diagnostic.ts';
import { type Guards, placeName } from '../../model/guards.ts';
import { addressOf } from '../../model/key.ts';
import { type Address, type Key, kindName } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import { objectNamed } from '../../model/objectName.ts';
import { quoted } from '../../model/text/visible.ts';
import type { DesiredState } from '../../pipeline/loading/desiredState.ts';

/** A place that keeps the former name of an object. */
export interface KeptName {
  readonly finding: Diagnostic;
  /**
   * Whether the place is a declaration that would refer to a different object, because that object
   * has the name now.
   */
  readonly isOther: boolean;
}

/**
 * The places in the files that keep the former names of renamed objects. `objects`: all objects
 * that the export writes, including nested objects.
 */
export function keptNames(
  { desired, guards }: Pick<DesiredState, 'desired' | 'guards'>,
  { objects, live }: { readonly objects: readonly Exported[]; readonly live: readonly Live[] },
  { declared, renamed }: Pick<Comparison, 'declared' | 'renamed'>,
  kinds: KindTable,
): readonly KeptName[] {
  if (renamed.size === 0) return [];
  const written = new Set(
    objects.flatMap(object => {
      const own = declaredOf(object, declared);
      return own ? [spanText(own.at)] : [];
    }),
  );
  const refs = desired
    .filter(({ at }) => !written.has(spanText(at)))
    .flatMap(object => formerRefs(object, renamed, kinds));
  const taken = new Set(live.map(({ kind, key }) => addressOf(kind, key)));
  // People edit guards and tests by hand. An export cannot detect whether they have already adapted
  // a name.
  const guarded = [
    ...selectorsIn(guards).flatMap(({ text, at }) => ofSelector(text, at, renamed)),
    ...guards.protect.flatMap(name => ofProtected(name, guards, { renamed, kinds })),
  ];
  return [
    ...refs.map(({ address, now, at }) => ({
      finding: finding(address, now, at),
      isOther: taken.has(address),
    })),
    ...guarded.map(one => ({ finding: one, isOther: false })),
  ];
}

interface PlacedText {
  readonly text: string;
  readonly at: Span | undefined;
}

function selectorsIn({ accessTests, guarded }: Guards): readonly PlacedText[] {
  const tested = accessTests.flatMap(({ from, to, allow, deny, onlyFrom, except }) =>
    [from ?? [], to ?? [], allow, deny, onlyFrom, except].flat(),
  );
  const guards = guarded.flatMap(({ from, to, at }) =>
    [from ?? [], to].flat().map(text => ({ text, at })),
  );
  return [...tested, ...guards];
}

function ofSelector(text: string, at: Span | undefined, renamed: Renamed): readonly Diagnostic[] {
  const selector = selectorOf(text);
  if ('fault' in selector) return [];
  const address = addressOf(kindName(selector.type), selector.name as Key);
  const now = renamed.get(address);
  return now === undefined ? [] : [finding(address, now, at)];
}

function ofProtected(
  name: string,
  { places }: Pick<Guards, 'places'>,
  { renamed, kinds }: { readonly renamed: Renamed; readonly kinds: KindTable },
): readonly Diagnostic[] {
  const named = objectNamed(name, word => kinds.get(kindName(word)));
  if (named === null) return [];
  const address = addressOf(named.kind, named.key);
  const now = renamed.get(address);
  return now === undefined ? [] : [finding(address, now, places.get(placeName('protect', name)))];
}

const finding = (address: Address, now: Key, at: Span | undefined): Diagnostic => ({
  code: 'OBJECT_STUCK',
  severity: 'warning',
  message: `this names ${address}, which somebody renamed to ${quoted(now)}; the file is not changed`,
  hint: 'write the new name here by hand',
  ...(at && { at }),
});

// Findings about selectors that match nothing: one for each missing object, however often it is
// named.
import { byPosition } from '../../model/byPosition.ts';
import type { DiagnosticCode } from '../../model/codes.ts';
import { type Diagnostic, type Span, spanText } from '../../model/diagnostic.ts';
import { quoted } from '../../model/text/visible.ts';
import { checkedSelector } from '../ask/selector.ts';

/** A selector that matches nothing, with the place that contains it. */
export interface Unmatched {
  /** The selector as written, with its ports. */
  readonly text: string;
  readonly role: 'source' | 'destination';
  readonly code: DiagnosticCode;
  readonly at?: Span | undefined;
  /** The list that contains it, such as `guarded`. */
  readonly listName?: string;
  /** What happened to the object, in words that follow its name. */
  readonly lost?: string;
}

/** The name of an object in a selector, without its ports. */
export const namedIn = (text: string): string => checkedSelector(text).text;

/**
 * A finding for each missing object, at the first place that names it. It also lists the other
 * places.
 */
export function unmatchedFindings(unmatched: readonly Unmatched[]): readonly Diagnostic[] {
  const missing = Map.groupBy(unmatched.toSorted(inOrder), ({ text }) => namedIn(text));
  return [...missing].flatMap(([name, [first, ...others]]): Diagnostic[] => {
    if (first === undefined) return [];
    const { text, role, code, at, listName, lost } = first;
    const what = quoted(others.length === 0 ? text : name);
    const where = listName === undefined ? '' : ` under ${quoted(listName)}`;
    const places = [...new Set(others.flatMap(one => (one.at ? spanText(one.at) : [])))];
    const also = places.length === 0 ? '' : `; also named at ${places.join(', ')}`;
    return [
      {
        code,
        severity: 'error',
        ...(at && { at }),
        message:
          lost === undefined
            ? `${what}${where} matches nothing that can be a ${role}${also}`
            : `${what}${where} cannot be judged: it ${lost}${also}`,
        hint:
          lost === undefined
            ? 'declare it, or correct the name'
            : 'name the object that is meant, by its present name or as `id:<id>`, or remove the entry',
      },
    ];
  });
}

const inOrder = (one: Unmatched, other: Unmatched): number =>
  Number(one.listName === undefined) - Number(other.listName === undefined) ||
  byPosition(one.at, other.at);

// Fills the values of entries into texts.
import type { Diagnostic, Span } from '../../model/diagnostic.ts';
import { addAll } from '../../model/text/longLists.ts';
import { isList, type Json, type Path } from '../../model/value.ts';
import type { SourceNode } from '../yaml/node.ts';
import type { From } from '../yaml/origin.ts';
import { listParts, type Tree } from '../yaml/tree.ts';
import {
  inPieces,
  inSecret,
  malformed,
  noScope,
  notScalar,
  noValue,
  open,
  tooMuchText,
} from './eachFaults.ts';
import {
  asText,
  type EachReference,
  filledPieces,
  insideSecret,
  type LookedUp,
  lookUp,
  type ReferenceScope,
  splitSecret,
  wholeReference,
} from './eachText.ts';
import { MOST_CHARACTERS } from './expansionLimits.ts';
import { LIFECYCLE } from './readTemplates.ts';

/** The document and the entries with which texts are filled in. */
export interface Here extends ReferenceScope {
  /** The document before anything in it is repeated. Paths start at it. */
  readonly root: SourceNode;
  readonly diagnostics: Diagnostic[];
  readonly run: FilledTexts;
}

/** The texts that a run has filled in so far. */
export interface FilledTexts {
  /** The number of their characters. */
  characters: number;
}

/** The position of a value, with the keys of the entries for which it is repeated. */
export function spanAt({ root, scopes }: Here, path: Path, isKey = false): Span {
  const span = isKey ? root.keyAt(path) : root.at(path);
  if (scopes.size === 0) return span;
  const instances = [...scopes.values()].map(({ key }) => key);
  return { ...span, use: { places: span.use?.places ?? [], instances } };
}

/** A text with its references filled in; undefined if it counts as not written. */
export function filledText(tree: Tree, path: Path, here: Here): Tree | undefined {
  const text = String(tree.value);
  const secret = insideSecret(text, here.scopes);
  if (secret !== undefined) return unfilled(tree, inSecret(secret, spanAt(here, path)), here);
  const whole = wholeReference(text, here);
  return whole && !isEarlierText(whole, here)
    ? wholeText(tree, path, whole, here)
    : partialText(tree, path, here);
}

// In an earlier revision, a text that earlier versions of meshform did not treat as a reference
// stays text, so that the revision can still be a base.
const isEarlierText = ({ wasText }: EachReference, { isEarlier }: Here): boolean =>
  isEarlier && wasText === true;

/** A key with its references filled in; undefined if it cannot be filled in. */
export function filledKey(key: string, path: Path, here: Here): string | undefined {
  const { value, faults } = inText(key, path, here, true);
  addAll(here.diagnostics, faults.slice(0, 1));
  return faults.length > 0 ? undefined : value;
}

// The value keeps its own position, because a person must change it there.
function wholeText(tree: Tree, path: Path, reference: EachReference, here: Here): Tree | undefined {
  const looked = lookUp(reference, here.scopes);
  const { fallback } = reference;
  const isNothing = !('tree' in looked) ? looked.fault === 'no-value' : looked.tree.value === '';
  // As with variables, a default also replaces an empty value.
  if (isNothing && fallback !== undefined) return defaultOf(tree, fallback);
  if ('tree' in looked) return takenOver(tree, path, looked, here);
  if (isNothing && isFormerName(path)) return undefined;
  return unfilled(tree, faultOf(looked, reference, spanAt(here, path), here), here);
}

function takenOver(
  tree: Tree,
  path: Path,
  { tree: value, from }: Extract<LookedUp, { tree: Tree }>,
  { root }: Here,
): Tree {
  const { origin } = root.written(path);
  const placed: From = {
    ...from,
    role: 'each',
    asked: { origin, offset: tree.offset },
    keyPlace: { origin, offset: tree.keyOffset ?? tree.offset },
    ...(tree.from && { replacedOrigin: tree.from }),
  };
  return { ...value, from: placed };
}

function partialText(tree: Tree, path: Path, here: Here): Tree | undefined {
  const { value, faults, isMissing, isFilled } = inText(String(tree.value), path, here, false);
  if (isMissing && isFormerName(path)) return undefined;
  const [first] = faults;
  if (first) return unfilled(tree, first, here);
  if (value === tree.value) return tree;
  return { ...textOf(tree, value), ...(isFilled && { isFilled }) };
}

function inText(text: string, path: Path, here: Here, isKey: boolean) {
  const faults: Diagnostic[] = [];
  let isMissing = false;
  let isFilled = false;
  const { run } = here;
  run.characters += text.length;
  const pieces = filledPieces(text, here, reference => {
    // A run with too much text is refused as a whole, so its texts are not needed.
    if (run.characters > MOST_CHARACTERS) return '';
    if (isEarlierText(reference, here)) return reference.text;
    const looked = lookUp(reference, here.scopes);
    const found = 'tree' in looked ? asText(looked.tree) : '';
    isFilled = true;
    if ('tree' in looked && found === undefined)
      faults.push(notScalar(reference, looked.tree.value, spanAt(here, path, isKey)));
    const { fallback } = reference;
    const filled = 'tree' in looked && found ? found : fallback;
    run.characters += filled?.length ?? 0;
    if (filled !== undefined) return filled;
    if ('tree' in looked) return found ?? '';
    isMissing ||= looked.fault === 'no-value';
    faults.push(faultOf(looked, reference, spanAt(here, path, isKey), here));
    return '';
  });
  const split = here.isEarlier ? undefined : splitSecret(pieces);
  if (split !== undefined) faults.push(inPieces(split, spanAt(here, path, isKey)));
  const value = pieces.join('');
  if (run.characters > MOST_CHARACTERS && run.characters !== Number.POSITIVE_INFINITY) {
    here.diagnostics.push(tooMuchText(spanAt(here, path, isKey)));
    run.characters = Number.POSITIVE_INFINITY;
  }
  return { value, faults, isMissing, isFilled };
}

function faultOf(
  { fault }: Extract<LookedUp, { fault: string }>,
  reference: EachReference,
  at: Span,
  { scopes }: Here,
): Diagnostic {
  if (fault === 'open') return open(reference, at, scopes);
  if (fault === 'no-scope') return noScope(reference, at, scopes);
  return fault === 'malformed' ? malformed(reference, at) : noValue(reference, at, scopes);
}

// A former name that an entry does not have counts as not written. Otherwise entries that were never renamed would need one too.
const isFormerName = (path: Path): boolean =>
  path.at(-1) === FORMER_NAME && path.at(-2) === LIFECYCLE;

const FORMER_NAME = 'was';

// A default is text, or a number, a boolean or a list in JSON. All of its parts have the position of the reference.
function defaultOf(tree: Tree, text: string): Tree {
  const own = textOf(tree, text);
  const isTyped = /^(?:true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?|\[.*\])$/s.test(text);
  const value = isTyped ? parsed(text) : text;
  if (!isList(value)) return { ...own, value };
  const items = value.map(item => ({ value: item, offset: tree.offset, size: 1 }));
  return { ...own, ...listParts(items) };
}

// A list of lists or of mappings is not a valid default.
function parsed(text: string): Json {
  try {
    const value: Json = JSON.parse(text);
    return isList(value) && value.some(item => typeof item === 'object') ? text : value;
  } catch {
    return text;
  }
}

function textOf({ written: _, ...tree }: Tree, value: string): Tree {
  return { ...tree, value };
}

function unfilled(tree: Tree, fault: Diagnostic, { diagnostics }: Here): Tree {
  diagnostics.push(fault);
  return { ...tree, value: null, isBroken: true };
}

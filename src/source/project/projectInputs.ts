// External values in the project file are errors. The file decides which account may be written and by which rules, so
// only its own text may decide that.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { pointer } from '../../model/text/pointer.ts';
import { quoted } from '../../model/text/visible.ts';
import { isList, isObject, type Json, type Path } from '../../model/value.ts';
import { brief } from '../sentenceWords.ts';
import { inputError } from '../values/externalInputs.ts';
import { hasReference, isVariableName, type Reference } from '../values/reference.ts';
import { insteadOf } from '../values/variables.ts';
import type { SourceNode } from '../yaml/node.ts';

/** The key with which earlier versions allowed variables and files in ordinary fields. */
export const FORMER_INPUTS = 'inputs';

/** The places where the project file uses an external value, as JSON pointers, each with an error. */
export function outsideFindings(document: SourceNode): ReadonlyMap<string, Diagnostic> {
  const message = 'the project file cannot use variables';
  return new Map(
    textsIn(document.value, [])
      .filter(([text]) => hasReference(text))
      .map(([, path]) => [
        pointer(path),
        inputError('PROJECT_INVALID', message, document.at(path), hintFor(path)),
      ]),
  );
}

const hintFor = ([key]: Path): string =>
  key === 'url' ? 'remove it, and set MESHFORM_URL or --url' : 'write the value itself';

/** The errors for the list of inputs of earlier versions: one for each entry, with its replacement. */
export function formerInputs(document: SourceNode): Diagnostic[] {
  const { value } = document;
  if (!isObject(value) || !(FORMER_INPUTS in value)) return [];
  const code = 'PROJECT_INVALID';
  const message = `${quoted(FORMER_INPUTS)} is no longer read: ordinary fields accept \${var:NAME} without it`;
  const entries = value[FORMER_INPUTS];
  const replaced = (isList(entries) ? entries : []).flatMap((entry, i) =>
    typeof entry === 'string' && isInput(entry) ? [{ reference: inputOf(entry), i }] : [],
  );
  if (replaced.length === 0)
    return [inputError(code, message, document.keyAt([FORMER_INPUTS]), 'remove it')];
  return replaced.map(({ reference, i }) => {
    const at = document.at([FORMER_INPUTS, String(i)]);
    const hint = `${insteadOf(reference)} instead of \${${reference.source}:${brief(reference.name)}}; then remove ${quoted(FORMER_INPUTS)}`;
    return inputError(code, message, at, hint);
  });
}

// Whether an entry is a variable or the path of a file. Any other text was not an input, and messages do not repeat it.
const isInput = (entry: string): boolean =>
  /^[\w./-]{1,100}$/.test(entry) && !/^MESHFORM_/i.test(entry);

/** The reference with which an ordinary field used a former input. */
export function inputOf(entry: string): Reference {
  return { source: isVariableName(entry) ? 'env' : 'file', name: entry };
}

function textsIn(value: Json, path: Path): (readonly [text: string, path: Path])[] {
  if (typeof value === 'string') return [[value, path]];
  const parts = isList(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  return parts.flatMap(([key, part]) => textsIn(part, [...path, String(key)]));
}

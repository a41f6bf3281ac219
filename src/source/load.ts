// Loads files in steps: text, documents, objects with external values, checked desired objects.
// Reports all faults at once.
import type { KindTable } from '../kinds/kind.ts';
import { shippedSchema } from '../kinds/registry.ts';
import type { AccessTest } from '../model/access/accessTest.ts';
import { sortedAndDistinct } from '../model/byPosition.ts';
import { type Diagnostic, hasErrors, spanText } from '../model/diagnostic.ts';
import type { Desired } from '../model/object.ts';
import { addAll } from '../model/text/longLists.ts';
import type { JsonObject } from '../model/value.ts';
import { endFindings, endsBetween } from './endings/endFindings.ts';
import { withoutEnds } from './endings/memberEnds.ts';
import { knownFiles } from './knownFiles.ts';
import { keptGuards } from './layers/keptGuards.ts';
import { layering } from './layers/layered.ts';
import { namedTwice, testReader, testsOf } from './objects/accessTests.ts';
import { withBoundKeys } from './objects/boundById.ts';
import { declareObject, nameFindings, nameless, providedFindings } from './objects/declare.ts';
import type { Declared } from './objects/declared.ts';
import { duplicateFindings } from './objects/duplicateFindings.ts';
import { fillExternalValues } from './objects/externalValues.ts';
import { withoutMarked } from './objects/leftoverMarks.ts';
import { lifecycleFindings } from './objects/lifecycleFindings.ts';
import { type EmptyList, type Located, locator } from './objects/locate.ts';
import { withMirrored } from './objects/mirroredFacts.ts';
import { type ObjectCheck, objectCheck } from './objects/objectCheck.ts';
import { referenceFindings } from './objects/referenceFindings.ts';
import { type Rendered, type RenderedObject, render } from './rendered/render.ts';
import { expander } from './templates/expand.ts';
import type { Inputs } from './values/externalInputs.ts';
import { withNumberedKeys } from './values/numberedKeys.ts';
import { type Documents, parseDocuments, type SourceText } from './yaml/document.ts';
import type { SourceNode } from './yaml/node.ts';

/** Reads desired-state files. It holds the compiled schemas and is created once. */
export interface SourceReader {
  read(sources: readonly SourceText[], inputs: Inputs, options?: ReadOptions): Loaded;
}

/** How files are read. */
interface ReadOptions {
  /** Whether warnings are errors. */
  readonly strict?: boolean;
  /** Whether to render all declarations as one text too. */
  readonly isRendered?: boolean;
  /** Whether a layer is missing, so that an object may change an object that is not in the files. */
  readonly isPartial?: boolean;
  /** Parses a file. By default each file is parsed again. */
  readonly parse?: (source: SourceText) => Documents;
}

/** The declarations of files and their faults, ordered by place. If there is an error, `desired` must not be used. */
export interface Loaded {
  readonly desired: readonly Desired[];
  readonly accessTests: readonly AccessTest[];
  readonly emptyLists: readonly EmptyList[];
  readonly diagnostics: readonly Diagnostic[];
  /** The rendered text; absent if it was not requested. */
  readonly rendered?: Rendered;
}

const known = new WeakMap<KindTable, SourceReader>();

/** The reader for files that declare these kinds; compiled once for each table of kinds. */
export function readerOf(kinds: KindTable): SourceReader {
  const reader = known.get(kinds) ?? sourceReader(kinds, shippedSchema('lifecycle.schema.json'));
  known.set(kinds, reader);
  return reader;
}

/** A reader for files that declare `kinds`. */
export function sourceReader(kinds: KindTable, lifecycle: JsonObject): SourceReader {
  const stages: Stages = {
    kinds,
    expand: expander(kinds),
    layered: layering(kinds, lifecycle),
    unguardedBy: keptGuards(kinds),
    locate: locator(kinds),
    check: objectCheck(kinds, lifecycle),
    readTests: testReader(),
    known: knownFiles<ReadFile>(),
  };
  return {
    read: (sources, inputs, options = {}) => load(stages, { ...options, sources, inputs }),
  };
}

/** The stages of reading, compiled for a table of kinds. */
interface Stages {
  readonly kinds: KindTable;
  readonly expand: ReturnType<typeof expander>;
  readonly layered: ReturnType<typeof layering>;
  readonly unguardedBy: ReturnType<typeof keptGuards>;
  readonly locate: ReturnType<typeof locator>;
  readonly check: ObjectCheck;
  readonly readTests: ReturnType<typeof testReader>;
  readonly known: ReturnType<typeof knownFiles<ReadFile>>;
}

/** The files to read, and how. */
interface Reading extends ReadOptions {
  readonly sources: readonly SourceText[];
  readonly inputs: Inputs;
}

function load(stages: Stages, reading: Reading): Loaded {
  const { kinds } = stages;
  const { sources, inputs, strict = false, isRendered = false, isPartial = false } = reading;
  const joined = joinedFiles(stages, reading);
  const files = joined.files.map((file, i) =>
    isAlwaysTheSame(sources[i])
      ? stages.known(file, inputs, () => readFile(stages, file, inputs))
      : readFile(stages, file, inputs),
  );
  const diagnostics = [joined, ...files].flatMap(one => one.diagnostics);
  addAll(diagnostics, testsNamedTwice(files, reading));
  const isWhole = joined.isWhole && files.every(one => one.isWhole);
  const declared = withNumberedKeys(withBoundKeys(files.flatMap(one => one.declared)));
  addAll(diagnostics, declared.flatMap(nameFindings));
  addAll(diagnostics, declared.flatMap(providedFindings));
  addAll(diagnostics, duplicateFindings(declared, inputs));
  pushUnreported(diagnostics, endsBetween(declared));
  const mirrored = withMirrored(declared, kinds);
  // An object that seems undeclared may be in the file that could not be read.
  if (isWhole) pushUnreported(diagnostics, mirrored.diagnostics);
  pushUnreported(diagnostics, referenceFindings(declared, kinds, { strict, isWhole }));
  if (declared.length === 0 && !isPartial && !hasErrors(diagnostics))
    addAll(diagnostics, empty(sources));
  return {
    desired: mirrored.desired,
    accessTests: files.flatMap(one => one.accessTests),
    emptyLists: files.flatMap(one => one.emptyLists),
    diagnostics: sortedAndDistinct(diagnostics),
    ...(isRendered && { rendered: rendered(joined.files, files, kinds) }),
  };
}

/** The documents of a file, after templates, sets and layers are resolved. */
interface JoinedFile {
  readonly documents: readonly SourceNode[];
  /** The faults of its YAML. */
  readonly diagnostics: readonly Diagnostic[];
  readonly isCut: boolean;
  /** Whether some objects of the file may be unknown. */
  readonly isUnknown: boolean;
  /** Whether an object that the file changes or omits may be in a part of the files that could not be read. */
  readonly areObjectsMissing: boolean;
}

/** The files of a run, joined. */
interface JoinedFiles {
  readonly files: readonly JoinedFile[];
  readonly diagnostics: readonly Diagnostic[];
  readonly isWhole: boolean;
}

function joinedFiles(
  { expand, layered, unguardedBy }: Stages,
  { sources, inputs, isPartial = false, parse = parseDocuments }: Reading,
): JoinedFiles {
  const { isEarlier = false } = inputs;
  const files = sources.map(source => parse(source));
  const expanded = expand(files, { isEarlier });
  const { documents, diagnostics } = layered(expanded.documents);
  const before = (order: number) => {
    const earlier = files.filter((_, i) => layerOf(sources[i]) < order);
    return layered(expand(earlier, { isEarlier }).documents).documents;
  };
  // Changes of sets in an earlier revision are not checked, because nobody can correct that revision any more.
  const changes = isEarlier ? [] : expanded.setChanges;
  const unguarded = unguardedBy({ changes, documents, before });
  const isHalfExpanded = hasErrors(expanded.diagnostics);
  const areObjectsMissing = isPartial || isHalfExpanded || files.some(one => one.isCut);
  return {
    files: files.map((parsed, i) => ({
      documents: documents[i] ?? [],
      diagnostics: parsed.diagnostics,
      isCut: parsed.isCut,
      isUnknown: parsed.isCut || isHalfExpanded,
      areObjectsMissing,
    })),
    diagnostics: [...expanded.diagnostics, ...diagnostics, ...unguarded],
    isWhole: !isHalfExpanded && !hasErrors(diagnostics),
  };
}

/** Whether what a file declares depends on its text alone, and not on the values of variables, secrets and other files. */
const isAlwaysTheSame = (source: SourceText | undefined): boolean =>
  source !== undefined && !source.text.includes('${');

/** What a file declares. */
interface ReadFile {
  readonly declared: readonly Declared[];
  readonly written: readonly RenderedObject[];
  readonly accessTests: readonly AccessTest[];
  readonly emptyLists: readonly EmptyList[];
  readonly diagnostics: readonly Diagnostic[];
  readonly isWhole: boolean;
}

function readFile(
  { locate, check, readTests }: Stages,
  file: JoinedFile,
  inputs: Inputs,
): ReadFile {
  const { documents, isCut, isUnknown } = file;
  const located = locate(documents);
  const { objects, diagnostics: pointless } = withoutMarked(
    located.objects,
    file.areObjectsMissing,
  );
  const found = readObjects(objects, check, { inputs, isUnknown });
  const { tests, diagnostics: untestable } = readTests(documents);
  const misplaced = located.diagnostics;
  const isLocated = misplaced.length === 0 && objects.length === located.objects.length;
  return {
    declared: found.declared,
    written: found.written,
    accessTests: tests,
    emptyLists: located.emptyLists,
    diagnostics: [pointless, file.diagnostics, misplaced, found.diagnostics, untestable].flat(),
    isWhole: !isCut && isLocated && !found.hasNameless,
  };
}

function rendered(
  joined: readonly JoinedFile[],
  files: readonly ReadFile[],
  kinds: KindTable,
): Rendered {
  const objects = files.flatMap(({ written }) => written);
  const emptyLists = files.flatMap(one => one.emptyLists);
  const tests = joined.flatMap(({ documents }) => documents.flatMap(testsOf));
  return render({ objects, emptyLists, tests }, kinds);
}

// An earlier revision is not checked, because nobody can correct it any more.
const testsNamedTwice = (
  files: readonly ReadFile[],
  { sources, inputs: { isEarlier } }: Reading,
): readonly Diagnostic[] =>
  isEarlier
    ? []
    : namedTwice(files.map(({ accessTests: tests }, i) => ({ order: layerOf(sources[i]), tests })));

const layerOf = (source: SourceText | undefined): number => source?.layer?.order ?? 0;

// A malformed reference is already reported.
function pushUnreported(diagnostics: Diagnostic[], more: readonly Diagnostic[]): void {
  const faulty = new Set(diagnostics.filter(isError).map(({ at }) => at && spanText(at)));
  addAll(
    diagnostics,
    more.filter(({ at }) => !faulty.has(at && spanText(at))),
  );
}

interface ReadObjects {
  readonly declared: Declared[];
  readonly written: RenderedObject[];
  readonly diagnostics: Diagnostic[];
  readonly hasNameless: boolean;
}

function readObjects(
  objects: readonly Located[],
  check: ObjectCheck,
  { inputs, isUnknown }: { readonly inputs: Inputs; readonly isUnknown: boolean },
): ReadObjects {
  const homes = new Map<Located, Declared>();
  const declared: Declared[] = [];
  const diagnostics: Diagnostic[] = [];
  const written: RenderedObject[] = [];
  for (const object of objects) {
    const whole = fillExternalValues(object, inputs);
    written.push({ located: object, fields: whole.checked });
    const filled = withoutEnds(object.kind.shape, object.node, whole);
    const faults = [...filled.diagnostics, ...check(object, filled)];
    addAll(diagnostics, faults);
    const parent = object.parent && homes.get(object.parent);
    if (object.parent && parent === undefined) continue;
    const found = declareObject(object, filled, parent, hasErrors(faults));
    if (found) {
      homes.set(object, found);
      declared.push(found);
      addAll(diagnostics, [...lifecycleFindings(found), ...endFindings(found)]);
    } else if (!hasErrors(faults) && !isUnknown) diagnostics.push(nameless(object));
  }
  return { declared, written, diagnostics, hasNameless: declared.length < objects.length };
}

const isError = ({ severity }: Diagnostic): boolean => severity === 'error';

// Files without objects are an error. If they counted as an empty desired state, pruning would
// delete everything in the account.
function empty(sources: readonly SourceText[]): Diagnostic[] {
  return sources.slice(0, 1).map(({ file }) => ({
    code: 'SOURCE_EMPTY',
    severity: 'error',
    message:
      sources.length === 1 ? 'this file declares no objects' : 'the files declare no objects',
    at: { file, line: 1, column: 1 },
    hint: 'declare the objects of the account; to delete all that was declared, add --prune removed --destroy to `plan` or `apply`',
  }));
}
